import { type AsyncHook, createHook, executionAsyncResource } from 'node:async_hooks';
import type { Wakeup, WakeupClass, WakeupSource } from '../tracers/latency/wakeups.js';
import { dueTime, timerOrigin } from './timer-clock.js';
import { unharmed } from './unharmed.js';

/** Resources that are ready as soon as they are created. */
const READY_AT_ONCE: Readonly<Record<string, WakeupClass | undefined>> = {
  __proto__: null as never,
  Immediate: 'normal',
  TickObject: 'rt',
  Microtask: 'rt',
};

/** Up to this number of waiting things are kept; beyond it, the oldest are dropped and not measured. */
const CAPACITY = 1 << 16;
const MASK = CAPACITY - 1;

/** What is known of each thing that waits, at the place of its async id. */
class Waiting {
  readonly ids = new Float64Array(CAPACITY);
  readonly madeAt = new Float64Array(CAPACITY);
  /** Of a promise: when it was resolved. */
  readonly resolvedAt = new Float64Array(CAPACITY);
  /** Of a promise: the one whose reaction it waits for. */
  readonly parents = new Float64Array(CAPACITY);
  readonly kinds: (string | undefined)[] = new Array<string | undefined>(CAPACITY);

  put(id: number, kind: string, parent: number, now: number): void {
    const at = id & MASK;
    this.ids[at] = id;
    this.kinds[at] = kind;
    this.madeAt[at] = now;
    this.parents[at] = parent;
    this.resolvedAt[at] = 0;
  }

  /** Place of an id; -1 when it is not known. */
  find(id: number): number {
    const at = id & MASK;
    return this.ids[at] === id ? at : -1;
  }
}

/**
 * Sees by async_hooks what is ready to run: immediates, nextTicks and microtasks from when they were queued, promise
 * reactions from when their promise was resolved, timers from when they were due. When I/O was ready, only the kernel knows.
 *
 * @param clock nanoseconds of the trace clock
 */
export function createWakeups(clock: () => number): WakeupSource {
  let hook: AsyncHook | undefined;
  let waiting: Waiting | undefined;
  let ran: ((wakeup: Wakeup) => void) | undefined;
  let origin: number | undefined;

  function init(id: number, type: string, trigger: number): void {
    if (type === 'PROMISE') waiting?.put(id, type, trigger, clock());
    else if (READY_AT_ONCE[type] !== undefined) waiting?.put(id, type, 0, clock());
  }

  function promiseResolve(id: number): void {
    if (waiting === undefined) return;
    const at = waiting.find(id);
    if (at < 0 || waiting.resolvedAt[at] !== 0) return;
    waiting.resolvedAt[at] = clock();
  }

  function before(id: number): void {
    if (waiting === undefined) return;
    const at = waiting.find(id);
    const now = clock();
    if (at < 0) timer(id, now);
    else if (waiting.kinds[at] === 'PROMISE') reaction(id, at, now);
    else queued(id, at, now);
  }

  function queued(id: number, at: number, now: number): void {
    const { ids, kinds, madeAt } = waiting!;
    const kind = kinds[at]!;
    ids[at] = 0;
    ran?.({ kind, class: READY_AT_ONCE[kind]!, id, ready: madeAt[at]!, now });
  }

  /** A reaction is ready when its promise is resolved, or at once if it was resolved before. */
  function reaction(id: number, at: number, now: number): void {
    const { parents, resolvedAt, madeAt } = waiting!;
    const parent = waiting!.find(parents[at]!);
    if (parent < 0 || resolvedAt[parent] === 0) return;
    const ready = Math.max(resolvedAt[parent]!, madeAt[at]!);
    ran?.({ kind: 'PROMISE', class: 'rt', id, ready, now });
  }

  function timer(id: number, now: number): void {
    if (origin === undefined) return;
    const due = dueTime(executionAsyncResource());
    if (due === undefined || now < origin + due) return;
    ran?.({ kind: 'Timeout', class: 'dl', id, ready: origin + due, now });
  }

  return {
    start(listener) {
      ran = listener;
      origin = timerOrigin(clock);
      waiting = new Waiting();
      hook ??= createHook({ init: unharmed(init), before: unharmed(before), promiseResolve: unharmed(promiseResolve) });
      hook.enable();
    },
    stop() {
      hook?.disable();
      waiting = undefined;
      ran = undefined;
    },
  };
}
