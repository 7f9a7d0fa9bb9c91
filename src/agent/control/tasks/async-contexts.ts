import type { ListedTasks, TaskPids, TracedThread } from '../../../arch/port.js';
import { TaskTable } from '../../../arch/task-table.js';
import { TraceError } from '../../../base/errno.js';
import { cpuOfTask } from '../../../core/task-pid.js';

/** Instances that can have pid lists of async contexts at the same time. */
const SLOTS = 15;

interface Lists {
  readonly slot: number;
  pids: TaskPids;
}

/** The async contexts of all threads, while they are the tasks of the trace (option async-context). */
export class AsyncContexts {
  /** By cpu; those of threads that ended stay, as their records do. */
  readonly #tables = new Map<number, TaskTable>();
  readonly #threads = new Set<TracedThread>();
  readonly #instances = new Map<number, Lists>();
  #isOn = false;

  get isOn(): boolean {
    return this.#isOn;
  }

  setOn(on: boolean): void {
    if (on === this.#isOn) return;
    this.#isOn = on;
    if (!on) this.#instances.clear();
    for (const thread of this.#threads) this.#follow(thread);
  }

  addThread(thread: TracedThread): void {
    this.#threads.add(thread);
    if (this.#isOn) this.#follow(thread);
    for (const { slot, pids } of this.#instances.values()) thread.post({ type: 'taskPids', slot, lists: pids });
  }

  removeThread(thread: TracedThread): void {
    this.#threads.delete(thread);
  }

  /**
   * Sets the lists of an instance, or takes them away.
   * @returns the bit by which its tracer learns whether the task that runs is traced, 0 when all are
   * @throws TraceError ENOSPC when too many instances have lists
   */
  setPids(instance: number, lists: TaskPids | undefined): number {
    const known = this.#instances.get(instance);
    if (lists === undefined) {
      this.#instances.delete(instance);
      if (known !== undefined) this.#post(known.slot, undefined);
      return 0;
    }
    const slot = known?.slot ?? this.#freeSlot();
    this.#instances.set(instance, { slot, pids: lists });
    this.#post(slot, lists);
    return 1 << slot;
  }

  /** Asks every thread for its lists; they have answered when they have obeyed. */
  ask(): void {
    const slots = [...this.#instances.values()].filter(({ pids }) => pids.follow).map(({ slot }) => slot);
    if (slots.length === 0) return;
    for (const thread of this.#threads) thread.post({ type: 'askTasks', slots });
  }

  /** A thread has sent its lists, as its own tasks have changed them. Returns the new lists by instance. */
  told({ cpu }: TracedThread, lists: readonly ListedTasks[]): readonly (readonly [instance: number, lists: TaskPids])[] {
    const isOther = (pid: number): boolean => cpuOfTask(pid) !== cpu;
    const merged = (before: readonly number[] | undefined, now: readonly number[]): readonly number[] | undefined =>
      before && [...before.filter(isOther), ...now.filter((pid) => !isOther(pid))];
    return lists.flatMap(({ slot, pids, notrace }) => {
      const found = [...this.#instances].find(([, one]) => one.slot === slot);
      if (found === undefined) return [];
      const [instance, one] = found;
      one.pids = { ...one.pids, pids: merged(one.pids.pids, pids), notrace: merged(one.pids.notrace, notrace) };
      return [[instance, one.pids] as const];
    });
  }

  /** The type of a task's context; undefined if it is not a context, or its name is no longer kept. */
  comm(pid: number): string | undefined {
    for (const table of this.#tables.values()) {
      const comm = table.comm(pid);
      if (comm !== undefined) return comm;
    }
    return undefined;
  }

  /** The contexts that ran, with their types. */
  *comms(): Generator<readonly [pid: number, comm: string]> {
    for (const table of this.#tables.values()) yield* table.ran();
  }

  #follow(thread: TracedThread): void {
    if (!this.#isOn) {
      thread.post({ type: 'tasks' });
      return;
    }
    const table = new TaskTable();
    this.#tables.set(thread.cpu, table);
    thread.post({ type: 'tasks', memory: table.memory });
  }

  #post(slot: number, lists: TaskPids | undefined): void {
    for (const thread of this.#threads) thread.post({ type: 'taskPids', slot, ...(lists && { lists }) });
  }

  #freeSlot(): number {
    const used = new Set([...this.#instances.values()].map(({ slot }) => slot));
    for (let slot = 0; slot < SLOTS; slot++) if (!used.has(slot)) return slot;
    throw new TraceError('ENOSPC', `${SLOTS} instances already have pid lists of async contexts`);
  }
}
