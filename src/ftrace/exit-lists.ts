/** The number of an exit list stands in a frame's `wants` from this bit on; below are the bits of ops that keep their ids. */
const LIST_SHIFT = 8;
/** The bits of `wants` that belong to no list. */
export const KEPT_WANTS = (1 << LIST_SHIFT) - 1;

/** A number of lists that is never too large. */
const ROOM = 1024;

/** An ops that is told of the ends of frames, without a bit of its own. */
export interface ExitListener {
  /** Whether the subscriber is not told any more. */
  readonly isGone: boolean;
  /** A frame ended for which its entry asked to be told. @param isCoroutine see services.ts */
  exited(depth: number, n: number, value: unknown, unwound: boolean, isCoroutine?: boolean): void;
}

/** The listeners of a frame's end, in the order in which they asked: the list of all but the last one, and the last one. */
export interface ExitList {
  /** 0 after the list was removed. */
  number: number;
  readonly before: ExitList | undefined;
  readonly listener: ExitListener | undefined;
  readonly longer: Map<ExitListener, ExitList>;
  /** All listeners; filled when the first frame with this list ends. */
  listeners: readonly ExitListener[] | undefined;
}

const createList = (number: number, before?: ExitList, listener?: ExitListener): ExitList => ({
  number,
  before,
  listener,
  longer: new Map(),
  listeners: undefined,
});

function listenersOf(list: ExitList): readonly ExitListener[] {
  if (list.listeners === undefined) {
    const listeners: ExitListener[] = [];
    for (let at: ExitList = list; at.before !== undefined; at = at.before) listeners.push(at.listener!);
    list.listeners = listeners.reverse();
  }
  return list.listeners;
}

/** The exit lists of one thread. */
export class ExitLists {
  readonly #empty = createList(0);
  /** By number. */
  readonly #lists: (ExitList | undefined)[] = [this.#empty];
  readonly #free: number[] = [];
  #enough = ROOM;
  /**
   * By number: the last list that was joined to this one, and the result. The calls of one site ask for the same again and again.
   */
  #other = new Int32Array(64);
  #joined = new Int32Array(64);

  /** The `want` of a frame that has only this listener. */
  wantOf(only: ExitListener): number {
    return this.#longer(this.#empty, only).number << LIST_SHIFT;
  }

  /** The `want` of a frame that has the listeners of `want`, then those of `other`. */
  join(want: number, other: number): number {
    const list = want >>> LIST_SHIFT;
    const second = other >>> LIST_SHIFT;
    if (list === 0 || second === 0) return want | other;
    const joined = this.#other[list] === second ? this.#joined[list]! : this.#join(list, second);
    return ((want | other) & KEPT_WANTS) | (joined << LIST_SHIFT);
  }

  /** Tells the listeners in `want` that the frame at `depth` ended. */
  exited(want: number, depth: number, n: number, value: unknown, unwound: boolean, isCoroutine?: boolean): void {
    const list = this.of(want);
    if (list === undefined) return;
    const listeners = listenersOf(list);
    for (let i = 0; i < listeners.length; i++)
      if (!listeners[i]!.isGone) listeners[i]!.exited(depth, n, value, unwound, isCoroutine);
  }

  /** The list in `want`, for a frame that leaves the stack for a while; undefined if it has none. */
  of(want: number): ExitList | undefined {
    const number = want >>> LIST_SHIFT;
    return number === 0 ? undefined : this.#lists[number];
  }

  /** The `want` of such a frame when it comes back: the listeners that are not gone. */
  wantAgain(list: ExitList | undefined): number {
    if (list === undefined) return 0;
    if (list.number !== 0) return list.number << LIST_SHIFT;
    let left = this.#empty;
    for (const listener of listenersOf(list)) if (!listener.isGone) left = this.#longer(left, listener);
    return left.number << LIST_SHIFT;
  }

  /**
   * Removes all lists of more than one listener, and those of listeners that are gone. Calls make them again when they need them.
   * Must not be called while a function is being entered, because its frame is not on the stack yet.
   * @param wants those of the frames on the stack: their lists keep their numbers
   */
  tidy(wants: Int32Array): void {
    const used = new Set<number>();
    for (const want of wants) used.add(want >>> LIST_SHIFT);
    this.#other.fill(0);
    for (const list of this.#lists) {
      if (list === undefined || list === this.#empty) continue;
      list.longer.clear();
      const isKept = list.before === this.#empty && !list.listener!.isGone;
      if (list.listener!.isGone) this.#empty.longer.delete(list.listener!);
      if (isKept || used.has(list.number)) continue;
      this.#lists[list.number] = undefined;
      this.#free.push(list.number);
      list.number = 0;
    }
    this.#enough = 2 * this.size + ROOM;
  }

  /** Whether there are many lists that calls may not need any more. */
  get areMany(): boolean {
    return this.size > this.#enough;
  }

  /** How many lists there are, the empty one included. */
  get size(): number {
    return this.#lists.length - this.#free.length;
  }

  #join(list: number, second: number): number {
    let joined = this.#lists[list]!;
    for (const listener of listenersOf(this.#lists[second]!)) joined = this.#longer(joined, listener);
    this.#other[list] = second;
    this.#joined[list] = joined.number;
    return joined.number;
  }

  #longer(list: ExitList, listener: ExitListener): ExitList {
    let longer = list.longer.get(listener);
    if (longer === undefined) {
      longer = createList(this.#free.pop() ?? this.#lists.length, list, listener);
      this.#lists[longer.number] = longer;
      list.longer.set(listener, longer);
      this.#grow();
    }
    return longer;
  }

  #grow(): void {
    if (this.#lists.length <= this.#other.length) return;
    const { length } = this.#other;
    const [other, joined] = [new Int32Array(2 * length), new Int32Array(2 * length)];
    other.set(this.#other);
    joined.set(this.#joined);
    this.#other = other;
    this.#joined = joined;
  }
}
