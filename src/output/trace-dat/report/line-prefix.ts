import { TRACE_FLAG } from '../../../events/ftrace-events.js';
import { pidOf, type TraceRecord } from '../../record.js';
import { putBytes } from './put.js';

/** A kernel's comm has 15; a file may have anything. */
const MAX_COMM_BYTES = 1024;
const TASK_WIDTH = 16;
const LATENCY_TASK_WIDTH = 8;
const PID_WIDTH = 5;
const CPU_WIDTH = 3;

/** The columns before the time: `            node-4711  [000]`. */
export interface LinePrefix {
  put(out: Uint8Array, at: number, record: TraceRecord): number;
}

/** Keeps each CPU's last text, because the next one is mostly the same. */
abstract class TaskColumns implements LinePrefix {
  readonly #cmdlines: ReadonlyMap<number, string>;
  readonly #pids: number[] = [];
  readonly #texts: Uint8Array[] = [];

  constructor(cmdlines: ReadonlyMap<number, string>) {
    this.#cmdlines = cmdlines;
  }

  put(out: Uint8Array, at: number, record: TraceRecord): number {
    const pid = pidOf(record);
    const { cpu } = record;
    if (this.#pids[cpu] !== pid) {
      this.#pids[cpu] = pid;
      const comm = Buffer.from(pid === 0 ? '<idle>' : (this.#cmdlines.get(pid) ?? '<...>'), 'utf8');
      this.#texts[cpu] = this.text(comm.subarray(0, MAX_COMM_BYTES), String(pid).padEnd(PID_WIDTH), cpu);
    }
    return putBytes(out, at, this.#texts[cpu]!);
  }

  protected abstract text(comm: Buffer, pid: string, cpu: number): Uint8Array;
}

const padStart = (bytes: Uint8Array, width: number): Buffer =>
  Buffer.concat([Buffer.alloc(Math.max(0, width - bytes.length), ' '), bytes]);

/** The usual columns. */
export class NormalPrefix extends TaskColumns {
  protected text(comm: Buffer, pid: string, cpu: number): Uint8Array {
    return Buffer.concat([padStart(comm, TASK_WIDTH), Buffer.from(`-${pid} [${String(cpu).padStart(CPU_WIDTH, '0')}]`)]);
  }
}

/** The latency format's: a shorter comm, the CPU, and how interruptible it was (print_lat_fmt in kernel/trace/trace_output.c). */
export class LatencyPrefix extends TaskColumns {
  override put(out: Uint8Array, at: number, record: TraceRecord): number {
    at = super.put(out, at, record);
    const header = record.words[record.at]!;
    const flags = (header >>> 16) & 0xff;
    const context = CONTEXTS[(flags & (TRACE_FLAG.HARDIRQ | TRACE_FLAG.SOFTIRQ)) / TRACE_FLAG.HARDIRQ]!;
    out[at] = (flags & TRACE_FLAG.IRQS_OFF) !== 0 ? IRQS_OFF : (flags & TRACE_FLAG.IRQS_NOSUPPORT) !== 0 ? NO_SUPPORT : NONE;
    out[at + 1] = (flags & TRACE_FLAG.NEED_RESCHED) !== 0 ? NEED_RESCHED : NONE;
    out[at + 2] = context;
    out[at + 3] = nibble(header >>> 24);
    out[at + 4] = nibble(header >>> 28);
    return at + 5;
  }

  protected text(comm: Buffer, pid: string, cpu: number): Uint8Array {
    const task = padStart(comm.subarray(0, LATENCY_TASK_WIDTH), LATENCY_TASK_WIDTH);
    return Buffer.concat([task, Buffer.from(`-${pid} ${String(cpu).padStart(CPU_WIDTH)}`)]);
  }
}

const NONE = 0x2e;
const IRQS_OFF = 0x64;
const NO_SUPPORT = 0x58;
const NEED_RESCHED = 0x4e;
/** By the bits HARDIRQ and SOFTIRQ: none, hard, soft, both. */
const CONTEXTS = Buffer.from('.hsH', 'latin1');
const HEX = Buffer.from('.123456789abcdef', 'latin1');

/** A count of 0 to 15; a dot for 0. */
const nibble = (value: number): number => HEX[value & 15]!;
