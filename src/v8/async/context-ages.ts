import { Float64Array_ } from '../../base/primordials.js';
import { traceClock } from '../../ring-buffer/clock.js';
import { getOwnPropertyDescriptor } from '../realm/primordials.js';

/** What Node calls the property in which it keeps the id of a promise. */
const ID_OF_PROMISE = 'async_id_symbol';
const { getOwnPropertySymbols } = Object;

const MS = 1e6;
/** Marks that are kept; when there are more, the old ones are thinned out. */
const MARKS = 4096;
/** The part of its age by which an old context may seem older. */
const INEXACT = 1 / 64;
/** So many contexts that are made in one run have a mark of their own. A power of 2. */
const MADE = 64;

/** The ages of some promises. */
export interface PromiseAges {
  /** For how long contexts are followed: all that is older has no age. In milliseconds. */
  readonly followedMs: number;
  /** The index of each promise whose age is known, and that age in milliseconds. */
  readonly ages: readonly (readonly [index: number, ageMs: number])[];
}

/**
 * When the async contexts of a thread were made. Their ids only grow, so it is enough to keep at some times which id was the
 * newest: this takes the same memory however many contexts there are, and forgets none of them.
 */
export class ContextAges {
  readonly #clock: () => number;
  readonly #began: number;
  /** Marks: a time, and the greatest id until then. */
  readonly #times = new Float64Array_(MARKS);
  readonly #ids = new Float64Array_(MARKS);
  #count = 0;
  #newest = 0;

  /** @param clock in nanoseconds */
  constructor(clock: () => number) {
    this.#clock = clock;
    this.#began = clock();
  }

  /** A context is made. */
  made(id: number): void {
    if (this.#count === 0) {
      // What has a lower id was made before.
      this.#newest = id - 1;
      this.#add(this.#began);
      this.mark();
    } else if ((id & (MADE - 1)) === 0) this.mark();
    if (id > this.#newest) this.#newest = id;
  }

  /** All contexts that are made from now on are younger than this moment. */
  mark(): void {
    if (this.#count === 0) return;
    const now = this.#clock();
    const last = this.#count - 1;
    if (this.#ids[last] === this.#newest) this.#times[last] = now;
    else if (now - this.#times[last]! >= MS) {
      if (this.#count === MARKS) this.#thin(now);
      if (this.#count < MARKS) this.#add(now);
    }
  }

  /** The ages of these promises, as far as they were made since contexts are followed. */
  of(promises: readonly object[]): PromiseAges {
    const now = this.#clock();
    const ages: [number, number][] = [];
    let key: symbol | undefined;
    for (let i = 0; i < promises.length; i++) {
      const promise = promises[i]!;
      key ??= getOwnPropertySymbols(promise).find(({ description }) => description === ID_OF_PROMISE);
      const id: unknown = key && getOwnPropertyDescriptor(promise, key)?.value;
      const at = typeof id === 'number' ? this.#timeOf(id) : undefined;
      if (at !== undefined) ages.push([i, Math.max(0, now - at) / MS]);
    }
    return { followedMs: (now - this.#began) / MS, ages };
  }

  /** The last mark that is older than the context. */
  #timeOf(id: number): number | undefined {
    if (this.#count === 0 || id <= this.#ids[0]!) return undefined;
    let [low, high] = [0, this.#count];
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (this.#ids[middle]! < id) low = middle;
      else high = middle;
    }
    return this.#times[low];
  }

  #add(time: number): void {
    this.#times[this.#count] = time;
    this.#ids[this.#count] = this.#newest;
    this.#count++;
  }

  /** Removes marks so that no context seems older than it is by more than a part of its age. */
  #thin(now: number): void {
    const [times, ids] = [this.#times, this.#ids];
    let kept = 1;
    for (let at = 1; at < this.#count; at++) {
      const isLast = at === this.#count - 1;
      if (!isLast && times[at + 1]! - times[kept - 1]! <= (now - times[at + 1]!) * INEXACT) continue;
      times[kept] = times[at]!;
      ids[kept] = ids[at]!;
      kept++;
    }
    this.#count = kept;
  }
}

/** The ages of one thread's contexts, for all that follow them: they are kept while anybody does. */
class FollowedAges {
  #ages: ContextAges | undefined;
  #followers = 0;

  /** Somebody follows contexts from now on, and tells of those that are made, and of runs. */
  follow(): ContextAges {
    this.#followers++;
    this.#ages ??= new ContextAges(traceClock);
    return this.#ages;
  }

  /** One of those that follow does not any more. */
  unfollow(): void {
    if (--this.#followers === 0) this.#ages = undefined;
  }

  /** The ages of promises; undefined while nobody follows. */
  of(promises: readonly object[]): PromiseAges | undefined {
    return this.#ages?.of(promises);
  }
}

/** The ages of this thread's contexts. */
export const followedAges = new FollowedAges();
