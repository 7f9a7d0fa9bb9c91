import type {
  Call,
  CallVisitor,
  Leave,
  Track,
  VisitedCall,
  VisitedEvent,
  WalkedRecording,
} from '../output/trace-dat/calls/call-visitor.js';
import type { CalledFunction } from '../output/trace-dat/calls/called-functions.js';
import { fieldsJson } from '../output/trace-dat/calls/fields-json.js';
import type { ReportSink } from '../output/trace-dat/index.js';
import { columnsOf } from '../tables/columns.js';
import { ParquetFile } from '../tables/parquet-file.js';
import { type NamedCells, TableData } from '../tables/table-data.js';
import { ActiveSpans } from './active-spans.js';
import type { Dump } from './dumped-recording.js';
import { RequestOwners } from './request-owners.js';

/** Rows that are kept until they are written as a group. */
const GROUP_ROWS = 50_000;
const EVENTS_FILE = '.events.parquet';

/** A table that is written in groups of rows. */
class Table {
  readonly #file: ParquetFile;
  readonly #name: 'calls' | 'events';
  #rows: TableData;
  isClosed = false;

  constructor(sink: ReportSink, name: 'calls' | 'events') {
    this.#name = name;
    this.#rows = new TableData(name, 'recording');
    this.#file = new ParquetFile(columnsOf(name, 'recording'), (bytes) => {
      if (!this.isClosed && bytes.length > 0) this.isClosed = !sink.write(bytes);
    });
  }

  add(row: NamedCells): void {
    this.#rows.add(row);
    if (this.#rows.length >= GROUP_ROWS) this.#writeGroup();
  }

  finish(): void {
    this.#writeGroup();
    this.#file.finish();
  }

  #writeGroup(): void {
    this.#file.add(this.#rows);
    this.#rows = new TableData(this.#name, 'recording');
  }
}

/** For what something was done: known where a call begins, and written when it ends. */
type Work = Pick<NamedCells, 'context' | 'trace_id' | 'span_id' | 'request' | 'route'>;

/** A table with a row for each call, or each part of a coroutine between waits, and one with a row for each event. */
class ParquetTables implements CallVisitor<Work> {
  readonly wantsTexts = true;
  readonly #calls: Table;
  readonly #events: Table;
  readonly #spans = new ActiveSpans();
  /** Microseconds since 1970 of a moment of the recording; null: not known. */
  #timeOf: (ns: number) => number | null = () => null;
  readonly #owners = new RequestOwners();

  constructor(calls: ReportSink, events: ReportSink) {
    this.#calls = new Table(calls, 'calls');
    this.#events = new Table(events, 'events');
  }

  get isDone(): boolean {
    return this.#calls.isClosed || this.#events.isClosed;
  }

  open({ wall }: WalkedRecording): void {
    if (wall !== undefined) this.#timeOf = (ns) => (wall.since1970 + (ns - wall.time)) / 1000;
  }

  begin(call: Call): Work {
    return this.#work(call);
  }

  end(frame: VisitedCall<Work>, { duration, self, call, value, isSuspended }: Leave): void {
    this.#call(frame, { duration, self, total: isSuspended ? null : call, result: value, isSuspended, isUnfinished: false });
  }

  unfinished(frame: VisitedCall<Work>, end: number): void {
    const duration = end - frame.start;
    this.#call(frame, { duration, self: null, total: null, result: '', isSuspended: false, isUnfinished: true });
  }

  hit(func: CalledFunction, event: VisitedEvent): void {
    const { track, time } = event;
    const call = { func, track, isResumed: false, depth: null, args: '', start: time, place: this.#work(event) };
    this.#call(call, { duration: null, self: null, total: null, result: '', isSuspended: false, isUnfinished: false });
  }

  event(event: VisitedEvent): void {
    this.#owners.take(event);
    this.#spans.take(event);
    const { track, time, format } = event;
    const { system, name } = format;
    this.#event(track, time, { ...this.#work(event), system, event: name, fields: fieldsJson(event), text: event.text() });
  }

  mark(track: Track, time: number, text: string): void {
    const work = this.#work({ track, context: 0 });
    this.#event(track, time, { ...work, system: 'ftrace', event: 'print', fields: JSON.stringify({ buf: text }), text });
  }

  lost(track: Track, time: number, count: number): void {
    this.#spans.forget(track);
    this.#event(track, time, { system: 'recorder', event: 'lost', fields: JSON.stringify({ count }) });
  }

  finish(): void {
    this.#calls.finish();
    this.#events.finish();
  }

  #work(at: Pick<Call, 'track' | 'context'>): Work {
    const owner = this.#owners.owner(at.track);
    const span = this.#spans.of(at.track);
    return {
      context: this.#owners.context(at) ?? null,
      trace_id: span?.trace ?? '',
      span_id: span?.span ?? '',
      request: owner?.id ?? null,
      route: owner?.route ?? '',
    };
  }

  #call(
    {
      func,
      track,
      start,
      place,
      depth,
      args,
      isResumed,
    }: Omit<VisitedCall<Work>, 'funcIndex' | 'depth' | 'context' | 'activation'> & {
      readonly depth: number | null;
    },
    end: {
      readonly duration: number | null;
      readonly self: number | null;
      readonly total: number | null;
      readonly result: string;
      readonly isSuspended: boolean;
      readonly isUnfinished: boolean;
    },
  ): void {
    this.#calls.add({
      time: this.#timeOf(start),
      clock: start,
      duration: end.duration,
      self: end.self,
      total: end.total,
      function: func.symbol,
      package: func.module,
      file: func.place?.file ?? '',
      line: func.place?.line ?? null,
      own: func.isOwn,
      ...whoOf(track),
      ...place,
      depth,
      arguments: args,
      result: end.result,
      resumed: isResumed,
      suspended: end.isSuspended,
      unfinished: end.isUnfinished,
    });
  }

  #event(track: Track, ns: number, cells: NamedCells): void {
    this.#events.add({ time: this.#timeOf(ns), clock: ns, ...whoOf(track), ...cells });
  }
}

const whoOf = ({ process, number, name, instance }: Track): NamedCells => ({
  pid: process.pid,
  program: process.name,
  thread: number,
  thread_name: name,
  instance,
});

/** `--parquet`: the calls, and beside them the events, as tables for DuckDB, Spark, pandas and others. */
export const dump: Dump = (recording, output) => {
  const tables = new ParquetTables(output, output.beside(EVENTS_FILE));
  const { warnings } = recording.walk(tables);
  tables.finish();
  return warnings;
};
