import { durationMark } from './duration.js';
import { printLatencyFlags } from './latency-flags.js';
import { flagsOf, pidOf, preemptCountOf, type TraceRecord } from './record.js';
import type { RecordMerge } from './record-merge.js';
import { type StoredText, storedText } from './stored-text.js';
import type { TimeColumn } from './time-column.js';
import type { TraceSeq } from './trace-seq.js';
import { commOf, type TraceView } from './trace-view.js';

const COLON = 0x3a;
const SPACE = 0x20;
const TASK_WIDTH = 16;
const LATENCY_TASK_WIDTH = 8;
/** A task's comm has 15 bytes; a file may have anything. */
const MAX_COMM = 1024;

const micros = (ns: number): number => Math.floor((ns + 500) / 1000);
const millis = (us: number): string => `${Math.floor(us / 1000)}.${String(us % 1000).padStart(3, '0')}ms`;
const hex = (value: number, width: number): string => value.toString(16).padStart(width, '0');

/** How long after the start of the times the record is, and how long before the next one of any cpu; the last has none. */
const timesOf = (view: TraceView, record: RecordMerge): readonly [since: number, until: number] => [
  record.ts - view.timeStart,
  (record.nextTime() ?? record.ts) - record.ts,
];

/** `   12us+`: the time, and a mark for a long delay until the next record (lat_print_timestamp). */
function printDelay(seq: TraceSeq, view: TraceView, record: RecordMerge): void {
  const [since, until] = timesOf(view, record);
  const mark = (): string => String.fromCharCode(durationMark(micros(until) * 1000, view.dialect.duration));
  seq.text(view.clockInNs ? ` ${String(micros(since)).padStart(4)}us${mark()}` : ` ${String(since).padStart(4)}`);
}

/** The long form of the latency format, with the option `verbose` (trace_print_lat_context). */
function printVerboseContext(seq: TraceSeq, view: TraceView, record: RecordMerge, flags: number, index: number): void {
  const pid = pidOf(record);
  const [since, until] = timesOf(view, record);
  seq.text(`${commOf(view, pid).padStart(16)} ${String(pid).padStart(7)} ${String(record.cpu).padStart(3)} ${flags} `);
  seq.text(`${hex(preemptCountOf(record) & 0xf, 8)} ${hex(index, 8)} `);
  if (!view.clockInNs) seq.text(`[${hex(record.ts, 16)}] ${since} (+${until}): `);
  else seq.text(`[${hex(micros(record.ts), 8)}] ${millis(micros(since))} (+${millis(micros(until))}): `);
}

/** A task's comm, right-aligned, and what follows it. */
function taskText(comm: string, max: number, width: number, behind: string): StoredText {
  const bytes = Buffer.from(comm).subarray(0, max);
  return storedText(Buffer.concat([Buffer.alloc(Math.max(0, width - bytes.length), ' '), bytes, Buffer.from(behind)]));
}

/** The task and the cpu of a record. The text of each task is built once. */
class TaskColumns {
  readonly #view: TraceView;
  readonly #text: (pid: number, cpu: number) => StoredText;
  /** By cpu: the task of its last record, that task's text, and all texts. */
  readonly #pids: number[] = [];
  readonly #last: StoredText[] = [];
  readonly #texts: Map<number, StoredText>[] = [];

  constructor(view: TraceView) {
    this.#view = view;
    this.#text = view.options['latency-format'] ? this.#short : this.#long;
  }

  print(seq: TraceSeq, { cpu }: TraceRecord, pid: number): void {
    if (this.#pids[cpu] !== pid) this.#switch(cpu, pid);
    seq.put(this.#last[cpu]!);
  }

  #switch(cpu: number, pid: number): void {
    const texts = (this.#texts[cpu] ??= new Map());
    let text = texts.get(pid);
    if (text === undefined) {
      text = this.#text(pid, cpu);
      texts.set(pid, text);
    }
    this.#pids[cpu] = pid;
    this.#last[cpu] = text;
  }

  /** `            node-4711    [000] `; with record-tgid, the thread group before the cpu. */
  #long(pid: number, cpu: number): StoredText {
    const { dialect, options } = this.#view;
    const tgid = this.#view.tgid(pid);
    const group = !options['record-tgid'] ? '' : `(${tgid === undefined ? '-------' : String(tgid).padStart(7)}) `;
    const behind = `-${String(pid).padEnd(dialect.pidWidth)} ${group}[${String(cpu).padStart(3, '0')}]${dialect.cpuGap}`;
    return taskText(commOf(this.#view, pid), MAX_COMM, TASK_WIDTH, behind);
  }

  /** `    node-4711      0` */
  #short(pid: number, cpu: number): StoredText {
    const behind = `-${String(pid).padEnd(this.#view.dialect.pidWidth)} ${String(cpu).padStart(3)}`;
    return taskText(commOf(this.#view, pid), LATENCY_TASK_WIDTH, LATENCY_TASK_WIDTH, behind);
  }
}

/** Prints what stands before the text of an event: its task, cpu, flags and time. */
export class ContextPrinter {
  readonly #view: TraceView;
  readonly #tasks: TaskColumns;
  readonly #time: TimeColumn;
  readonly #isLatency: boolean;
  readonly #hasFlags: boolean;
  readonly #hasDelays: boolean;

  constructor(view: TraceView, time: TimeColumn) {
    const { options, dialect } = view;
    this.#view = view;
    this.#tasks = new TaskColumns(view);
    this.#time = time;
    this.#isLatency = options['latency-format'];
    this.#hasFlags = options['irq-info'] || this.#isLatency;
    this.#hasDelays = this.#isLatency && dialect.hasDelays;
  }

  /**
   * `            node-4711    [000] .....   123.456789: ` (trace_print_context), or the latency format's
   * `    node-4711      0d..1.   12us+: ` (trace_print_lat_context).
   * @param index number of the record's line, from 0
   */
  print(seq: TraceSeq, record: RecordMerge, index: number): void {
    const view = this.#view;
    const { options } = view;
    const flags = flagsOf(record) | (this.#isLatency ? (view.flags ?? 0) : 0);
    if (this.#isLatency && options.verbose) {
      printVerboseContext(seq, view, record, flags, index);
      return;
    }
    this.#tasks.print(seq, record, pidOf(record));
    if (this.#hasFlags) printLatencyFlags(seq, view.dialect.flags, flags, preemptCountOf(record));
    if (this.#hasDelays) printDelay(seq, view, record);
    else this.#time.print(seq, record.ts);
    seq.byte(COLON);
    seq.byte(SPACE);
  }
}
