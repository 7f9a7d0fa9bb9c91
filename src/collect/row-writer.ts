import type { CalledFunction } from '../output/trace-dat/calls/called-functions.js';
import type { TableName } from '../tables/columns.js';
import type { NamedCells, NumberColumn, TableData, TextColumn, WordColumn } from '../tables/table-data.js';
import { DAY, type RowGroups } from './rows.js';
import type { ThreadCalls } from './thread-calls.js';

/** What all rows of a process have. */
export interface ProcessCells {
  readonly service: string;
  readonly pid: number;
  readonly program: string;
  readonly release: string;
  /** Microseconds from the clock of its records to the time of day. */
  readonly clock: number;
}

/** The columns that all rows have. */
class CommonColumns {
  readonly rows: TableData;
  readonly #process: ProcessCells;
  readonly #time: NumberColumn;
  readonly #clock: NumberColumn;
  readonly #pid: NumberColumn;
  readonly #thread: NumberColumn;
  readonly #program: WordColumn;
  readonly #release: WordColumn;

  constructor(rows: TableData, process: ProcessCells) {
    this.rows = rows;
    this.#process = process;
    this.#time = rows.numbers('time');
    this.#clock = rows.numbers('clock');
    this.#pid = rows.numbers('pid');
    this.#thread = rows.numbers('thread');
    this.#program = rows.words('program');
    this.#release = rows.words('release');
  }

  /** Begins a row. */
  begin(time: number, ns: number, thread: number): number {
    const at = this.rows.begin();
    const { pid, program, release } = this.#process;
    this.#time.values[at] = time;
    this.#clock.values[at] = ns;
    this.#pid.values[at] = pid;
    this.#thread.values[at] = thread;
    this.#program.put(at, program);
    this.#release.put(at, release);
    return at;
  }
}

/** The columns of what is done for a context and a span. */
class WorkColumns {
  readonly #context: NumberColumn;
  readonly #trace: WordColumn;
  readonly #span: WordColumn;

  constructor(rows: TableData) {
    this.#context = rows.numbers('context');
    this.#trace = rows.words('trace_id');
    this.#span = rows.words('span_id');
  }

  put(at: number, context: number, { trace, span }: ThreadCalls['span']): void {
    this.#context.values[at] = context;
    this.#trace.put(at, trace);
    this.#span.put(at, span);
  }
}

class EventColumns extends CommonColumns {
  readonly system: WordColumn = this.rows.words('system');
  readonly event: WordColumn = this.rows.words('event');
  readonly fields: TextColumn = this.rows.texts('fields');
  readonly work = new WorkColumns(this.rows);
}

/** Where the words of a function are in a table. */
interface FunctionWords {
  readonly name: number;
  readonly module: number;
  readonly file: number;
  readonly line: number;
  readonly own: 0 | 1;
}

class CallColumns extends CommonColumns {
  readonly duration = this.rows.numbers('duration');
  readonly self = this.rows.numbers('self');
  readonly total = this.rows.numbers('total');
  readonly depth = this.rows.numbers('depth');
  readonly resumed = this.rows.numbers('resumed');
  readonly suspended = this.rows.numbers('suspended');
  readonly work = new WorkColumns(this.rows);
  readonly #name = this.rows.words('function');
  readonly #module = this.rows.words('package');
  readonly #file = this.rows.words('file');
  readonly #line = this.rows.numbers('line');
  readonly #own = this.rows.numbers('own');
  readonly #known = new Map<CalledFunction, FunctionWords>();

  func(at: number, func: CalledFunction): void {
    let words = this.#known.get(func);
    if (words === undefined) {
      const { symbol, module, place, isOwn } = func;
      this.#name.put(at, symbol);
      this.#module.put(at, module);
      this.#file.put(at, place?.file ?? '');
      words = {
        name: this.#name.indexes[at]!,
        module: this.#module.indexes[at]!,
        file: this.#file.indexes[at]!,
        line: place?.line ?? Number.NaN,
        own: isOwn ? 1 : 0,
      };
      this.#known.set(func, words);
    }
    this.#name.indexes[at] = words.name;
    this.#module.indexes[at] = words.module;
    this.#file.indexes[at] = words.file;
    this.#line.values[at] = words.line;
    this.#own.values[at] = words.own;
  }
}

/** What a call took, as the record of its end says. */
export interface CallTimes {
  /** ns of the records' clock: when it came onto the stack. */
  readonly start: number;
  /** ns; NaN: not known. */
  readonly duration: number;
  readonly self: number;
  /** ns from call to return; NaN: it has not returned. */
  readonly total: number;
  readonly depth: number;
  readonly isResumed: boolean;
  readonly isSuspended: boolean;
}

/** Writes the rows of a process into the groups of a batch, column by column. */
export class RowWriter {
  readonly #groups: RowGroups;
  readonly #process: ProcessCells;
  #calls: CallColumns | undefined;
  #callDay = -1;
  #events: EventColumns | undefined;
  #eventDay = -1;

  constructor(groups: RowGroups, process: ProcessCells) {
    this.#groups = groups;
    this.#process = process;
  }

  call(thread: number, func: CalledFunction, call: CallTimes, context: number, span: ThreadCalls['span']): void {
    const time = this.#timeOf(call.start);
    const day = Math.floor(time / DAY);
    if (this.#calls === undefined || day !== this.#callDay) {
      this.#calls = new CallColumns(this.#rows('calls', day), this.#process);
      this.#callDay = day;
    }
    const columns = this.#calls;
    const at = columns.begin(time, call.start, thread);
    columns.func(at, func);
    columns.duration.values[at] = call.duration;
    columns.self.values[at] = call.self;
    columns.total.values[at] = call.total;
    columns.depth.values[at] = call.depth;
    columns.resumed.values[at] = call.isResumed ? 1 : 0;
    columns.suspended.values[at] = call.isSuspended ? 1 : 0;
    columns.work.put(at, context, span);
  }

  event(
    thread: number,
    ns: number,
    system: string,
    event: string,
    fields: string,
    context: number,
    span: ThreadCalls['span'],
  ): void {
    const time = this.#timeOf(ns);
    const day = Math.floor(time / DAY);
    if (this.#events === undefined || day !== this.#eventDay) {
      this.#events = new EventColumns(this.#rows('events', day), this.#process);
      this.#eventDay = day;
    }
    const columns = this.#events;
    const at = columns.begin(time, ns, thread);
    columns.system.put(at, system);
    columns.event.put(at, event);
    columns.fields.put(at, fields);
    columns.work.put(at, context, span);
  }

  /** @param time microseconds since 1970 */
  lost(time: number, thread: number | null, events: number | null, reason: 'buffer' | 'size' | 'damage'): void {
    this.add('lost', time, { thread, events, reason });
  }

  /** Adds a row of a table with few. */
  add(table: TableName, time: number, cells: NamedCells): void {
    const { pid, program, release, clock } = this.#process;
    const rows = this.#rows(table, Math.floor(time / DAY));
    rows.add({ time, clock: (time - clock) * 1000, pid, program, release, ...cells });
  }

  /** Microseconds since 1970 of a time of the records' clock. */
  #timeOf(ns: number): number {
    return Math.round(ns / 1000) + this.#process.clock;
  }

  #rows(table: TableName, day: number): TableData {
    return this.#groups.of(table, this.#process.service, day);
  }
}
