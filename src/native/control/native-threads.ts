import { MAX_THREADS } from '../../port/limits.js';
import type { TracedThreads } from '../../port/port.js';
import { InstanceSwitch } from '../../ring-buffer/instance-switch.js';
import { processMaps } from '../process/process-maps.js';
import type { StoppedThread } from '../process/stop.js';
import { threadIds, threadName } from '../process/tasks.js';
import type { BlockOwner } from './native-arena.js';
import { NativeThread, type NativeThreadNeeds } from './native-thread.js';

/** Cpus that wait for a thread, so that its first calls are recorded: at first, and where many threads come at once. */
const WAITING = { FIRST: 32, MOST: 128 } as const;
/** How often it is seen which threads have come and gone, in milliseconds. */
const LOOK = 5;
/** How many looks there are to one that is for threads that have ended. */
const LOOKS_FOR_ENDED = 20;

/** What the threads of a process need. */
export interface ThreadsNeeds extends Omit<NativeThreadNeeds, 'restored'> {
  /** Another thread may have the block of one that has ended: threads look at their ids. */
  readonly canReuse: boolean;
  /** Gives a cpu; undefined: there is none any more. Absent: a block's number is its cpu. */
  readonly claimCpu?: (() => number | undefined) | undefined;
}

/** What ends the tracing of a process. */
export interface TracingEnd {
  /** Called once, when all text is what it was compiled to: with the threads of the stopped process. */
  restored(threads: readonly StoppedThread[]): void;
  /** The process has ended. */
  gone(): void;
}

/** The cpus of a native process: a block of the arena each. */
export class NativeThreads implements TracedThreads {
  readonly #pid: number;
  readonly #needs: ThreadsNeeds;
  readonly #ofThreads: NativeThreadNeeds;
  readonly #end: TracingEnd;
  /** By block. */
  readonly #threads: NativeThread[];
  /** The snapshots of each instance, when it was last looked at. */
  readonly #snapshots = new WeakMap<SharedArrayBuffer, number>();
  /** Threads whose blocks only one thread after another takes, by itself. */
  readonly #kept = new Set<NativeThread>();
  #timer: NodeJS.Timeout | undefined;
  #looks = 0;
  #unblocked = 0;
  /** The thread whose block was given back last. */
  #lastEnded: NativeThread | undefined;
  /** How many cpus are to wait. */
  #wanted: number = WAITING.FIRST;
  #isRestored = false;
  #processName = '';
  /** The threads of which the names are told. */
  readonly #told = new Set<number>();

  /** @param cpus empty yet: all cpus that there are stand in it from now on */
  constructor(pid: number, cpus: NativeThread[], needs: ThreadsNeeds, end: TracingEnd) {
    this.#pid = pid;
    this.#threads = cpus;
    this.#needs = needs;
    this.#ofThreads = { ...needs, restored: (threads) => this.#restored(threads) };
    this.#end = end;
  }

  get living(): readonly NativeThread[] {
    return this.#threads;
  }

  get(cpu: number): NativeThread | undefined {
    return this.#threads.find((thread) => thread.cpu === cpu);
  }

  isThread(tid: number): boolean {
    return this.#threads.some((thread) => thread.tid === tid);
  }

  start(): void {
    const tids = threadIds(this.#pid);
    this.#processName = threadName(this.#pid, this.#pid);
    this.#add(Math.min(tids.length, MAX_THREADS - this.#wanted) + this.#wanted);
    for (const tid of tids) this.#tell(tid, threadName(this.#pid, tid));
    this.#needs.news.listener.announced();
    this.#timer = setInterval(() => this.look(), LOOK);
  }

  look(): void {
    if (this.#timer === undefined) return;
    try {
      this.#lookForNew();
      for (const thread of this.#threads) thread.wakeReaders();
      this.#tellHeard();
      this.#wakeInstances();
      const dump = this.#needs.arena.takeDump();
      if (dump !== undefined) {
        const cpu = this.#threads.find(({ tid }) => tid !== 0 && tid === dump.tid)?.cpu;
        this.#needs.news.told({ type: 'dump', cpu });
      }
      const areFew = this.#needs.arena.waiting < this.#wanted;
      if (++this.#looks % LOOKS_FOR_ENDED === 0 || areFew) this.#lookForEnded();
      this.#add(this.#wanted - this.#needs.arena.waiting);
    } catch {
      this.#gone();
    }
  }

  /** Events with triggers, and how many of them were lost. */
  #tellHeard(): void {
    const { heard, news } = this.#needs;
    for (const event of heard.take()) news.told({ type: 'event', ...event });
    const count = heard.lost();
    if (count > 0) news.told({ type: 'events lost', count });
  }

  /** Wakes who waits here for snapshots that threads have taken. */
  #wakeInstances(): void {
    for (const memory of this.#needs.instances.words) {
      const instance = new InstanceSwitch(memory);
      const known = this.#snapshots.get(memory);
      const { snapshots } = instance;
      if (known === snapshots) continue;
      this.#snapshots.set(memory, snapshots);
      if (known !== undefined) instance.wake();
    }
  }

  #lookForNew(): void {
    const { arena, table, queue } = this.#needs;
    this.#tellNew((tid) => this.#nameOf(tid));
    const owners = [...arena.taken(), ...this.#takenOver()];
    const maps = owners.length > 0 ? processMaps(this.#pid) : [];
    for (const { block, tid } of owners) {
      const thread = this.#threads[block]!;
      arena.setStack(block, maps);
      this.take(thread, tid, this.#nameOf(tid));
    }
    this.#wanted = Math.min(Math.max(this.#wanted, 2 * owners.length), WAITING.MOST);
    const count = (): boolean => this.#countUnblocked((calls) => this.#threads.some((thread) => thread.addDropped(calls)));
    if (table.unblocked !== this.#unblocked) queue.addWork(count);
  }

  /** Tells of a thread, which may end before it is seen on a cpu. */
  #tell(tid: number, comm: string): void {
    this.#told.add(tid);
    this.#needs.news.told({ type: 'task', pid: tid, comm });
  }

  /** Tells of threads that took blocks. A process that runs another program by now has another name: what is known stays. */
  #tellNew(nameOf: (tid: number) => string): void {
    for (const tid of this.#needs.table.newIds()) if (!this.#told.has(tid)) this.#tell(tid, nameOf(tid));
  }

  /** A thread that has ended already had the name that it was created with, mostly that of its process. */
  #nameOf(tid: number): string {
    return threadName(this.#pid, tid) || this.#processName;
  }

  /** Blocks that threads have taken over from others, which had ended. One that has not said its id yet comes later. */
  #takenOver(): readonly BlockOwner[] {
    const { arena, table } = this.#needs;
    return this.#threads.flatMap((thread, block) => {
      const tid = table.owner(block);
      const isOther = thread.tid !== 0 && tid !== 0 && tid !== thread.tid;
      return isOther && arena.tidOf(block) === tid ? [{ block, tid }] : [];
    });
  }

  /** Counts calls of threads that found no block; returns false if they could not be counted. */
  #countUnblocked(addDropped: (calls: number) => boolean): boolean {
    const { unblocked } = this.#needs.table;
    if (unblocked === this.#unblocked) return true;
    if (!addDropped(unblocked - this.#unblocked)) return false;
    this.#unblocked = unblocked;
    return true;
  }

  /** The cpus of threads that have ended wait for others. */
  #lookForEnded(): void {
    const tids = new Set(threadIds(this.#pid));
    if (tids.size === 0) {
      this.#gone();
      return;
    }
    if (!this.#needs.canReuse) return;
    for (const [block, thread] of this.#threads.entries()) {
      if (thread.tid === 0 || tids.has(thread.tid) || this.#kept.has(thread)) continue;
      const owner = this.#needs.table.owner(block);
      if (tids.has(owner) || !this.#needs.table.release(block, owner)) continue;
      this.#needs.news.listener.ended(thread);
      this.#lastEnded = thread;
      this.#needs.arena.clear(block);
      this.#begin(block, thread.cpu);
      this.#give(block);
    }
  }

  #restored(threads: readonly StoppedThread[]): void {
    if (this.#isRestored) return;
    this.#isRestored = true;
    this.#end.restored(threads);
  }

  /** Looks no more. */
  end(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #gone(): void {
    this.end();
    this.#needs.queue.clear();
    this.#lookAfterwards();
    this.#end.gone();
  }

  /** What threads have done between the last look and the end of the process, which nobody can ask any more. */
  #lookAfterwards(): void {
    const { table } = this.#needs;
    this.#tellNew(() => this.#processName);
    for (const [block, thread] of this.#threads.entries()) {
      const tid = table.owner(block);
      if (tid !== 0 && thread.tid === 0) thread.tid = tid;
    }
    // Blocks that were given back after the end of the process have no rings: those of the last thread before count too.
    const counting = this.#lastEnded === undefined ? this.#threads : [...this.#threads, this.#lastEnded];
    this.#countUnblocked((calls) => counting.some((thread) => thread.addDroppedAfterwards(calls)));
  }

  /** Lets a thread take a block, and others after it that have its stack. */
  #give(block: number): void {
    const { arena, table, canReuse } = this.#needs;
    arena.setOwnerWord(block, canReuse ? table.ownerWord(block) : 0);
    arena.give(block);
  }

  /** Makes cpus for threads to come. */
  #add(count: number): void {
    for (let i = 0; i < count && this.#threads.length < MAX_THREADS; i++) {
      const block = this.#threads.length;
      const { claimCpu = () => block } = this.#needs;
      const cpu = claimCpu();
      if (cpu === undefined) return;
      this.#begin(block, cpu);
      this.#give(block);
    }
  }

  #begin(block: number, cpu: number): NativeThread {
    const thread = new NativeThread(this.#ofThreads, block, cpu, this.#pid);
    this.#threads[block] = thread;
    this.#needs.heard.addCpu(block);
    this.#needs.news.listener.started(thread);
    return thread;
  }

  /** The cpu of a thread that takes its block by itself; undefined: there are no more. */
  add(tid: number, comm: string): NativeThread | undefined {
    const cpu = this.#threads.length < MAX_THREADS ? this.#needs.claimCpu?.() : undefined;
    if (cpu === undefined) return undefined;
    const thread = this.#begin(this.#threads.length, cpu);
    this.#kept.add(thread);
    this.take(thread, tid, comm);
    return thread;
  }

  /** Another thread takes a block of `add` by itself. */
  take(thread: NativeThread, tid: number, comm: string): void {
    thread.taken(tid, comm);
    this.#needs.news.told({ type: 'task', pid: tid, comm });
  }
}
