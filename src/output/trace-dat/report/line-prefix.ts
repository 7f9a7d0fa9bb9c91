import type { CpuCursor } from '../cpu-cursor.js';
import { putBytes } from './put.js';

/** A kernel's comm has 15; a file may claim anything. */
const MAX_COMM_BYTES = 1024;
const TASK_WIDTH = 16;
const PID_WIDTH = 5;
const CPU_WIDTH = 3;

/** The columns before the time: `            node-4711  [000]`. Each CPU's last is kept, for the next is mostly the same. */
export class LinePrefix {
  readonly #cmdlines: ReadonlyMap<number, string>;
  readonly #pids: number[] = [];
  readonly #texts: Uint8Array[] = [];

  constructor(cmdlines: ReadonlyMap<number, string>) {
    this.#cmdlines = cmdlines;
  }

  put(out: Uint8Array, at: number, cursor: CpuCursor): number {
    const pid = cursor.words[cursor.word + 1]!;
    const { cpu } = cursor;
    if (this.#pids[cpu] !== pid) {
      this.#pids[cpu] = pid;
      this.#texts[cpu] = this.#text(pid, cpu);
    }
    return putBytes(out, at, this.#texts[cpu]!);
  }

  #text(pid: number, cpu: number): Uint8Array {
    const comm = Buffer.from(pid === 0 ? '<idle>' : (this.#cmdlines.get(pid) ?? '<...>'), 'utf8').subarray(0, MAX_COMM_BYTES);
    const padding = ' '.repeat(Math.max(0, TASK_WIDTH - comm.length));
    const rest = `-${String(pid).padEnd(PID_WIDTH)} [${String(cpu).padStart(CPU_WIDTH, '0')}]`;
    return Buffer.concat([Buffer.from(padding), comm, Buffer.from(rest)]);
  }
}
