import { countShared } from '../base/shared-memory.js';

/** Async contexts whose types a thread remembers; a later one takes the place of an earlier one. A power of two. */
const TASKS = 32768;
/** The number of types of contexts that have a name; further types share the last name. */
const TYPES = 128;
/** How many characters of a type's name are kept. */
const NAME_BYTES = 32;
/** Bit of a task's second word: it has run. */
const RAN = 0x100;

/** Words of a task: pid, type + 1 and RAN, the task that created it, the one that triggered it. */
const WORDS = 4;
const TYPE = 1;
const CREATOR = 2;
const TRIGGER = 3;

const NAMES_AT = TASKS * WORDS * 4;
/** The word of a task's pid. */
const slotOf = (pid: number): number => (pid & (TASKS - 1)) * WORDS;

/** Called with a task that is in the table. */
export type TaskVisitor = (pid: number, creator: number, trigger: number, type: number, hasRun: boolean) => void;

/**
 * The async contexts of one thread with their types, in memory that its writer, the thread, shares with the control thread:
 * what saved_cmdlines is in the kernel, with a limit as there.
 */
export class TaskTable {
  readonly memory: SharedArrayBuffer;
  readonly #tasks: Int32Array;
  readonly #names: Uint8Array;

  constructor(memory = new SharedArrayBuffer(NAMES_AT + TYPES * NAME_BYTES)) {
    this.memory = countShared(memory);
    this.#tasks = new Int32Array(memory, 0, TASKS * WORDS);
    this.#names = new Uint8Array(memory, NAMES_AT);
  }

  /** Names a type. Types are numbered from 0 in the order in which they come. */
  setType(type: number, name: string): number {
    const at = type < TYPES ? type : TYPES - 1;
    for (let i = 0; i < NAME_BYTES; i++) this.#names[at * NAME_BYTES + i] = i < name.length ? name.charCodeAt(i) & 0x7f : 0;
    return at;
  }

  created(pid: number, type: number, creator: number, trigger: number): void {
    const at = slotOf(pid);
    this.#tasks[at] = pid;
    this.#tasks[at + TYPE] = type + 1;
    this.#tasks[at + CREATOR] = creator;
    this.#tasks[at + TRIGGER] = trigger;
  }

  /** A task runs. Returns whether it is in the table (still). */
  running(pid: number): boolean {
    const at = slotOf(pid);
    if (this.#tasks[at] !== pid) return false;
    this.#tasks[at + TYPE]! |= RAN;
    return true;
  }

  /** The type of a task; -1 if it is not known (any more). */
  typeOf(pid: number): number {
    const at = slotOf(pid);
    return this.#tasks[at] === pid ? (this.#tasks[at + TYPE]! & (RAN - 1)) - 1 : -1;
  }

  /** Visits the tasks in the table, in the order of their creation. */
  visit(last: number, visitor: TaskVisitor): void {
    for (let pid = last - TASKS + 1; pid <= last; pid++) {
      const at = slotOf(pid);
      if (pid <= 0 || this.#tasks[at] !== pid) continue;
      const word = this.#tasks[at + TYPE]!;
      visitor(pid, this.#tasks[at + CREATOR]!, this.#tasks[at + TRIGGER]!, (word & (RAN - 1)) - 1, (word & RAN) !== 0);
    }
  }

  /** The type of a task's context, undefined if it is not known (any more). */
  comm(pid: number): string | undefined {
    const at = slotOf(pid);
    return this.#tasks[at] === pid && this.#tasks[at + TYPE] !== 0 ? this.#name(this.#tasks[at + TYPE]!) : undefined;
  }

  /** The tasks that have run, by pid. */
  *ran(): Generator<readonly [pid: number, comm: string]> {
    const pids: number[] = [];
    for (let at = 0; at < TASKS * WORDS; at += WORDS) if ((this.#tasks[at + TYPE]! & RAN) !== 0) pids.push(this.#tasks[at]!);
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
