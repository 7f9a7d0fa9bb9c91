import { promiseHooks } from 'node:v8';
import { typesIsPromise as isPromise } from '../../base/primordials.js';
import { SafeSet } from '../../base/safe-map.js';
import { unseenMicrotask } from '../../base/unseen-microtask.js';
import { isPlainPromise, type PromiseState, promiseState } from '../async/promise-state.js';
import { SafeWeakMap } from '../realm/primordials.js';
import { FAULT, memberOf } from './fetch-values.js';

/** What is kept of a call until it has ended, or settled. */
export interface PendingCall {
  readonly self: unknown;
  readonly args: readonly unknown[];
  /** The address that called, or 0. */
  readonly caller: number;
  /** When it began, in nanoseconds; 0 where nobody asks. */
  readonly at: number;
  /** The promise that was made last before it: an async function's own. */
  readonly made: Promise<unknown> | undefined;
  /** What handlers of scripts have saved at the call's entry. */
  readonly saved: SavedValues | undefined;
}

/** What a handler has saved, and the next one of the same call. */
export interface SavedValues {
  /** The point that gets it. */
  readonly point: unknown;
  readonly values: readonly unknown[];
  readonly next: SavedValues | undefined;
}

/** What the entry of a call has saved for a point. */
export function savedFor(saved: SavedValues | undefined, point: unknown): readonly unknown[] | undefined {
  for (let one = saved; one !== undefined; one = one.next) if (one.point === point) return one.values;
  return undefined;
}

/** How a call has settled. */
export interface Settling {
  readonly status: 'fulfilled' | 'rejected';
  /** The value, or the reason. */
  readonly value: unknown;
  /** When, in nanoseconds. */
  readonly at: number;
}

/** A call that has ended, and what hears of it. */
interface EndedCall<Point> {
  readonly points: readonly Point[];
  readonly n: number;
  readonly call: PendingCall;
}

/** A promise with which calls settle. */
interface Awaited<Point> {
  readonly calls: EndedCall<Point>[];
  /** When V8 last told of it. */
  at: number;
  /** Whether the promise's state will be read. */
  isAsked: boolean;
}

type Hit<Point> = (point: Point, n: number, call: PendingCall, settling: Settling) => void;

/** Whether an async function waits for it: it has a `then`. What only code of the program could say counts as one. */
const mayBeThenable = (value: unknown): boolean => (typeof value === 'object' && value !== null) || typeof value === 'function';

/**
 * When the promises that calls return settle. V8 tells of each promise (v8.promiseHooks) just before it settles; a microtask
 * then reads the state. No promise gets a reaction, so order and unhandled rejections stay as they are. Without a probe there is
 * no hook.
 */
export class SettledCalls<Point> {
  readonly #clock: () => number;
  readonly #hit: Hit<Point>;
  readonly #points = new SafeSet<unknown>();
  readonly #awaited: WeakMap<object, Awaited<Point>> = new SafeWeakMap<object, Awaited<Point>>();
  /** An async function is at its end: the promise that is resolved next is its own. */
  #endings: EndedCall<Point>[] = [];
  #asked: Promise<unknown>[] = [];
  #isScheduled = false;
  #readSoon: (() => void) | undefined;
  #stop: (() => void) | undefined;
  /** The promise that was made last. */
  made: Promise<unknown> | undefined;

  constructor(clock: () => number, hit: Hit<Point>) {
    this.#clock = clock;
    this.#hit = hit;
  }

  /** Hears of promises from now on, for `point`. */
  add(point: unknown): void {
    this.#points.add(point);
    this.#readSoon ??= unseenMicrotask(() => this.#read());
    this.#stop ??= promiseHooks.createHook({
      init: (promise: Promise<unknown>) => {
        this.made = promise;
      },
      settled: (promise: Promise<unknown>) => this.#resolved(promise),
    }) as () => void;
  }

  remove(point: unknown): void {
    if (!this.#points.delete(point) || this.#points.size > 0) return;
    this.#stop?.();
    this.#stop = undefined;
    this.made = undefined;
  }

  /**
   * A call has ended.
   * @param atEnd it is a coroutine whose own promise is resolved or rejected next
   */
  ended(call: EndedCall<Point>, value: unknown, unwound: boolean, atEnd: boolean | undefined): void {
    const at = this.#clock();
    if (!unwound && isPlainPromise(value)) this.#follow(value, call, at);
    else if (atEnd && unwound) this.#expect(call);
    else if (atEnd && mayBeThenable(value) && this.#isThenable(value)) this.#adopts(call, value, at);
    else if (!unwound && isPromise(value)) this.#await(value, call, at);
    else this.#settle(call, { status: unwound ? 'rejected' : 'fulfilled', value: unwound ? FAULT : value, at });
  }

  /** A plain object has no `then` of its own or its prototypes'; asking others would run code of the program. */
  #isThenable(value: unknown): boolean {
    const then = memberOf(value, 'then');
    return then === FAULT || typeof then === 'function';
  }

  /** An async function has returned something with a `then`: its own promise settles as that one says. */
  #adopts(call: EndedCall<Point>, value: unknown, at: number): void {
    const { made } = call.call;
    if (made !== undefined && promiseState(made)?.status === 'pending') this.#await(made, call, at);
    else this.#settle(call, { status: 'fulfilled', value, at });
  }

  #follow(promise: Promise<unknown>, call: EndedCall<Point>, at: number): void {
    const state = promiseState(promise);
    if (state === undefined || state.status === 'pending') this.#await(promise, call, at);
    else this.#settle(call, settlingOf(state, at));
  }

  #await(promise: Promise<unknown>, call: EndedCall<Point>, at: number): Awaited<Point> {
    let awaited = this.#awaited.get(promise);
    if (awaited === undefined) {
      awaited = { calls: [], at, isAsked: false };
      this.#awaited.set(promise, awaited);
    }
    awaited.calls[awaited.calls.length] = call;
    return awaited;
  }

  #expect(call: EndedCall<Point>): void {
    this.#endings[this.#endings.length] = call;
    this.#schedule();
  }

  /** Ends a call whose promise was not seen. */
  #lost(call: EndedCall<Point>): void {
    this.#settle(call, { status: 'rejected', value: FAULT, at: this.#clock() });
  }

  #resolved(promise: Promise<unknown>): void {
    try {
      const endings = this.#endings;
      if (endings.length > 0) this.#endings = [];
      for (let i = 0; i < endings.length; i++) this.#await(promise, endings[i]!, 0);
      const awaited = this.#awaited.get(promise);
      if (awaited === undefined) return;
      awaited.at = this.#clock();
      if (awaited.isAsked) return;
      awaited.isAsked = true;
      this.#asked[this.#asked.length] = promise;
      this.#schedule();
    } catch {
      // The stack is full: the call is not told.
    }
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#readSoon!();
  }

  #read(): void {
    this.#isScheduled = false;
    const endings = this.#endings;
    this.#endings = [];
    for (let i = 0; i < endings.length; i++) this.#lost(endings[i]!);
    const asked = this.#asked;
    this.#asked = [];
    for (let i = 0; i < asked.length; i++) {
      const promise = asked[i]!;
      const awaited = this.#awaited.get(promise);
      if (awaited === undefined) continue;
      awaited.isAsked = false;
      const state = promiseState(promise);
      if (state?.status === 'pending') continue;
      this.#awaited.delete(promise);
      for (let j = 0; j < awaited.calls.length; j++) this.#settle(awaited.calls[j]!, settlingOf(state, awaited.at));
    }
  }

  #settle(call: EndedCall<Point>, settling: Settling): void {
    for (let i = 0; i < call.points.length; i++) this.#hit(call.points[i]!, call.n, call.call, settling);
  }
}

/** What cannot be read of a promise of a class of the program is a fault. */
const settlingOf = (state: PromiseState | undefined, at: number): Settling =>
  state === undefined
    ? { status: 'fulfilled', value: FAULT, at }
    : { status: state.status as Settling['status'], value: state.isHidden ? FAULT : state.value, at };
