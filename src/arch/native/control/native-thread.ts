import { asTraceError } from '../../../base/errno.js';
import type { PointChange } from '../../../probes/probe-point.js';
import { moveRing } from '../../../ring-buffer/index.js';
import { InstanceSwitch, OFF_MASK, STATE } from '../../../ring-buffer/instance-switch.js';
import { DROPPED, WAKE_COUNT } from '../../../ring-buffer/layout.js';
import type { TracerConfig } from '../../../tracers/tracer-config.js';
import type { PortCommand, PortEvent, TaskPids, TracedThread } from '../../port.js';
import { BLOCK, WRITER } from '../code/arena.js';
import { writerState } from '../code/writer-state.js';
import type { ChangeQueue } from './change-queue.js';
import type { HeardEvents } from './heard-events.js';
import type { NativeArena } from './native-arena.js';
import type { NativeProbes } from './native-probes.js';
import type { NativeSites } from './native-sites.js';
import type { SharedPages } from './shared-pages.js';

/** What a thread is told by: memory that it has, and how it is changed. */
export interface ThreadMemory {
  readonly arena: NativeArena;
  readonly pages: SharedPages;
  readonly queue: ChangeQueue;
  readonly sites: NativeSites;
  readonly probes: NativeProbes;
  readonly heard: HeardEvents;
  /** Tells what a thread answers. */
  readonly told: (event: PortEvent) => void;
  /** Another thread may have the block of one that has ended: threads look at their ids. */
  readonly canReuse: boolean;
}

const TOP = 0;

type Command<Type extends PortCommand['type']> = Extract<PortCommand, { type: Type }>;
type Handlers = { readonly [Type in PortCommand['type']]?: (thread: NativeThread, command: Command<Type>) => void };

const HANDLERS: Handlers = {
  buffer: (thread, command) => thread.setBuffer(command),
  spare: (thread, command) => thread.setSpare(command),
  snapshot: (thread) => thread.takeSnapshot(),
  resize: (thread, command) => thread.resize(command),
  detach: (thread) => thread.detach(),
  event: (thread, command) => thread.setEvent(command),
  places: (thread, command) => thread.tellPlaces(command),
  service: (thread, command) => thread.setService(command),
  tracer: (thread, { config }) => thread.setTracer(config),
  taskPids: (thread, { slot, lists }) => thread.setPids(slot, lists),
};

/** One of a block's two writers: the memory that it has. */
interface HeldRing {
  readonly buffer: SharedArrayBuffer;
  readonly words: SharedArrayBuffer;
}

/**
 * A cpu of a native process: a block of the arena with its rings. No thread has it at first: the next one that calls a patched function
 * takes it, and keeps it until it ends.
 */
export class NativeThread implements TracedThread {
  readonly cpu: number;
  /** 0, as that of the kernel's idle task: no thread has the block yet. */
  tid = 0;
  comm = '<idle>';
  readonly parent: number;
  readonly #memory: ThreadMemory;
  /** By the number of the writer. */
  readonly #rings: (HeldRing | undefined)[] = [undefined, undefined];
  readonly #wakeCounts = [0, 0];
  /** The lists of tasks, by the bit that a tracer's configuration names them by. */
  readonly #pids = new Map<number, TaskPids>();
  #ignoredBit = 0;

  constructor(memory: ThreadMemory, cpu: number, parent: number) {
    this.#memory = memory;
    this.cpu = cpu;
    this.parent = parent;
    const { arena } = memory;
    arena.setLong(arena.block(cpu) + BLOCK.WRITER, arena.writer(cpu, 0));
  }

  get sites(): NativeSites {
    return this.#memory.sites;
  }

  get isBehind(): boolean {
    return !this.#memory.queue.isEmpty;
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
    this.#memory.probes.settle();
    this.#memory.queue.flush();
    return undefined;
  }

  detach(): void {
    this.#memory.probes.restore();
    this.sites.restore();
  }

  setService({ kind, config }: Command<'service'>): void {
    if (kind === 'kprobe' && config !== undefined) this.#memory.probes.change(config as PointChange);
  }

  setEvent(command: Command<'event'>): void {
    const { arena, probes } = this.#memory;
    // What set_event_pid says is the same for all events of an instance.
    if (command.config !== undefined) {
      arena.setWord(arena.block(this.cpu) + BLOCK.EVENTS_IGNORED, command.config.isIgnored === true ? 1 : 0);
    }
    probes.setEvent(command);
  }

  tellPlaces({ call, probed, ranges }: Command<'places'>): void {
    this.#memory.told({ type: 'places', call, places: this.#memory.probes.placesIn(probed.n, ranges) });
  }

  /** A thread has taken the block. */
  taken(tid: number, comm: string): void {
    this.tid = tid;
    this.comm = comm;
    this.#ignore();
  }

  /** Wakes who waits for its rings in this process: the other process counts wake-ups, but cannot wake anybody here. */
  wakeReaders(): void {
    for (const [which, ring] of this.#rings.entries()) {
      if (ring === undefined) continue;
      const words = new Int32Array(ring.buffer, 0, WAKE_COUNT + 1);
      const count = Atomics.load(words, WAKE_COUNT);
      if (count !== this.#wakeCounts[which]) Atomics.notify(words, WAKE_COUNT);
      this.#wakeCounts[which] = count;
    }
  }

  /** Calls that could not be recorded are counted as dropped here. Returns false if that is not the moment. */
  addDropped(calls: number): boolean {
    const which = this.#inUse();
    const ring = this.#rings[which];
    if (ring === undefined || this.#isBusy()) return false;
    const { arena } = this.#memory;
    const counter = arena.writer(this.cpu, which) + WRITER.DROPPED;
    const dropped = arena.long(counter) + calls;
    arena.setLong(counter, dropped);
    new Float64Array(ring.buffer)[DROPPED] = dropped;
    return true;
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
    if (instance !== TOP || this.#rings.some((ring) => ring?.buffer === buffer)) return;
    this.#quietly(() => this.#attach(this.#inUse(), { buffer, words }));
  }

  setSpare({ instance, buffer }: Command<'spare'>): void {
    if (instance !== TOP) return;
    this.#quietly(() => {
      const { arena } = this.#memory;
      const used = this.#inUse();
      const other = 1 - used;
      const words = this.#rings[used]?.words;
      if (buffer !== undefined && words !== undefined) this.#attach(other, { buffer, words });
      else this.#rings[other] = undefined;
      const spare = buffer === undefined ? 0 : arena.writer(this.cpu, other);
      arena.setLong(arena.writer(this.cpu, used) + WRITER.SPARE, spare);
      const state = words && new InstanceSwitch(words).followed(this.cpu);
      if (state !== undefined) arena.setWord(arena.writer(this.cpu, used) + WRITER.STATE, state);
    });
  }

  /** Goes on in the spare memory, if a snapshot was taken that the thread has not followed by itself. */
  takeSnapshot(): void {
    this.#quietly(() => {
      const { arena } = this.#memory;
      const used = this.#inUse();
      const ring = this.#rings[used];
      if (ring === undefined || this.#rings[1 - used] === undefined) return;
      const instance = new InstanceSwitch(ring.words);
      const before = instance.live(this.cpu);
      const state = Atomics.load(instance.words, STATE) & ~OFF_MASK;
      instance.follow(this.cpu, state);
      for (const which of [0, 1]) arena.setWord(arena.writer(this.cpu, which) + WRITER.STATE, state);
      if (instance.live(this.cpu) === before) return;
      arena.setLong(arena.writer(this.cpu, 1 - used) + WRITER.SPARE, arena.writer(this.cpu, used));
      arena.setLong(arena.block(this.cpu) + BLOCK.WRITER, arena.writer(this.cpu, 1 - used));
    });
  }

  resize({ instance, half, buffer }: Command<'resize'>): void {
    if (instance !== TOP) return;
    this.#quietly(() => {
      const used = this.#inUse();
      const words = this.#rings[used]?.words;
      if (words === undefined) return;
      const which = half === new InstanceSwitch(words).live(this.cpu) ? used : 1 - used;
      const ring = this.#rings[which];
      if (ring === undefined) return;
      moveRing(ring.buffer, buffer);
      const { arena } = this.#memory;
      const spare = arena.long(arena.writer(this.cpu, which) + WRITER.SPARE);
      this.#attach(which, { buffer, words });
      arena.setLong(arena.writer(this.cpu, which) + WRITER.SPARE, spare);
    });
  }

  /** Does something with the writers when the thread is not in the midst of an event. */
  #quietly(run: () => void): void {
    if (this.tid === 0) {
      run();
      return;
    }
    this.#memory.queue.addWork(() => {
      if (this.#isBusy()) return false;
      run();
      return true;
    });
  }

  /** Says whether set_ftrace_pid or set_ftrace_notrace_pid leaves the thread out. */
  #ignore(): void {
    const lists = this.#pids.get(this.#ignoredBit);
    const isIgnored = lists?.pids?.includes(this.tid) === false || lists?.notrace?.includes(this.tid) === true;
    const { arena } = this.#memory;
    arena.setWord(arena.block(this.cpu) + BLOCK.IGNORED, isIgnored ? 1 : 0);
  }

  #isBusy(): boolean {
    const { arena } = this.#memory;
    return arena.long(arena.writer(this.cpu, this.#inUse()) + WRITER.BUSY) !== 0;
  }

  #inUse(): number {
    const { arena } = this.#memory;
    return arena.long(arena.block(this.cpu) + BLOCK.WRITER) === arena.writer(this.cpu, 1) ? 1 : 0;
  }

  #attach(which: number, held: HeldRing): void {
    const { arena, pages } = this.#memory;
    const { buffer, words } = held;
    const state = writerState({
      memory: buffer,
      ring: pages.addressOf(buffer)!,
      words: pages.addressOf(words)! + STATE * 4,
      state: Atomics.load(new Int32Array(words), STATE) & ~OFF_MASK,
      cpu: this.cpu,
      inUse: arena.block(this.cpu) + BLOCK.WRITER,
    });
    arena.setBytes(arena.writer(this.cpu, which), state);
    this.#rings[which] = held;
  }
}
