import type { ListedTasks, TaskPids } from '../../port.js';
import type { EventTasks } from '../events/event-tasks.js';
import { AsyncTasks } from './async-tasks.js';

/** The tasks of one thread: its async contexts if they are followed, else the thread itself. */
export class ThreadTasks implements EventTasks {
  readonly #cpu: number;
  readonly #switchTask: (pid: number | undefined, ignored: number) => void;
  #tasks: AsyncTasks | undefined;

  /** @param switchTask called with the running task; undefined: the thread itself */
  constructor(cpu: number, switchTask: (pid: number | undefined, ignored: number) => void) {
    this.#cpu = cpu;
    this.#switchTask = switchTask;
  }

  /** The task that runs, when it is an async context. */
  get pid(): number | undefined {
    return this.#tasks?.pid;
  }

  /** Starts to follow async contexts, whose types go into `memory`, or stops. */
  follow(memory: SharedArrayBuffer | undefined): void {
    if (this.#tasks !== undefined) {
      this.#tasks.stop();
      this.#tasks = undefined;
      this.#switchTask(undefined, 0);
    }
    if (memory !== undefined) this.#tasks = new AsyncTasks(this.#cpu, memory, this.#switchTask);
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
