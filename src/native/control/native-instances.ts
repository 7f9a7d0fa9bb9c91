import { TraceError } from '../../base/errno.js';
import { STATE } from '../../ring-buffer/instance-switch.js';
import { type ArenaLayout, BLOCK, INSTANCE, MOST_INSTANCES } from '../code/arena.js';
import type { RingMemoryPages } from './shared-pages.js';

const TOP = 0;

interface KnownInstance {
  /** The instance's place in each block. */
  readonly slot: number;
  readonly words: SharedArrayBuffer;
}

/** Where the code that runs in the process finds an instance: its place in each thread's block, and its InstanceSwitch. */
export class NativeInstances {
  readonly #layout: ArenaLayout;
  readonly #pages: RingMemoryPages;
  readonly #known = new Map<number, KnownInstance>();
  readonly #top: SharedArrayBuffer;
  #next = 0;

  constructor(layout: ArenaLayout, pages: RingMemoryPages, top: SharedArrayBuffer) {
    this.#layout = layout;
    this.#pages = pages;
    this.#top = top;
  }

  /**
   * An instance has buffers from now on. Returns whether it had none before. @throws TraceError ENOSPC when there are too many
   */
  add(instance: number, words: SharedArrayBuffer): boolean {
    if (instance === TOP || this.#known.has(instance)) return false;
    const taken = new Set(Array.from(this.#known.values(), ({ slot }) => slot));
    // In turn: threads may not have left the place of an instance that was just removed.
    const slot = Array.from({ length: MOST_INSTANCES }, (_, i) => (this.#next + i) % MOST_INSTANCES).find((i) => !taken.has(i));
    if (slot === undefined)
      throw new TraceError('ENOSPC', `more than ${MOST_INSTANCES} instances cannot record in a native process`);
    this.#next = slot + 1;
    this.#known.set(instance, { slot, words });
    return true;
  }

  delete(instance: number): void {
    this.#known.delete(instance);
  }

  has(instance: number): boolean {
    return instance === TOP || this.#known.has(instance);
  }

  /** The word of a block that has the address of the writer in use: its distance from the block's start. */
  inUse(instance: number): number {
    return instance === TOP ? BLOCK.WRITER : this.#at(instance) + INSTANCE.IN_USE;
  }

  /** The address of what is known of repeated calls. */
  repeats(instance: number): number {
    return instance === TOP ? BLOCK.REPEATS : this.#at(instance) + INSTANCE.REPEATS;
  }

  /** The address of the instance's two writers. */
  writers(instance: number): number {
    return instance === TOP ? BLOCK.WRITERS : this.#at(instance) + INSTANCE.WRITERS;
  }

  /** The address of its STATE in the process. */
  state(instance: number): number {
    const words = instance === TOP ? this.#top : this.#known.get(instance)!.words;
    return this.#pages.addressOf(words)! + STATE * 4;
  }

  /** The words of all instances. */
  get words(): readonly SharedArrayBuffer[] {
    return [this.#top, ...Array.from(this.#known.values(), ({ words }) => words)];
  }

  #at(instance: number): number {
    return this.#layout.instances + this.#known.get(instance)!.slot * INSTANCE.BYTES;
  }
}
