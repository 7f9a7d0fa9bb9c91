import { createHook, executionAsyncId, executionAsyncResource } from 'node:async_hooks';
import { ReflectApply as apply, FinalizationRegistryPrototypeRegister as register } from '../../base/primordials.js';
import type { TaskPids } from '../../port/port.js';
import { TaskTable } from '../../port/task-table.js';
import { chosenPids } from '../async/chosen-pids.js';
import { followedAges } from '../async/context-ages.js';
import { contextType } from '../async/context-type.js';
import { disableHook } from '../async/disable-hook.js';
import type { EventTasks } from '../events/event-tasks.js';
import { slice } from '../realm/primordials.js';
import { TaskLists } from './task-lists.js';

/** Contexts in which one callback runs once, and then never again. */
const ONCE: Readonly<Record<string, true>> = Object.assign(Object.create(null), {
  PROMISE: true,
  TickObject: true,
  Immediate: true,
  Microtask: true,
});
// Taken before the program can replace it: what a hook throws ends the process.
/** The greatest depth of contexts within contexts; deeper ones count as one. */
const MAX_NESTED = 4096;

const NO_TASK = 0;

/** Characters of a task's name (TASK_COMM_LEN). */
const COMM_LENGTH = 15;
/** The name of a task that is not known (any more). */
const UNKNOWN = '<...>';

/** Called when the running task changes: its pid, and the bits of the instances that do not trace it. */
export type SwitchTask = (pid: number, ignored: number) => void;

/**
 * The async contexts of one thread as tasks, while the option async-context is set: only then does Node run async hooks at all.
 * There is no destroy hook, because Node would then watch the end of every promise, which costs more than everything else.
 */
export class AsyncTasks implements EventTasks {
  readonly #cpu: number;
  readonly #table: TaskTable;
  readonly #switchTask: SwitchTask;
  readonly #lists = new TaskLists();
  readonly #types: Record<string, number> = Object.create(null);
  /** By type. */
  readonly #isOnce: boolean[] = [];
  /** By type: as the kernel has names, which it cuts. */
  readonly #comms: string[] = [];
  readonly #ages = followedAges.follow();
  readonly #hook: ReturnType<typeof createHook>;
  /** Removes promises that will never run from the lists. */
  readonly #resolved: ReturnType<typeof createHook>;
  readonly #collected: FinalizationRegistry<number>;
  /** The tasks below the one that runs, innermost last. */
  readonly #below = new Int32Array(MAX_NESTED);
  #depth = 0;
  /** The task that was created last. */
  #last = 0;
  #typeCount = 0;
  #pid: number;
  /** What the lists say of it. */
  #listed = 0;
  /** The task that ran before, and what the lists said of it then: it may have left them. */
  #before = 0;
  #beforeListed = 0;

  constructor(cpu: number, memory: SharedArrayBuffer, switchTask: SwitchTask) {
    this.#cpu = cpu;
    this.#table = new TaskTable(memory);
    this.#switchTask = switchTask;
    this.#collected = new FinalizationRegistry((pid) => this.#lists.ended(pid));
    this.#hook = createHook({
      init: (id, type, trigger, resource) => this.#init(id, type, trigger, resource),
      before: (id) => this.#begin(id),
      after: () => this.#end(),
    });
    this.#resolved = createHook({ promiseResolve: (id) => this.#promiseResolved(id) });
    this.#pid = chosenPids.of(cpu, executionAsyncId());
    this.#hook.enable();
    this.#announce();
  }

  /** The task that runs now. */
  get pid(): number {
    return this.#pid;
  }

  /** The name of a task of this thread. */
  comm(pid: number): string {
    return pid === NO_TASK ? `swapper/${this.#cpu}` : (this.#comms[this.#table.typeOf(pid)] ?? UNKNOWN);
  }

  /** Sets the lists of the instance at `slot`, or takes them away. */
  setPids(slot: number, lists: TaskPids | undefined): void {
    this.#lists.set(slot, lists);
    if (lists?.follow === true) this.#listDescendants();
    if (this.#lists.isFollowing) this.#resolved.enable();
    else disableHook(this.#resolved);
    this.#listed = this.#lists.of(this.#pid);
    this.#announce();
  }

  /** The lists of an instance as they are now. */
  pids(slot: number): { readonly pids: number[]; readonly notrace: number[] } {
    return this.#lists.get(slot);
  }

  // As in the kernel, who goes is the one that records a switch, and who wakes another the one that records that. This hook may
  // have been called first.
  switching(prev: number, next: number): void {
    this.#switchTask(prev, this.#lists.ignoredByBoth(this.#listedAs(prev), this.#listedAs(next)));
  }

  waking(pid: number): void {
    const isSwitched = pid === this.#pid;
    const ignored = this.#lists.ignoredBy(isSwitched ? this.#beforeListed : this.#listed);
    this.#switchTask(isSwitched ? this.#before : this.#pid, ignored & this.#lists.ignoredBy(this.#listedAs(pid)));
  }

  end(): void {
    this.#announce();
  }

  stop(): void {
    disableHook(this.#hook);
    followedAges.unfollow();
    disableHook(this.#resolved);
  }

  /**
   * What a listed task has started so far is listed too. The kernel does not look back, but there a task keeps its number:
   * here each await goes on under another.
   */
  #listDescendants(): void {
    this.#table.visit(this.#last, (pid, creator, trigger, type, hasRun) => {
      const once = this.#isOnce[type] === true;
      if (!once || !hasRun) this.#lists.started(pid, this.#lists.of(creator) | this.#lists.of(trigger), once);
    });
  }

  #init(id: number, type: string, trigger: number, resource: object): void {
    this.#ages.made(id);
    chosenPids.created(id, resource);
    const pid = chosenPids.of(this.#cpu, id);
    // A promise does not belong to the creator of the promise that it waits for: that may be a cache, or another request.
    const cause = type === 'PROMISE' ? this.#pid : chosenPids.of(this.#cpu, trigger);
    this.#table.created(pid, this.#types[type] ?? this.#newType(type), this.#pid, cause);
    if (chosenPids.comm(id) === undefined) this.#last = pid;
    if (!this.#lists.isFollowing) return;
    const once = ONCE[type] === true;
    const causes = cause === this.#pid ? this.#listed : this.#listed | this.#lists.of(cause);
    if (this.#lists.started(pid, causes, once) && !once) apply(register, this.#collected, [resource, pid]);
  }

  #begin(id: number): void {
    if (this.#depth === 0) this.#ages.mark();
    const pid = chosenPids.of(this.#cpu, id);
    if (this.#depth < MAX_NESTED) this.#below[this.#depth] = this.#pid;
    this.#depth++;
    if (!this.#table.running(pid)) this.#remember(pid, chosenPids.comm(id) ?? contextType(executionAsyncResource()));
    this.#run(pid);
  }

  /** A context from before the hook, or one whose place in the table another has taken. */
  #remember(pid: number, type: string): void {
    this.#table.created(pid, this.#types[type] ?? this.#newType(type), 0, 0);
    this.#table.running(pid);
  }

  #end(): void {
    this.#lists.ran(this.#pid, this.#listed);
    // The context in which the hooks were set ends without having begun.
    if (this.#depth === 0) this.#run(NO_TASK);
    else if (--this.#depth < MAX_NESTED) this.#run(this.#below[this.#depth]!);
  }

  #promiseResolved(id: number): void {
    const pid = chosenPids.of(this.#cpu, id);
    if (pid !== this.#pid) this.#lists.ended(pid);
  }

  #run(pid: number): void {
    this.#before = this.#pid;
    this.#beforeListed = this.#listed;
    this.#pid = pid;
    this.#listed = this.#lists.of(pid);
    this.#announce();
  }

  #listedAs(pid: number): number {
    return pid === this.#before ? this.#beforeListed : this.#lists.of(pid);
  }

  #announce(): void {
    this.#switchTask(this.#pid, this.#lists.ignoredBy(this.#listed));
  }

  #newType(type: string): number {
    const at = this.#table.setType(this.#typeCount++, type);
    this.#types[type] = at;
    this.#isOnce[at] = ONCE[type] === true;
    this.#comms[at] = slice(type, 0, COMM_LENGTH);
    return at;
  }
}
