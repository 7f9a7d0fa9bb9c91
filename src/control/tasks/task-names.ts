/** Bytes of the kernel's table besides its entries, and of an entry; its memory is a power of two, at least this much. */
const TABLE_BYTES = 131_096;
const ENTRY_BYTES = 20;
const LEAST_BYTES = 2 ** 18;

/** How many names are kept if `wanted` are requested: as many as fit into the kernel's memory for them. */
export function cmdlineRoom(wanted: number): number {
  let bytes = LEAST_BYTES;
  while ((bytes - TABLE_BYTES) / ENTRY_BYTES < wanted) bytes *= 2;
  return Math.floor((bytes - TABLE_BYTES) / ENTRY_BYTES);
}

/** The names of the tasks in records (saved_cmdlines of kernel/trace/trace.c). When it is full, the oldest is dropped. */
export class SavedCmdlines {
  /** Whether names are added (the option record-cmd). */
  isRecording = true;
  readonly #comms = new Map<number, string>();
  /** Tasks of other processes. */
  readonly #strangers = new Set<number>();
  #size = cmdlineRoom(0);

  /** How many names are kept. */
  get size(): number {
    return this.#size;
  }

  /** Changes the size to at least so many names; those that do not fit any more are dropped. */
  resize(wanted: number): void {
    this.#size = cmdlineRoom(wanted);
    this.#dropOldest();
  }

  /** The name of a task; one that had another keeps its place. */
  set(pid: number, comm: string): void {
    if (!this.isRecording) return;
    this.#comms.set(pid, comm);
    this.#strangers.delete(pid);
    this.#dropOldest();
  }

  /** The name of a task of another process, which wrote a mark. */
  setStranger(pid: number, comm: string): void {
    this.set(pid, comm);
    this.#strangers.add(pid);
  }

  /** Whether a task is known to be of this process: the process of other tasks is not recorded. */
  isOwn(pid: number): boolean {
    return this.#comms.has(pid) && !this.#strangers.has(pid);
  }

  get(pid: number): string | undefined {
    return this.#comms.get(pid);
  }

  [Symbol.iterator](): IterableIterator<[number, string]> {
    return this.#comms[Symbol.iterator]();
  }

  #dropOldest(): void {
    for (const pid of this.#comms.keys()) {
      if (this.#comms.size <= this.#size) return;
      this.#comms.delete(pid);
      this.#strangers.delete(pid);
    }
  }
}

/** The async contexts that there are, by the types that name them; `isOn`: they are the tasks, and not the threads. */
interface NamedContexts {
  readonly isOn: boolean;
  comm(pid: number): string | undefined;
  comms(): Iterable<readonly [number, string]>;
}

/** The names of the process's tasks: of threads and outsiders that were seen, and of async contexts. */
export class TaskNames {
  readonly #cmdlines: SavedCmdlines;
  readonly #contexts: NamedContexts;

  constructor(cmdlines: SavedCmdlines, contexts: NamedContexts) {
    this.#cmdlines = cmdlines;
    this.#contexts = contexts;
  }

  /** A context and a thread may have the same number: then the one that is a task now counts. */
  comm(pid: number): string | undefined {
    const context = this.#contexts.comm(pid);
    const thread = this.#cmdlines.get(pid);
    return this.#contexts.isOn ? (context ?? thread) : (thread ?? context);
  }

  /** Whether it is a task of this process. */
  isOwn(pid: number): boolean {
    return this.#cmdlines.isOwn(pid) || this.#contexts.comm(pid) !== undefined;
  }

  *comms(): Iterable<readonly [number, string]> {
    yield* this.#cmdlines;
    yield* [...this.#contexts.comms()].slice(-this.#cmdlines.size);
  }
}
