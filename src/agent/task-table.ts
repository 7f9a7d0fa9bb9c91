/** Async contexts whose types a thread remembers; a later one takes the place of an earlier one. A power of two. */
const TASKS = 32768;
/** Kinds of contexts that have a name; further ones share the last. */
const TYPES = 128;
/** Characters of a type's name that are kept. */
const NAME_BYTES = 32;
/** Bit of a task's second word: it has run. */
const RAN = 0x100;

const NAMES_AT = TASKS * 2 * 4;

/**
 * The async contexts of one thread with their types, in memory that its writer, the thread, shares with the control thread:
 * what saved_cmdlines is to the kernel, bounded like it. A slot is the pid and the type + 1.
 */
export class TaskTable {
  readonly memory: SharedArrayBuffer;
  readonly #tasks: Int32Array;
  readonly #names: Uint8Array;

  constructor(memory = new SharedArrayBuffer(NAMES_AT + TYPES * NAME_BYTES)) {
    this.memory = memory;
    this.#tasks = new Int32Array(memory, 0, TASKS * 2);
    this.#names = new Uint8Array(memory, NAMES_AT);
  }

  /** Names a type. Types are numbered from 0 in the order in which they come. */
  setType(type: number, name: string): number {
    const at = type < TYPES ? type : TYPES - 1;
    for (let i = 0; i < NAME_BYTES; i++) this.#names[at * NAME_BYTES + i] = i < name.length ? name.charCodeAt(i) & 0x7f : 0;
    return at;
  }

  created(pid: number, type: number): void {
    const at = (pid & (TASKS - 1)) * 2;
    this.#tasks[at] = pid;
    this.#tasks[at + 1] = type + 1;
  }

  running(pid: number): void {
    const at = (pid & (TASKS - 1)) * 2;
    if (this.#tasks[at] === pid) this.#tasks[at + 1]! |= RAN;
  }

  /** The type of a task's context, undefined when it is not known (any more). */
  comm(pid: number): string | undefined {
    const at = (pid & (TASKS - 1)) * 2;
    return this.#tasks[at] === pid && this.#tasks[at + 1] !== 0 ? this.#name(this.#tasks[at + 1]!) : undefined;
  }

  /** The tasks that have run, by pid. */
  *ran(): Generator<readonly [pid: number, comm: string]> {
    const pids: number[] = [];
    for (let at = 0; at < TASKS * 2; at += 2) if ((this.#tasks[at + 1]! & RAN) !== 0) pids.push(this.#tasks[at]!);
    for (const pid of pids.sort((a, b) => a - b)) {
      const comm = this.comm(pid);
      if (comm !== undefined) yield [pid, comm];
    }
  }

  #name(word: number): string {
    const from = ((word & (RAN - 1)) - 1) * NAME_BYTES;
    const bytes = this.#names.slice(from, from + NAME_BYTES);
    const end = bytes.indexOf(0);
    return String.fromCharCode(...(end < 0 ? bytes : bytes.subarray(0, end)));
  }
}
