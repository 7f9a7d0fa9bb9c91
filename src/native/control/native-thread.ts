import { asTraceError } from '../../base/errno.js';
import { stackPart } from '../../ftrace/deepest-stack.js';
import type { DiversionChange } from '../../ftrace/tracers/diversions.js';
import type { ProfilerConfig, StackTracerConfig } from '../../ftrace/tracers/services.js';
import type { TracerConfig } from '../../ftrace/tracers/tracer-config.js';
import type { PortCommand, TaskPids, TracedThread } from '../../port/port.js';
import type { PointChange } from '../../probes/probe-point.js';
import { TSC } from '../../ring-buffer/index.js';
import { BLOCK } from '../code/arena.js';
import type { StoppedThread } from '../process/stop.js';
import type { ChangeQueue } from './change-queue.js';
import type { HeardEvents } from './heard-events.js';
import type { NativeArena } from './native-arena.js';
import type { NativeInstances } from './native-instances.js';
import type { NativeLivepatches } from './native-livepatches.js';
import type { NativeProbes } from './native-probes.js';
import type { NativeSites } from './native-sites.js';
import type { NativeTraps } from './native-traps.js';
import { NativeWriters } from './native-writers.js';
import type { NativeCpu, PortNews } from './port-news.js';
import type { RingMemoryPages } from './shared-pages.js';
import type { ThreadTable } from './thread-table.js';

/** What a thread is told by: memory that it has, and how it is changed. */
export interface NativeThreadNeeds {
  readonly arena: NativeArena;
  readonly table: ThreadTable;
  readonly pages: RingMemoryPages;
  readonly queue: ChangeQueue;
  readonly sites: NativeSites;
  readonly instances: NativeInstances;
  readonly probes: NativeProbes;
  readonly traps: NativeTraps;
  readonly livepatches: NativeLivepatches;
  readonly heard: HeardEvents;
  readonly news: PortNews;
  /** Called when all text is what it was compiled to: with the threads of the stopped process. */
  readonly restored: (threads: readonly StoppedThread[]) => void;
}

const TOP = 0;
/** The id of no thread, as that of the kernel's idle task: no thread has this id. */
const NO_THREAD = 0;

type Command<Type extends PortCommand['type']> = Extract<PortCommand, { type: Type }>;
type Handlers = { readonly [Type in PortCommand['type']]?: (thread: NativeThread, command: Command<Type>) => void };

const HANDLERS: Handlers = {
  buffer: (thread, command) => thread.setBuffer(command),
  spare: (thread, { instance, buffer }) => thread.change(instance, (writers) => writers.setSpare(buffer)),
  clock: (thread, { instance, clock }) => thread.change(instance, (writers) => writers.setCounts(clock === TSC)),
  snapshot: (thread, { instance }) => thread.change(instance, (writers) => writers.takeSnapshot()),
  resize: (thread, { instance, half, buffer }) => thread.change(instance, (writers) => writers.resize(half, buffer)),
  removeInstance: (thread, { instance }) => thread.removeInstance(instance),
  detach: (thread) => thread.detach(),
  event: (thread, command) => thread.setEvent(command),
  places: (thread, command) => thread.tellPlaces(command),
  tracer: (thread, { config }) => thread.setTracer(config),
  instanceTracer: (thread, { instance, ops, config }) => thread.sites.setInstanceTracer(ops, instance, config),
  service: (thread, command) => thread.setService(command),
  taskPids: (thread, { slot, lists }) => thread.setPids(slot, lists),
};

/**
 * A cpu of a native process: a block of the arena with its rings. No thread has it at first: the next one that calls a patched
 * function takes it, and keeps it until it ends.
 */
export class NativeThread implements NativeCpu {
  readonly cpu: number;
  /** The address of the thread's block in the arena. */
  readonly block: number;
  /** 0, as that of the kernel's idle task: no thread has the block yet. */
  tid = 0;
  comm = '<idle>';
  readonly parent: number;
  script: TracedThread | undefined;
  readonly #needs: NativeThreadNeeds;
  /** By the number of the instance. */
  readonly #writers = new Map<number, NativeWriters>();
  /** The lists of tasks, by the bit that a tracer's configuration names them by. */
  readonly #pids = new Map<number, TaskPids>();
  #ignoredBit = 0;

  constructor(needs: NativeThreadNeeds, block: number, cpu: number, parent: number) {
    this.#needs = needs;
    this.block = block;
    this.cpu = cpu;
    this.parent = parent;
    this.#writersOf(TOP);
  }

  get sites(): NativeSites {
    return this.#needs.sites;
  }

  get isBehind(): boolean {
    return !this.#needs.queue.isEmpty;
  }

  post(command: PortCommand): void {
    try {
      HANDLERS[command.type]?.(this, command as never);
    } catch (error) {
      // What has ended obeys by that.
      if (asTraceError(error).errno !== 'ESRCH') throw error;
    }
  }

  send(command: PortCommand): Promise<void> {
    this.post(command);
    return this.settled().then(() => {});
  }

  async settled(): Promise<string | undefined> {
    this.#needs.probes.settle();
    await this.#needs.queue.flushed();
    this.#needs.traps.settle();
    return undefined;
  }

  detach(): void {
    this.#needs.livepatches.restore();
    this.#needs.probes.restore();
    this.sites.restore(this.#needs.restored);
  }

  setService({ kind, config }: Command<'service'>): void {
    if (kind === 'stack') this.#setDeepest(config as StackTracerConfig | undefined);
    const { probes, livepatches } = this.#needs;
    if (kind === 'profiler') this.#setProfile(config as ProfilerConfig | undefined);
    if (kind !== 'kprobe' && kind !== 'ipmodify') this.sites.setService(kind, config);
    else if (config === undefined) return;
    else if (kind === 'kprobe') probes.change(config as PointChange);
    else livepatches.change(this, config as DiversionChange);
  }

  #setDeepest(config: StackTracerConfig | undefined): void {
    const { arena, pages } = this.#needs;
    const address = config === undefined ? 0 : (pages.addressOf(config.memory) ?? 0);
    const block = arena.block(this.block);
    if (address !== 0) arena.setLong(block + BLOCK.DEEPEST_PART, address + stackPart(config!.cpu) * 4);
    arena.setLong(block + BLOCK.DEEPEST, address);
  }

  /** Where the thread counts; what it is in the midst of counting still goes to the memory before. */
  #setProfile(config: ProfilerConfig | undefined): void {
    const { arena, pages } = this.#needs;
    arena.setLong(arena.block(this.block) + BLOCK.PROFILE, config === undefined ? 0 : (pages.addressOf(config.memory) ?? 0));
  }

  setEvent(command: Command<'event'>): void {
    const { arena, probes } = this.#needs;
    // What set_event_pid says is the same for all events of an instance.
    if (command.config !== undefined) {
      const { isIgnored, ignoresUnknown } = command.config;
      arena.setWord(arena.block(this.block) + BLOCK.EVENTS_IGNORED, isIgnored === true ? 1 : 0);
      arena.setWord(arena.block(this.block) + BLOCK.NEW_EVENTS_IGNORED, ignoresUnknown === true ? 1 : 0);
    }
    probes.setEvent(command);
  }

  tellPlaces({ call, probed, ranges }: Command<'places'>): void {
    this.#needs.news.told({ type: 'places', call, places: this.#needs.probes.placesIn(probed.n, ranges) });
  }

  /** A thread has taken the block. */
  taken(tid: number, comm: string): void {
    this.tid = tid;
    this.comm = comm;
    this.#ignore();
  }

  /** Wakes who waits for its rings in this process. */
  wakeReaders(): void {
    for (const writers of this.#writers.values()) writers.wakeReaders();
  }

  /** Calls that could not be recorded are counted as dropped here. Returns false if that is not the moment. */
  addDropped(calls: number): boolean {
    const writers = this.#writersOf(TOP);
    return !writers.isBusy && writers.addDropped(calls);
  }

  /** Adds calls that were dropped when the process has ended: no thread writes any more. Returns false if there is no ring. */
  addDroppedAfterwards(calls: number): boolean {
    return this.#writersOf(TOP).addDroppedAfterwards(calls);
  }

  setTracer(config: TracerConfig): void {
    this.#ignoredBit = config.ignoredBit;
    this.#ignore();
    this.sites.setTracer(config);
  }

  setPids(slot: number, lists: TaskPids | undefined): void {
    if (lists === undefined) this.#pids.delete(1 << slot);
    else this.#pids.set(1 << slot, lists);
    this.#ignore();
  }

  setBuffer({ instance, buffer, words }: Command<'buffer'>): void {
    const isNew = this.#needs.instances.add(instance, words);
    const writers = this.#writersOf(instance);
    if (!writers.has(buffer)) this.change(instance, () => writers.setBuffer(buffer, words));
    if (isNew) this.sites.instanceAdded();
  }

  removeInstance(instance: number): void {
    const writers = this.#writers.get(instance);
    this.sites.removeInstance(instance);
    if (writers === undefined) return;
    this.change(instance, () => writers.end());
    this.#writers.delete(instance);
    this.#needs.instances.delete(instance);
  }

  /** Does something with the writers of an instance when the thread is not in the midst of an event. */
  change(instance: number, run: (writers: NativeWriters) => void): void {
    const writers = this.#writers.get(instance);
    if (writers === undefined) return;
    if (this.tid === 0) {
      run(writers);
      return;
    }
    this.#needs.queue.addWork(() => {
      if (writers.isBusy) return false;
      run(writers);
      return true;
    });
  }

  /** Says whether the lists of tasks leave the thread out. */
  #ignore(): void {
    const { arena } = this.#needs;
    const block = arena.block(this.block);
    const ignored = this.#ignoring(this.tid);
    arena.setWord(block + BLOCK.IGNORED, (ignored & this.#ignoredBit) === 0 ? 0 : 1);
    arena.setWord(block + BLOCK.IGNORED_LISTS, ignored >>> 0);
    const unknown = this.#ignoring(NO_THREAD);
    arena.setWord(block + BLOCK.NEW_IGNORED, (unknown & this.#ignoredBit) === 0 ? 0 : 1);
    arena.setWord(block + BLOCK.NEW_IGNORED_LISTS, unknown >>> 0);
  }

  /** The bits of the lists that leave a thread out. */
  #ignoring(tid: number): number {
    let ignored = 0;
    for (const [bit, { pids, notrace }] of this.#pids) {
      if (pids?.includes(tid) === false || notrace?.includes(tid) === true) ignored |= bit;
    }
    return ignored;
  }

  #writersOf(instance: number): NativeWriters {
    let writers = this.#writers.get(instance);
    if (writers === undefined) {
      const { arena, pages, instances } = this.#needs;
      const block = arena.block(this.block);
      const place = { inUse: block + instances.inUse(instance), writers: block + instances.writers(instance) };
      writers = new NativeWriters({ arena, pages, cpu: this.cpu, ...place });
      this.#writers.set(instance, writers);
    }
    return writers;
  }
}
