import { printLatencyFlags } from './latency-flags.js';
import { flagsOf, pidOf, preemptCountOf, type TraceRecord } from './record.js';
import { type StoredText, storedText } from './stored-text.js';
import type { TraceSeq } from './trace-seq.js';
import { commOf, type TraceView } from './trace-view.js';

const SPACE = 0x20;
const ZERO = 0x30;
const PROC_WIDTH = 14;
const COMM_LENGTH = 7;
const RULE = storedText(' ------------------------------------------\n');

/** The columns before the duration: time, CPU, task, flags; and the line that marks a change of a cpu's task. */
export class GraphColumns {
  readonly #view: TraceView;
  readonly #cpuWidth: number;
  readonly #cpus = new Map<number, StoredText>();
  readonly #tasks = new Map<number, StoredText>();
  readonly #lastPid = new Map<number, number>();
  readonly #hasContext: boolean;

  constructor(view: TraceView) {
    this.#view = view;
    this.#cpuWidth = String(Math.max(view.cpus - 1, 0)).length;
    this.#hasContext = view.options['context-info'];
  }

  /** print_graph_prologue */
  print(seq: TraceSeq, record: TraceRecord): void {
    const pid = pidOf(record);
    this.#taskSwitch(seq, record.cpu, pid);
    if (!this.#hasContext) return;
    const { options } = this.#view;
    if (options['funcgraph-abstime']) this.#absTime(seq, record.ts);
    if (this.#view.relativeTime === true) this.#relativeTime(seq, record.ts);
    if (options['funcgraph-cpu']) this.#cpu(seq, record.cpu);
    if (options['funcgraph-proc']) {
      this.#proc(seq, pid);
      seq.text(' | ');
    }
    if (options['latency-format']) {
      seq.byte(SPACE);
      printLatencyFlags(seq, this.#view.dialect.flags, flagsOf(record) | (this.#view.flags ?? 0), preemptCountOf(record));
      seq.text(' | ');
    }
  }

  #taskSwitch(seq: TraceSeq, cpu: number, pid: number): void {
    const last = this.#lastPid.get(cpu);
    if (last === pid) return;
    this.#lastPid.set(cpu, pid);
    if (last === undefined) return;
    seq.put(RULE);
    this.#cpu(seq, cpu);
    this.#proc(seq, last);
    seq.text(' => ');
    this.#proc(seq, pid);
    seq.text('\n');
    seq.put(RULE);
    seq.text('\n');
  }

  #absTime(seq: TraceSeq, ts: number): void {
    const seconds = Math.floor(ts / 1e9);
    seq.decimal(seconds, 5);
    seq.text('.');
    seq.decimal(Math.floor((ts - seconds * 1e9) / 1000), 6, ZERO);
    seq.text(' |  ');
  }

  #relativeTime(seq: TraceSeq, ts: number): void {
    seq.decimal(Math.floor((ts - this.#view.timeStart) / 1000), 9);
    seq.text(' us |  ');
  }

  #cpu(seq: TraceSeq, cpu: number): void {
    let text = this.#cpus.get(cpu);
    if (text === undefined) {
      text = storedText(` ${String(cpu).padStart(this.#cpuWidth)}) `);
      this.#cpus.set(cpu, text);
    }
    seq.put(text);
  }

  /** `   node-4711   `, centred in its column. */
  #proc(seq: TraceSeq, pid: number): void {
    let text = this.#tasks.get(pid);
    if (text === undefined) {
      const task = `${commOf(this.#view, pid).slice(0, COMM_LENGTH)}-${pid}`;
      const spaces = Math.max(0, PROC_WIDTH - task.length);
      const before = Math.floor(spaces / 2);
      text = storedText(' '.repeat(before) + task + ' '.repeat(spaces - before));
      this.#tasks.set(pid, text);
    }
    seq.put(text);
  }
}
