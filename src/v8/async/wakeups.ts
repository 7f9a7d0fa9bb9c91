import { executionAsyncId, executionAsyncResource } from 'node:async_hooks';
import { SafeWeakMap } from '../realm/primordials.js';
import type { Undo } from '../realm/undo.js';
import type { Wakeup, WakeupSource } from '../tracers/latency/wakeups.js';
import { asyncContexts, CONTEXTS, slotOf } from './thread-contexts.js';
import { dueTime, originOfTimers } from './timer-clock.js';
import { wakeupClass } from './wakeup-class.js';

/** Resources that are ready as soon as they are created. */
const READY_AT_ONCE: Readonly<Record<string, true | undefined>> = {
  __proto__: null as never,
  Immediate: true,
  TickObject: true,
  Microtask: true,
};

/** Hears of what becomes ready to run, and of what runs after that. */
export interface WakeupListener {
  /** Listeners of a lower level hear first. */
  readonly level: number;
  /**
   * @param at when it became ready, in nanoseconds of the trace clock: for a timer, when it was due, otherwise now
   * @param isNew it is ready since it was created
   */
  ready?(id: number, type: string, at: number, isNew: boolean): void;
  /** Called before something runs whose time of readiness is known. */
  ran?(wakeup: Wakeup): void;
}

/** Before everything else that hears of a context's run. */
const LEVEL = -1;

/**
 * Sees what is ready to run: immediates, nextTicks and microtasks from when they were queued, promise reactions from when their
 * promise was resolved, timers from when they were due (known only when they run), what another context runs inside of itself
 * from that moment. When I/O was ready, only the kernel knows.
 */
class Wakeups {
  readonly level = LEVEL;
  readonly #clock: () => number;
  #listeners: readonly WakeupListener[] = [];
  #stop: Undo = () => {};
  #origin: number | undefined;
  /** Since when each context is ready; 0 while it is not. */
  #readyAt = new Float64Array(0);
  /** The first and the last of the reactions that wait for each promise, and after each reaction the next one. */
  #first = new Float64Array(0);
  #last = new Float64Array(0);
  #next = new Float64Array(0);

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  listen(listener: WakeupListener): Undo {
    if (this.#listeners.length === 0) this.#start();
    this.#listeners = [...this.#listeners, listener].sort((a, b) => a.level - b.level);
    return () => {
      this.#listeners = this.#listeners.filter((one) => one !== listener);
      if (this.#listeners.length === 0) this.#stop();
    };
  }

  #start(): void {
    this.#origin = originOfTimers(this.#clock, asyncContexts);
    [this.#readyAt, this.#first, this.#last, this.#next] = [
      new Float64Array(CONTEXTS),
      new Float64Array(CONTEXTS),
      new Float64Array(CONTEXTS),
      new Float64Array(CONTEXTS),
    ];
    const forget = asyncContexts.listen(this);
    this.#stop = () => {
      forget();
      this.#readyAt = this.#first = this.#last = this.#next = new Float64Array(0);
    };
  }

  created(id: number, type: string, trigger: number): void {
    const slot = slotOf(id);
    this.#readyAt[slot] = this.#first[slot] = this.#last[slot] = this.#next[slot] = 0;
    if (READY_AT_ONCE[type] === true) this.#becomes(id, type, true);
    // A promise that waits for none has the context that runs as its trigger.
    else if (type === 'PROMISE' && trigger !== executionAsyncId() && asyncContexts.typeOf(trigger) === 'PROMISE') {
      if (asyncContexts.isSettled(trigger)) this.#becomes(id, type, true);
      else this.#waits(id, slotOf(trigger));
    }
  }

  #waits(id: number, parent: number): void {
    const last = this.#last[parent]!;
    this.#last[parent] = id;
    if (last === 0) this.#first[parent] = id;
    else if (asyncContexts.knows(last)) this.#next[slotOf(last)] = id;
  }

  settled(id: number): void {
    if (!asyncContexts.knows(id)) return;
    const slot = slotOf(id);
    let reaction = this.#first[slot]!;
    this.#first[slot] = this.#last[slot] = 0;
    while (reaction !== 0 && asyncContexts.knows(reaction)) {
      const next = this.#next[slotOf(reaction)]!;
      this.#becomes(reaction, 'PROMISE', false);
      reaction = next;
    }
  }

  #becomes(id: number, type: string, isNew: boolean): void {
    const now = this.#clock();
    this.#readyAt[slotOf(id)] = now;
    this.#tellReady(id, type, now, isNew);
  }

  #tellReady(id: number, type: string, at: number, isNew: boolean): void {
    const listeners = this.#listeners;
    for (let i = 0; i < listeners.length; i++) listeners[i]!.ready?.(id, type, at, isNew);
  }

  running(id: number): void {
    const type = asyncContexts.typeOf(id)!;
    if (type === 'Timeout') this.#timer(id);
    else {
      const slot = slotOf(id);
      const ready = this.#readyAt[slot]!;
      this.#readyAt[slot] = 0;
      if (ready !== 0) this.#tellRan(id, type, ready);
      else if (asyncContexts.depth > 1) this.#tellReady(id, type, this.#clock(), false);
    }
  }

  #timer(id: number): void {
    const due = this.#origin === undefined ? undefined : dueTime(executionAsyncResource());
    if (due === undefined) return;
    const ready = this.#origin! + due;
    if (this.#clock() < ready) return;
    this.#tellReady(id, 'Timeout', ready, false);
    this.#tellRan(id, 'Timeout', ready);
  }

  #tellRan(id: number, kind: string, ready: number): void {
    const listeners = this.#listeners;
    for (let i = 0; i < listeners.length; i++) {
      if (listeners[i]!.ran === undefined) continue;
      listeners[i]!.ran!({ kind, class: wakeupClass(kind), id, ready, now: this.#clock() });
    }
  }
}

const byClock = new SafeWeakMap<() => number, Wakeups>();

/** Hears of wakeups from now on, until what is returned is called. @param clock nanoseconds of the trace clock */
export function listenToWakeups(clock: () => number, listener: WakeupListener): Undo {
  let wakeups = byClock.get(clock);
  if (wakeups === undefined) {
    wakeups = new Wakeups(clock);
    byClock.set(clock, wakeups);
  }
  return wakeups.listen(listener);
}

/** The wakeups of this thread for one listener. @param clock nanoseconds of the trace clock */
export function createWakeups(clock: () => number): WakeupSource {
  let stop: Undo | undefined;
  return {
    start(ran) {
      stop?.();
      stop = listenToWakeups(clock, { level: 0, ran });
    },
    stop() {
      stop?.();
      stop = undefined;
    },
  };
}
