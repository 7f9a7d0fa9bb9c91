import {
  AtomicsAdd,
  AtomicsLoad,
  AtomicsOr,
  AtomicsStore,
  AtomicsAdd as add,
  AtomicsAnd as and,
  AtomicsNotify as notify,
} from '../base/primordials.js';
import * as at from './layout.js';
import type { RingMemory } from './ring-memory.js';
import type { SharedRing } from './shared-ring.js';

// By the time that a record is written the program may have replaced these.

/** The fill levels, in percent of a ring's pages, that readers wait for. The writer gets the lowest. */
export class Watermarks {
  readonly #percents: number[] = [];

  add(ring: SharedRing, percent: number): void {
    this.#percents.push(percent);
    this.tell(ring);
  }

  remove(ring: SharedRing, percent: number): void {
    this.#percents.splice(this.#percents.indexOf(percent), 1);
    this.tell(ring);
  }

  /** Tells the writer, again after the ring has moved. */
  tell(ring: SharedRing): void {
    const lowest = this.#percents.length === 0 ? 0 : pagesAt(ring, Math.min(...this.#percents));
    AtomicsStore(ring.i32, at.WAKE_PAGES, lowest);
  }
}

const pagesAt = (ring: SharedRing, percent: number): number => Math.max(1, Math.ceil((percent * ring.nrPages) / 100));

/** full_hit() of kernel/trace/ring_buffer.c: the page that the writer is on counts as full. */
export function isFull(ring: SharedRing, percent: number): boolean {
  const { f64 } = ring;
  if (ring.readerPage() === ring.tailPage()) return false;
  return f64[at.PAGES_TOUCHED]! - f64[at.PAGES_LOST]! - f64[at.PAGES_READ]! + 1 >= pagesAt(ring, percent);
}

/** Resolves at the writer's next wake-up, or after the time. */
export function nextWakeUp({ memory, i32 }: SharedRing, timeoutMs: number): Promise<void> {
  return memory.wait(at.WAKE_COUNT, AtomicsLoad(i32, at.WAKE_COUNT), timeoutMs);
}

/** Waits for the next event, and asks the writer to wake the reader then. */
export function nextEvent(ring: SharedRing, timeoutMs: number): Promise<void> {
  const woken = nextWakeUp(ring, timeoutMs);
  AtomicsOr(ring.i32, at.ATTENTION, at.EVENT_AWAITED);
  return woken;
}

/** The event that readers wait for is about to be written: one wake-up, whatever follows. */
export function announceEvent(i32: Int32Array): void {
  and(i32, at.ATTENTION, ~at.EVENT_AWAITED);
  wakeUp(i32);
}

/** Wakes all readers that wait for a ring: the writer's side. */
export function wakeUp(i32: Int32Array): void {
  add(i32, at.WAKE_COUNT, 1);
  notify(i32, at.WAKE_COUNT);
}

/** Wakes readers from the readers' side. */
export function wakeReaders(memory: RingMemory): void {
  AtomicsAdd(memory.i32, at.WAKE_COUNT, 1);
  memory.wake(at.WAKE_COUNT);
}
