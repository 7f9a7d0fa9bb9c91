import { IntMap } from '../../base/int-map.js';
import type { TaskPids } from '../../port/port.js';

/** The most tasks that are listed at the same time; further ones are not added. */
const MAX_LISTED = 65536;
/** The task runs only once: it is removed from the lists afterwards. */
const ONCE = 1 << 15;
const NOTRACE_SHIFT = 16;
const PIDS_MASK = ONCE - 1;

/**
 * The pid lists of up to 15 instances, as one thread keeps them while async contexts are its tasks: for each listed task the
 * instances that list it, as bits.
 */
export class TaskLists {
  readonly #listed = new IntMap();
  /** Bits of the instances that trace listed tasks only. */
  #asking = 0;
  /** Bits, of both lists, of the instances with function-fork. */
  #following = 0;

  /** Sets the lists of the instance at `slot`, or takes them away. */
  set(slot: number, lists: TaskPids | undefined): void {
    const bit = 1 << slot;
    const both = bit | (bit << NOTRACE_SHIFT);
    this.#listed.clearBits(both);
    this.#asking &= ~bit;
    this.#following &= ~both;
    if (lists === undefined) return;
    if (lists.pids !== undefined) this.#asking |= bit;
    if (lists.follow) this.#following |= both;
    this.#add(lists.pids, bit);
    this.#add(lists.notrace, bit << NOTRACE_SHIFT);
  }

  get isFollowing(): boolean {
    return this.#following !== 0;
  }

  /** What the lists say of a task, for `ignoredBy` and `started`. */
  of(pid: number): number {
    return this.#listed.get(pid);
  }

  /** Bits of the instances that do not trace a task of which the lists say `listed`. */
  ignoredBy(listed: number): number {
    return ((this.#asking & ~listed) | (listed >>> NOTRACE_SHIFT)) & PIDS_MASK;
  }

  /** Which instances ignore a switch between two tasks: it is traced for either of them. */
  ignoredByBoth(prev: number, next: number): number {
    return ((this.#asking & ~(prev | next)) | ((prev & next) >>> NOTRACE_SHIFT)) & PIDS_MASK;
  }

  /**
   * A task was started.
   * @param causes what the lists say of the tasks that caused it, ORed
   * @param once it runs only once
   * @returns whether it is listed now
   */
  started(pid: number, causes: number, once: boolean): boolean {
    const inherited = causes & this.#following;
    if (inherited === 0 || this.#listed.size >= MAX_LISTED) return false;
    this.#listed.set(pid, this.#listed.get(pid) | inherited | (once ? ONCE : 0));
    return true;
  }

  /** A task ran; if it runs only once, it has ended. */
  ran(pid: number, listed: number): void {
    if ((listed & ONCE) !== 0) this.ended(pid);
  }

  /** A task has ended. */
  ended(pid: number): void {
    const listed = this.#listed.get(pid);
    if (listed !== 0) this.#listed.set(pid, this.#left(listed));
  }

  /** The tasks in the lists of the instance at `slot`. */
  get(slot: number): { readonly pids: number[]; readonly notrace: number[] } {
    const bit = 1 << slot;
    return { pids: this.#listed.keysWith(bit), notrace: this.#listed.keysWith(bit << NOTRACE_SHIFT) };
  }

  #left(listed: number): number {
    const left = listed & ~this.#following;
    return left === ONCE ? 0 : left;
  }

  #add(pids: readonly number[] | undefined, bits: number): void {
    if (pids === undefined) return;
    for (let i = 0; i < pids.length; i++) this.#listed.set(pids[i]!, this.#listed.get(pids[i]!) | bits);
  }
}
