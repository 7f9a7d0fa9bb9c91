import { moveRing, RingBufferWriter } from '../../ring-buffer/index.js';
import { InstanceSwitch, OFF_MASK, STATE } from '../../ring-buffer/instance-switch.js';
import { DROPPED, WAKE_COUNT } from '../../ring-buffer/layout.js';
import { WRITER } from '../code/arena.js';
import { writerState } from '../code/writer-state.js';
import type { NativeArena } from './native-arena.js';
import type { RingMemoryPages } from './shared-pages.js';

/** A ring that a writer has, and the instance's InstanceSwitch. */
interface HeldRing {
  readonly buffer: SharedArrayBuffer;
  readonly words: SharedArrayBuffer;
}

/** Where a thread's writers of an instance are. Addresses are the process's. */
export interface WritersPlace {
  readonly arena: NativeArena;
  readonly pages: RingMemoryPages;
  /** The writer's number in the instance. */
  readonly cpu: number;
  /** The word that has the address of the writer in use. */
  readonly inUse: number;
  /** Two writers. */
  readonly writers: number;
}

/**
 * What a thread writes to in an instance: the writer in use and that of the snapshot's memory. Only while the thread is not in
 * the midst of an event may anything here be changed.
 */
export class NativeWriters {
  readonly #place: WritersPlace;
  /** By the number of the writer. */
  readonly #rings: (HeldRing | undefined)[] = [undefined, undefined];
  readonly #wakeCounts = [0, 0];
  #lastUsed = 0;
  #counts = false;

  constructor(place: WritersPlace) {
    this.#place = place;
    place.arena.setLong(place.inUse, this.#writer(0));
  }

  /** Whether an event is being written. */
  get isBusy(): boolean {
    return this.#place.arena.long(this.#writer(this.#inUse()) + WRITER.BUSY) !== 0;
  }

  has(buffer: SharedArrayBuffer): boolean {
    return this.#rings.some((ring) => ring?.buffer === buffer);
  }

  /** The thread writes nothing here any more. */
  end(): void {
    const { arena, inUse } = this.#place;
    arena.setLong(inUse, 0);
    for (const which of [0, 1]) arena.setBytes(this.#writer(which), new Uint8Array(WRITER.BYTES));
    this.#rings.fill(undefined);
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

  /** Calls that could not be recorded are counted as dropped here. Returns false if there is no ring. */
  addDropped(calls: number): boolean {
    const which = this.#inUse();
    const ring = this.#rings[which];
    if (ring === undefined) return false;
    const { arena } = this.#place;
    const counter = this.#writer(which) + WRITER.DROPPED;
    const dropped = arena.long(counter) + calls;
    arena.setLong(counter, dropped);
    new Float64Array(ring.buffer)[DROPPED] = dropped;
    return true;
  }

  /** Adds calls that were dropped when the process has ended: nothing can be asked of it. */
  addDroppedAfterwards(calls: number): boolean {
    const ring = this.#rings[this.#lastUsed];
    if (ring === undefined) return false;
    new Float64Array(ring.buffer)[DROPPED]! += calls;
    return true;
  }

  setBuffer(buffer: SharedArrayBuffer, words: SharedArrayBuffer): void {
    this.#attach(this.#inUse(), { buffer, words });
  }

  setSpare(buffer: SharedArrayBuffer | undefined): void {
    const { arena, cpu } = this.#place;
    const used = this.#inUse();
    const other = 1 - used;
    const words = this.#rings[used]?.words;
    if (buffer !== undefined && words !== undefined) this.#attach(other, { buffer, words });
    else this.#rings[other] = undefined;
    arena.setLong(this.#writer(used) + WRITER.SPARE, buffer === undefined ? 0 : this.#writer(other));
    const state = words && new InstanceSwitch(words).followed(cpu);
    if (state !== undefined) arena.setWord(this.#writer(used) + WRITER.STATE, state);
  }

  /** Goes on in the spare memory, if a snapshot was taken that the thread has not followed by itself. */
  takeSnapshot(): void {
    const { arena, cpu, inUse } = this.#place;
    const used = this.#inUse();
    const ring = this.#rings[used];
    if (ring === undefined || this.#rings[1 - used] === undefined) return;
    const instance = new InstanceSwitch(ring.words);
    const before = instance.live(cpu);
    const state = Atomics.load(instance.words, STATE) & ~OFF_MASK;
    instance.follow(cpu, state);
    for (const which of [0, 1]) arena.setWord(this.#writer(which) + WRITER.STATE, state);
    if (instance.live(cpu) === before) return;
    arena.setLong(this.#writer(1 - used) + WRITER.SPARE, this.#writer(used));
    arena.setLong(inUse, this.#writer(1 - used));
  }

  resize(half: number, buffer: SharedArrayBuffer): void {
    const { arena, cpu } = this.#place;
    const used = this.#inUse();
    const words = this.#rings[used]?.words;
    if (words === undefined) return;
    const which = half === new InstanceSwitch(words).live(cpu) ? used : 1 - used;
    const ring = this.#rings[which];
    if (ring === undefined) return;
    moveRing(ring.buffer, buffer);
    const spare = arena.long(this.#writer(which) + WRITER.SPARE);
    this.#attach(which, { buffer, words });
    arena.setLong(this.#writer(which) + WRITER.SPARE, spare);
  }

  /** The times of events are counts of the processor from now on, or nanoseconds; they may be before those of the last events. */
  setCounts(counts: boolean): void {
    this.#counts = counts;
    const { arena } = this.#place;
    for (const [which, ring] of this.#rings.entries()) {
      if (ring === undefined) continue;
      const writer = this.#writer(which);
      const [spare, state] = [arena.long(writer + WRITER.SPARE), arena.word(writer + WRITER.STATE)];
      new RingBufferWriter(ring.buffer).forgetTime();
      this.#attach(which, ring);
      arena.setLong(writer + WRITER.SPARE, spare);
      arena.setWord(writer + WRITER.STATE, state);
      // A full page stays, and has the last event.
      for (const stamp of [WRITER.STAMP, WRITER.COUNT_STAMP]) arena.setLong(writer + stamp, 0);
    }
  }

  #writer(which: number): number {
    return this.#place.writers + which * WRITER.BYTES;
  }

  #inUse(): number {
    this.#lastUsed = this.#place.arena.long(this.#place.inUse) === this.#writer(1) ? 1 : 0;
    return this.#lastUsed;
  }

  #attach(which: number, held: HeldRing): void {
    const { arena, pages, cpu, inUse } = this.#place;
    const { buffer, words } = held;
    const state = writerState({
      memory: buffer,
      ring: pages.addressOf(buffer)!,
      words: pages.addressOf(words)! + STATE * 4,
      state: Atomics.load(new Int32Array(words), STATE) & ~OFF_MASK,
      cpu,
      inUse,
      counts: this.#counts,
    });
    arena.setBytes(this.#writer(which), state);
    this.#rings[which] = held;
  }
}
