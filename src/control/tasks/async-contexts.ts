import { TraceError } from '../../base/errno.js';
import { cpuOfTask } from '../../ftrace/task-pid.js';
import type { ListedTasks, TaskPids, TracedThread } from '../../port/port.js';
import { TaskTable } from '../../port/task-table.js';

/**
 * Instances that can have pid lists of async contexts at the same time; one that has them for functions and events counts twice.
 */
const SLOTS = 15;

/** What the lists are of: set_ftrace_pid and set_ftrace_notrace_pid, or set_event_pid and set_event_notrace_pid. */
export type Listed = 'functions' | 'events';

interface Lists {
  readonly instance: number;
  readonly listed: Listed;
  readonly slot: number;
  pids: TaskPids;
}

/** The async contexts of all threads, while they are the tasks of the trace (option async-context). */
export class AsyncContexts {
  /** By cpu; those of threads that ended stay, as their records do. */
  readonly #tables = new Map<number, TaskTable>();
  readonly #threads = new Set<TracedThread>();
  readonly #lists = new Map<string, Lists>();
  #isOn = false;

  get isOn(): boolean {
    return this.#isOn;
  }

  setOn(on: boolean): void {
    if (on === this.#isOn) return;
    this.#isOn = on;
    if (!on) this.#lists.clear();
    for (const thread of this.#threads) this.#follow(thread);
  }

  addThread(thread: TracedThread): void {
    this.#threads.add(thread);
    if (this.#isOn) this.#follow(thread);
    for (const { slot, pids } of this.#lists.values()) thread.post({ type: 'taskPids', slot, lists: pids });
  }

  removeThread(thread: TracedThread): void {
    this.#threads.delete(thread);
  }

  /**
   * Sets the lists of an instance, or takes them away.
   * @returns the bit by which its tracer, or its events, learn whether the task that runs is traced, 0 when all are
   * @throws TraceError ENOSPC when too many instances have lists
   */
  setPids(instance: number, listed: Listed, lists: TaskPids | undefined): number {
    const key = `${listed} ${instance}`;
    const known = this.#lists.get(key);
    if (lists === undefined) {
      this.#lists.delete(key);
      if (known !== undefined) this.#post(known.slot, undefined);
      return 0;
    }
    const slot = known?.slot ?? this.#freeSlot();
    this.#lists.set(key, { instance, listed, slot, pids: lists });
    this.#post(slot, lists);
    return 1 << slot;
  }

  /** Asks every thread for its lists; they have answered when they have obeyed. */
  ask(): void {
    const slots = [...this.#lists.values()].filter(({ pids }) => pids.follow).map(({ slot }) => slot);
    if (slots.length === 0) return;
    for (const thread of this.#threads) thread.post({ type: 'askTasks', slots });
  }

  /** A thread has sent its lists, as its own tasks have changed them. Returns the new lists by instance. */
  told({ cpu }: TracedThread, lists: readonly ListedTasks[]): readonly Omit<Lists, 'slot'>[] {
    const isOther = (pid: number): boolean => cpuOfTask(pid) !== cpu;
    const merged = (before: readonly number[] | undefined, now: readonly number[]): readonly number[] | undefined =>
      before && [...before.filter(isOther), ...now.filter((pid) => !isOther(pid))];
    return lists.flatMap(({ slot, pids, notrace }) => {
      const one = [...this.#lists.values()].find((each) => each.slot === slot);
      if (one === undefined) return [];
      one.pids = { ...one.pids, pids: merged(one.pids.pids, pids), notrace: merged(one.pids.notrace, notrace) };
      return [{ instance: one.instance, listed: one.listed, pids: one.pids }];
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
    const used = new Set([...this.#lists.values()].map(({ slot }) => slot));
    for (let slot = 0; slot < SLOTS; slot++) if (!used.has(slot)) return slot;
    throw new TraceError('ENOSPC', `there are already ${SLOTS} pid lists of async contexts`);
  }
}
