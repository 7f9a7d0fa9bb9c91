import { InstanceSwitch } from '../../../ring-buffer/instance-switch.js';
import { MAX_THREADS } from '../../limits.js';
import type { TracedThread, TracedThreads } from '../../port.js';
import { processMaps } from '../process/process-maps.js';
import { threadIds, threadName } from '../process/tasks.js';
import { NativeThread, type ThreadMemory } from './native-thread.js';

/** Cpus that wait for a thread, so that its first calls are recorded. */
const WAITING = 16;
/** How often it is seen which threads have come and gone, in milliseconds. */
const LOOK = 5;
/** Of so many looks one is for threads that have ended. */
const LOOKS_FOR_ENDED = 20;

/** What is told of threads. */
export interface ThreadNews {
  started(thread: TracedThread): void;
  /** All cpus that there are at the start have been told. */
  begun(): void;
  /** A cpu has got a thread. */
  taken(thread: TracedThread): void;
  /** A thread that there was at the start, which may end before it is seen on a cpu. */
  known(tid: number, comm: string): void;
  ended(thread: TracedThread): void;
  /** A command asks for a dump of all buffers, or of those of a cpu. */
  dump(cpu: number | undefined): void;
  /** The process has ended. */
  gone(): void;
}

/** The cpus of a native process: a block of the arena each. */
export class NativeThreads implements TracedThreads {
  readonly #pid: number;
  readonly #memory: ThreadMemory;
  readonly #news: ThreadNews;
  /** By block. */
  readonly #threads: NativeThread[] = [];
  /** The snapshots of each instance, when it was last looked at. */
  readonly #snapshots = new WeakMap<SharedArrayBuffer, number>();
  /** Those whose blocks only one thread after another takes, by itself. */
  readonly #kept = new Set<NativeThread>();
  #timer: NodeJS.Timeout | undefined;
  #looks = 0;
  #unblocked = 0;

  constructor(pid: number, memory: ThreadMemory, news: ThreadNews) {
    this.#pid = pid;
    this.#memory = memory;
    this.#news = news;
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
    this.#add(Math.min(tids.length, MAX_THREADS - WAITING) + WAITING);
    for (const tid of tids) this.#news.known(tid, threadName(this.#pid, tid));
    this.#news.begun();
    this.#timer = setInterval(() => this.look(), LOOK);
  }

  look(): void {
    if (this.#timer === undefined) return;
    try {
      this.#lookForNew();
      for (const thread of this.#threads) thread.wakeReaders();
      this.#tellHeard();
      this.#wakeInstances();
      const dump = this.#memory.arena.takeDump();
      if (dump !== undefined) this.#news.dump(this.#threads.find(({ tid }) => tid !== 0 && tid === dump.tid)?.cpu);
      if (++this.#looks % LOOKS_FOR_ENDED === 0) this.#lookForEnded();
    } catch {
      this.#gone();
    }
  }

  /** Events with triggers, and how many of them were lost. */
  #tellHeard(): void {
    const { heard, told } = this.#memory;
    for (const event of heard.take()) told({ type: 'event', ...event });
    const count = heard.lost();
    if (count > 0) told({ type: 'events lost', count });
  }

  /** Wakes who waits here for snapshots that threads have taken. */
  #wakeInstances(): void {
    for (const memory of this.#memory.instances.words) {
      const instance = new InstanceSwitch(memory);
      const known = this.#snapshots.get(memory);
      const { snapshots } = instance;
      if (known === snapshots) continue;
      this.#snapshots.set(memory, snapshots);
      if (known !== undefined) instance.wake();
    }
  }

  #lookForNew(): void {
    const { arena } = this.#memory;
    const owners = arena.taken();
    const maps = owners.length > 0 ? processMaps(this.#pid) : [];
    for (const { block, tid } of owners) {
      const thread = this.#threads[block]!;
      arena.setStack(block, maps);
      // A thread that has ended already had the name that it was created with, mostly that of its process.
      thread.taken(tid, threadName(this.#pid, tid) || threadName(this.#pid, this.#pid));
      this.#news.taken(thread);
    }
    if (arena.waiting < WAITING) this.#add(WAITING - arena.waiting);
    const { unblocked } = arena;
    const more = unblocked - this.#unblocked;
    this.#unblocked = unblocked;
    if (more > 0) this.#memory.queue.addWork(() => this.#threads.some((thread) => thread.addDropped(more)));
  }

  /** The cpus of threads that have ended wait for others. */
  #lookForEnded(): void {
    const tids = new Set(threadIds(this.#pid));
    if (tids.size === 0) this.#gone();
    if (!this.#memory.canReuse) return;
    for (const [block, thread] of this.#threads.entries()) {
      if (thread.tid === 0 || tids.has(thread.tid) || this.#kept.has(thread)) continue;
      this.#news.ended(thread);
      this.#memory.arena.clear(block);
      this.#begin(block, thread.cpu);
      this.#memory.arena.give(block);
    }
  }

  /** Looks no more. */
  end(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #gone(): void {
    this.end();
    this.#memory.queue.clear();
    this.#news.gone();
  }

  /** Makes cpus for threads to come. */
  #add(count: number): void {
    for (let i = 0; i < count && this.#threads.length < MAX_THREADS; i++) {
      const block = this.#threads.length;
      const { claimCpu = () => block } = this.#memory;
      const cpu = claimCpu();
      if (cpu === undefined) return;
      this.#begin(block, cpu);
      this.#memory.arena.give(block);
    }
  }

  #begin(block: number, cpu: number): NativeThread {
    const thread = new NativeThread(this.#memory, block, cpu, this.#pid);
    this.#threads[block] = thread;
    this.#memory.heard.addCpu(block);
    this.#news.started(thread);
    return thread;
  }

  /** The cpu of a thread that takes its block by itself; undefined: there are no more. */
  add(tid: number, comm: string): NativeThread | undefined {
    const cpu = this.#threads.length < MAX_THREADS ? this.#memory.claimCpu?.() : undefined;
    if (cpu === undefined) return undefined;
    const thread = this.#begin(this.#threads.length, cpu);
    this.#kept.add(thread);
    this.take(thread, tid, comm);
    return thread;
  }

  /** Another thread takes a block of `add` by itself. */
  take(thread: NativeThread, tid: number, comm: string): void {
    thread.taken(tid, comm);
    this.#news.taken(thread);
  }
}
