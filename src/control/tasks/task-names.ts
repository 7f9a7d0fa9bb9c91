import type { SavedCmdlines } from './saved-cmdlines.js';

/** The async contexts that there are, by the types that name them; `isOn`: they are the tasks, and not the threads. */
export interface NamedContexts {
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
