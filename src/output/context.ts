import { printLatencyFlags } from './latency-flags.js';
import { bytesOf, type TraceSeq } from './trace-seq.js';
import { commOf, type TraceView } from './trace-view.js';

const COLON = 0x3a;
const SPACE = 0x20;
const ZERO = 0x30;
const DOT = 0x2e;

/** ` %5lu.%06lu`: seconds and rounded microseconds, or the bare number of a clock that does not count time (trace_print_time). */
export function printTime(seq: TraceSeq, ts: number, clockInNs: boolean): void {
  seq.byte(SPACE);
  if (!clockInNs) {
    seq.decimal(ts, 12);
    return;
  }
  const micros = Math.floor((ts + 500) / 1000);
  const seconds = Math.floor(micros / 1e6);
  seq.decimal(seconds, 5);
  seq.byte(DOT);
  seq.decimal(micros - seconds * 1e6, 6, ZERO);
}

/** Prints `comm-pid [cpu] flags timestamp: `; the parts that stay the same from line to line are built once. */
export class ContextPrinter {
  readonly #view: TraceView;
  readonly #tasks = new Map<number, Uint8Array>();
  readonly #cpus = new Map<number, Uint8Array>();
  #lastPid = Number.NaN;
  #lastTask: Uint8Array = new Uint8Array(0);
  #second = -1;
  #secondText: Uint8Array = new Uint8Array(0);

  constructor(view: TraceView) {
    this.#view = view;
  }

  /** `            node-4711    [000] .....   123.456789: ` (trace_print_context). */
  print(seq: TraceSeq, pid: number, cpu: number, flags: number, preemptCount: number, ts: number): void {
    if (pid !== this.#lastPid) {
      this.#lastPid = pid;
      this.#lastTask = this.#tasks.get(pid) ?? this.#task(pid);
    }
    seq.put(this.#lastTask);
    seq.put(this.#cpus.get(cpu) ?? this.#cpu(cpu));
    if (this.#view.options['irq-info']) printLatencyFlags(seq, flags, preemptCount);
    this.#time(seq, ts);
    seq.byte(COLON);
    seq.byte(SPACE);
  }

  #time(seq: TraceSeq, ts: number): void {
    if (!this.#view.clockInNs) {
      printTime(seq, ts, false);
      return;
    }
    const micros = Math.floor((ts + 500) / 1000);
    const second = Math.floor(micros / 1e6);
    if (second !== this.#second) {
      this.#second = second;
      this.#secondText = bytesOf(` ${String(second).padStart(5)}.`);
    }
    seq.put(this.#secondText);
    seq.decimal(micros - second * 1e6, 6, ZERO);
  }

  #task(pid: number): Uint8Array {
    const tgid = this.#view.tgid(pid);
    const group = tgid === undefined ? '(-------) ' : `(${String(tgid).padStart(7)}) `;
    const task = `${commOf(this.#view, pid).padStart(16)}-${String(pid).padEnd(7)} `;
    const bytes = bytesOf(task + (this.#view.options['record-tgid'] ? group : ''));
    this.#tasks.set(pid, bytes);
    return bytes;
  }

  #cpu(cpu: number): Uint8Array {
    const bytes = bytesOf(`[${String(cpu).padStart(3, '0')}] `);
    this.#cpus.set(cpu, bytes);
    return bytes;
  }
}
