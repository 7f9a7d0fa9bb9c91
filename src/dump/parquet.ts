import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { VERSION } from '../base/version.js';
import type { Call, CallVisitor, Leave, Track, VisitedCall, VisitedEvent } from '../output/trace-dat/calls/call-visitor.js';
import type { CalledFunction } from '../output/trace-dat/calls/called-functions.js';
import { fieldsJson } from '../output/trace-dat/calls/fields-json.js';
import type { ReportSink } from '../output/trace-dat/index.js';
import type { Dump } from './dumped-recording.js';
import { RequestOwners } from './request-owners.js';

/** Rows that are kept until they are written as a group. */
const GROUP_ROWS = 50_000;
/** Bytes that are collected before they go to the sink. */
const PIECE = 1 << 20;
const EVENTS_FILE = '.events.parquet';

/** What a column holds; those of text that may be missing are null then. */
const KINDS = {
  time: { type: 'INT64' },
  number: { type: 'INT32' },
  flag: { type: 'BOOLEAN' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
} as const;
type Kind = keyof typeof KINDS;
type Cell = number | bigint | boolean | string | null;

/** The columns of the calls, in their order. Times are ns. */
const CALL_COLUMNS = {
  time: 'time',
  duration: 'time',
  self: 'time',
  total: 'time',
  function: 'text',
  package: 'text',
  file: 'text',
  line: 'number',
  own: 'flag',
  pid: 'number',
  process: 'text',
  thread: 'number',
  thread_name: 'text',
  instance: 'text',
  context: 'number',
  request: 'number',
  route: 'text',
  depth: 'number',
  arguments: 'text',
  result: 'text',
  resumed: 'flag',
  suspended: 'flag',
  unfinished: 'flag',
} as const satisfies Readonly<Record<string, Kind>>;

/** The columns of the events. */
const EVENT_COLUMNS = {
  time: 'time',
  system: 'text',
  event: 'text',
  pid: 'number',
  process: 'text',
  thread: 'number',
  thread_name: 'text',
  instance: 'text',
  context: 'number',
  request: 'number',
  route: 'text',
  fields: 'text',
  text: 'text',
} as const satisfies Readonly<Record<string, Kind>>;

/** A table that is written in groups of rows. */
class Table<Columns extends Readonly<Record<string, Kind>>> {
  readonly #sink: ReportSink;
  readonly #columns: readonly (readonly [name: string, kind: Kind])[];
  readonly #bytes = new ByteWriter(PIECE);
  readonly #writer: ParquetWriter;
  #cells: Cell[][];
  isClosed = false;

  constructor(sink: ReportSink, columns: Columns) {
    this.#sink = sink;
    this.#columns = Object.entries(columns);
    this.#cells = this.#columns.map(() => []);
    this.#writer = new ParquetWriter({
      writer: this.#bytes,
      schema: [
        { name: 'root', num_children: this.#columns.length },
        ...this.#columns.map(([name, kind]) => ({ name, repetition_type: 'OPTIONAL' as const, ...KINDS[kind] })),
      ],
      createdBy: `fentry ${VERSION}`,
    });
  }

  /** Adds a row, whose cells are in the order of the columns. */
  add(row: { readonly [Name in keyof Columns]: Cell }): void {
    const cells = this.#cells;
    let column = 0;
    for (const [name] of this.#columns) cells[column++]!.push(row[name]!);
    if (cells[0]!.length >= GROUP_ROWS) this.#writeGroup();
  }

  finish(): void {
    if (this.#cells[0]!.length > 0) this.#writeGroup();
    this.#writer.finish();
    this.#flush();
  }

  #writeGroup(): void {
    const columnData = this.#columns.map(([name, kind], i) => ({
      name,
      data:
        kind === 'time'
          ? this.#cells[i]!.map((cell) => (typeof cell === 'number' ? BigInt(Math.round(cell)) : null))
          : this.#cells[i]!,
      offsetIndex: false,
    }));
    this.#cells = this.#columns.map(() => []);
    this.#writer.write({ columnData, rowGroupSize: GROUP_ROWS });
    this.#flush();
  }

  #flush(): void {
    const bytes = this.#bytes;
    if (!this.isClosed && bytes.index > 0) this.isClosed = !this.#sink.write(new Uint8Array(bytes.buffer, 0, bytes.index));
    bytes.index = 0;
  }
}

/** What both tables have of a thread, and of what it runs. */
interface Where {
  readonly pid: number;
  readonly process: string;
  readonly thread: number;
  readonly thread_name: string;
  readonly instance: string;
  readonly context: number | null;
  readonly request: number | null;
  readonly route: string | null;
}

/** What is known where a call begins, and is written when it ends. */
interface Place {
  readonly context: number | null;
  readonly request: number | null;
  readonly route: string | null;
}

/** A table with a row for each call, or each part of a coroutine between waits, and one with a row for each event. */
class ParquetTables implements CallVisitor<Place> {
  readonly wantsTexts = true;
  readonly #calls: Table<typeof CALL_COLUMNS>;
  readonly #events: Table<typeof EVENT_COLUMNS>;
  readonly #owners = new RequestOwners();

  constructor(calls: ReportSink, events: ReportSink) {
    this.#calls = new Table(calls, CALL_COLUMNS);
    this.#events = new Table(events, EVENT_COLUMNS);
  }

  get isDone(): boolean {
    return this.#calls.isClosed || this.#events.isClosed;
  }

  begin(call: Call): Place {
    return this.#place(call);
  }

  end(frame: VisitedCall<Place>, { duration, self, call, value, isSuspended }: Leave): void {
    this.#call(frame, { duration, self, total: isSuspended ? null : call, result: value, isSuspended, isUnfinished: false });
  }

  unfinished(frame: VisitedCall<Place>, end: number): void {
    const duration = end - frame.start;
    this.#call(frame, { duration, self: null, total: null, result: '', isSuspended: false, isUnfinished: true });
  }

  hit(func: CalledFunction, event: VisitedEvent): void {
    const { track, time } = event;
    const call = { func, track, isResumed: false, depth: null, args: '', start: time, place: this.#place(event) };
    this.#call(call, { duration: null, self: null, total: null, result: '', isSuspended: false, isUnfinished: false });
  }

  event(event: VisitedEvent): void {
    this.#owners.take(event);
    const { track, time, format } = event;
    this.#event(track, time, [format.system, format.name], this.#place(event), fieldsJson(event), event.text());
  }

  mark(track: Track, time: number, text: string): void {
    this.#event(track, time, ['ftrace', 'print'], this.#placeOn(track), null, text);
  }

  lost(track: Track, time: number, count: number): void {
    this.#event(track, time, ['recorder', 'lost'], NOWHERE, JSON.stringify({ count }), null);
  }

  finish(): void {
    this.#calls.finish();
    this.#events.finish();
  }

  #place(at: Pick<Call, 'track' | 'context'>): Place {
    const owner = this.#owners.owner(at.track);
    return { context: this.#owners.context(at) ?? null, request: owner?.id ?? null, route: owner?.route ?? null };
  }

  #placeOn(track: Track): Place {
    return this.#place({ track, context: 0 });
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
    }: Omit<VisitedCall<Place>, 'depth' | 'context' | 'activation' | 'isOpen'> & {
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
      time: start,
      duration: end.duration,
      self: end.self,
      total: end.total,
      function: func.symbol,
      package: func.module === '' ? null : func.module,
      file: func.place === undefined ? null : func.where.replace(/:\d+$/, ''),
      line: func.place?.line ?? null,
      own: func.isOwn,
      ...whereOf(track, place),
      depth,
      arguments: args === '' ? null : args,
      result: end.result === '' ? null : end.result,
      resumed: isResumed,
      suspended: end.isSuspended,
      unfinished: end.isUnfinished,
    });
  }

  #event(
    track: Track,
    time: number,
    [system, event]: readonly [string, string],
    place: Place,
    fields: string | null,
    text: string | null,
  ): void {
    this.#events.add({ time, system, event, ...whereOf(track, place), fields, text });
  }
}

const NOWHERE: Place = { context: null, request: null, route: null };

const whereOf = ({ process, tid, name, instance }: Track, place: Place): Where => ({
  pid: process.pid,
  process: process.name,
  thread: tid,
  thread_name: name,
  instance,
  ...place,
});

/** `--parquet`: the calls, and beside them the events, as tables for DuckDB, Spark, pandas and others. */
export const dump: Dump = (recording, output) => {
  const tables = new ParquetTables(output, output.beside(EVENTS_FILE));
  const { warnings } = recording.walk(tables);
  tables.finish();
  return warnings;
};
