import type { ListedTasks, TaskPids } from '../../port/port.js';
import type { EventTasks } from '../events/event-tasks.js';
import type { AsyncTasks } from './async-tasks.js';

/** The tasks of one thread: its async contexts if they are followed, else the thread itself. */
export class ThreadTasks implements EventTasks {
  readonly #create: (memory: SharedArrayBuffer) => AsyncTasks;
  readonly #stopped: () => void;
  #tasks: AsyncTasks | undefined;

  /** @param stopped called when the thread itself is the only task again */
  constructor(create: (memory: SharedArrayBuffer) => AsyncTasks, stopped: () => void) {
    this.#create = create;
    this.#stopped = stopped;
  }

  /** The task that runs, when it is an async context. */
  get pid(): number | undefined {
    return this.#tasks?.pid;
  }

  /** The name of an async context; undefined while the thread itself is the task. */
  comm(pid: number): string | undefined {
    return this.#tasks?.comm(pid);
  }

  /** Starts to follow async contexts, whose types go into `memory`, or stops. */
  follow(memory: SharedArrayBuffer | undefined): void {
    if (this.#tasks !== undefined) {
      this.#tasks.stop();
      this.#tasks = undefined;
      this.#stopped();
    }
    if (memory !== undefined) this.#tasks = this.#create(memory);
  }

  setPids(slot: number, lists: TaskPids | undefined): void {
    this.#tasks?.setPids(slot, lists);
  }

  switching(prev: number, next: number): void {
    this.#tasks?.switching(prev, next);
  }

  waking(pid: number): void {
    this.#tasks?.waking(pid);
  }

  end(): void {
    this.#tasks?.end();
  }

  listed(slots: readonly number[]): ListedTasks[] {
    const lists: ListedTasks[] = [];
    for (let i = 0; i < slots.length && this.#tasks !== undefined; i++) {
      lists[i] = { slot: slots[i]!, ...this.#tasks.pids(slots[i]!) };
    }
    return lists;
  }
}
