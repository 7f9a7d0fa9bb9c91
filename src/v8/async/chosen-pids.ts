import { AsyncResource } from 'node:async_hooks';
import { ReflectApply as apply, FinalizationRegistryPrototypeRegister as register } from '../../base/primordials.js';
import { taskPid } from '../../ftrace/task-pid.js';
import { getPrototypeOf, SafeMap } from '../realm/primordials.js';

/** A context whose pid the program has chosen. */
class Task extends AsyncResource {}

interface Chosen {
  readonly pid: number;
  readonly comm: string;
}

/** The pids of a thread's async contexts: those that the program has chosen, as clone3() does with `set_tid`, and all others. */
export class ChosenPids {
  readonly #byId = new SafeMap<number, Chosen>();
  readonly #collected = new FinalizationRegistry<number>((id) => this.#byId.delete(id));
  /** What the context that is being created will be. */
  #next: Chosen | undefined;

  /** Creates a context that is a task with this pid. */
  create(comm: string, pid: number): AsyncResource {
    this.#next = { pid, comm };
    try {
      const task = new Task(comm);
      const id = task.asyncId();
      this.created(id, task);
      apply(register, this.#collected, [task, id]);
      return task;
    } finally {
      this.#next = undefined;
    }
  }

  /** A context has been created: hooks call it before they ask for its pid. */
  created(id: number, resource: object): void {
    // A hook of the program's can have created another one meanwhile.
    if (this.#next === undefined || getPrototypeOf(resource) !== Task.prototype) return;
    this.#byId.set(id, this.#next);
    this.#next = undefined;
  }

  /** The pid of a context of the thread on this cpu. */
  of(cpu: number, id: number): number {
    return this.#byId.size === 0 ? taskPid(cpu, id) : (this.#byId.get(id)?.pid ?? taskPid(cpu, id));
  }

  /** The name of a context whose pid was chosen; undefined for all others. */
  comm(id: number): string | undefined {
    return this.#byId.size === 0 ? undefined : this.#byId.get(id)?.comm;
  }
}

/** The chosen pids of this thread. */
export const chosenPids = new ChosenPids();
