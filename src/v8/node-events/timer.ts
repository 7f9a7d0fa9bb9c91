import { executionAsyncResource } from 'node:async_hooks';
import timers from 'node:timers';
import { types } from 'node:util';
import { functionPointer, pointer, uint, ulong } from '../../tracepoint/fields.js';
import { CONTEXTS, slotOf, type ThreadContexts } from '../async/thread-contexts.js';
import { dueTime, originOfTimers } from '../async/timer-clock.js';
import { replaceMethod } from '../realm/lookalike.js';
import { getOwnPropertyDescriptor, getPrototypeOf, nativeOwnKeys, reflectApply } from '../realm/primordials.js';
import { undoAll } from '../realm/undo.js';
import { replaceExports } from './builtin-methods.js';
import { type NodeEventSource, nodeEventSystem, type SourceThread } from './node-event-system.js';
import { ContextTasks } from './sched/contexts.js';

type Start = [timer: number, callback: unknown, expires: number, now: number, flags: number];
type Expire = [timer: number, now: number, callback: unknown, baseclk: number];
type TimerEvents = {
  timer_init: [timer: number];
  timer_start: Start;
  timer_expire_entry: Expire;
  timer_expire_exit: [timer: number];
  timer_cancel: [timer: number];
};
type Method = (this: unknown, ...args: unknown[]) => unknown;

const { isProxy } = types;
// Taken before the program, or this source, replaces them.
const { setTimeout, clearTimeout } = timers;

/** The timer does not keep the process alive, as the kernel's deferrable one does not wake its cpu (TIMER_DEFERRABLE). */
const DEFERRABLE = 0x00080000;
const NS_PER_MS = 1e6;
/** Within the context's run, and within its soft interrupt. */
const LEVEL = 2;

/** What all timers of Node have in common. */
interface TimerClass {
  readonly prototype: object;
  readonly hasRef: Method;
  /** The symbols of a timer's async id and of its method that `using` calls, where there is one. */
  readonly asyncId: PropertyKey | undefined;
  readonly dispose: PropertyKey | undefined;
}

let known: TimerClass | undefined;

function timerClass(contexts: ThreadContexts): TimerClass {
  known ??= contexts.hidden(() => {
    const timer = setTimeout(() => {}, 1);
    clearTimeout(timer);
    const prototype = getPrototypeOf(timer) as TimerClass['prototype'] & { hasRef: Method };
    const find = (object: object, name: RegExp): PropertyKey | undefined =>
      nativeOwnKeys(object).find((key) => typeof key === 'symbol' && name.test(key.description ?? ''));
    return {
      prototype,
      hasRef: prototype.hasRef,
      asyncId: find(timer, /^asyncId$/),
      dispose: find(prototype, /dispose$/),
    };
  });
  return known;
}

/** An own data property; undefined of what the program passes as a timer and is none. */
const ownValue = (timer: unknown, key: PropertyKey | undefined): unknown =>
  key === undefined || typeof timer !== 'object' || timer === null || isProxy(timer)
    ? undefined
    : getOwnPropertyDescriptor(timer, key)?.value;

/** What a timer calls. */
const callbackOf = (timer: object): unknown => ownValue(timer, '_onTimeout');

const isTimer = ({ contexts }: SourceThread, id: number): boolean => contexts.typeOf(id) === 'Timeout';

const inits: NodeEventSource<TimerEvents> = {
  events: ['timer_init'],
  start({ timer_init }, thread) {
    const names = new ContextTasks(thread);
    return thread.contexts.listen({
      level: LEVEL,
      created(id, type) {
        if (type === 'Timeout') timer_init(names.pid(id));
      },
    });
  },
};

const starts: NodeEventSource<TimerEvents> = {
  events: ['timer_start'],
  start({ timer_start }, thread) {
    const names = new ContextTasks(thread);
    const { prototype, hasRef, asyncId } = timerClass(thread.contexts);
    const origin = originOfTimers(thread.clock, thread.contexts) ?? 0;
    /** @param now in milliseconds of the event loop's time */
    const started = (id: number, timer: object, now: number): void => {
      const timeout = ownValue(timer, '_idleTimeout');
      if (typeof timeout !== 'number' || timeout < 0) return;
      const flags = thread.cpu | (reflectApply(hasRef, timer, []) === true ? 0 : DEFERRABLE);
      timer_start(names.pid(id), callbackOf(timer), Math.floor(now + timeout), now, flags);
    };
    const again = (id: number, timer: object): void => {
      const now = ownValue(timer, '_idleStart');
      if (typeof now === 'number') started(id, timer, now);
    };
    return undoAll([
      thread.contexts.listen({
        level: LEVEL,
        created(id, type, _trigger, resource) {
          if (type === 'Timeout') started(id, resource, Math.floor((thread.clock() - origin) / NS_PER_MS));
        },
        // An interval was started again by then.
        ran(id) {
          if (!isTimer(thread, id)) return;
          const timer = executionAsyncResource();
          if (ownValue(timer, '_repeat') !== null && isPending(timer)) again(id, timer);
        },
      }),
      replaceMethod<Method>(
        prototype,
        'refresh',
        (original) =>
          ({
            refresh(this: unknown): unknown {
              const id = ownValue(this, asyncId);
              const result = reflectApply(original, this, []);
              // One that was over is a new context, which was heard of.
              if (typeof id === 'number' && id === ownValue(this, asyncId)) again(id, this as object);
              return result;
            },
          }).refresh,
      ),
    ]);
  },
};

const expiries: NodeEventSource<TimerEvents> = {
  events: ['timer_expire_entry', 'timer_expire_exit'],
  start({ timer_expire_entry, timer_expire_exit }, thread) {
    const names = new ContextTasks(thread);
    const origin = originOfTimers(thread.clock, thread.contexts) ?? 0;
    return thread.contexts.listen({
      level: LEVEL,
      running(id) {
        if (!isTimer(thread, id)) return;
        const timer = executionAsyncResource();
        const due = dueTime(timer);
        if (due === undefined) return;
        const baseclk = Math.floor(due / NS_PER_MS);
        // The loop's own time is whole milliseconds, and its origin is known to a part of one: no timer runs before it is due.
        const now = Math.max(baseclk, Math.floor((thread.clock() - origin) / NS_PER_MS));
        timer_expire_entry(names.pid(id), now, callbackOf(timer), baseclk);
      },
      ran(id) {
        if (isTimer(thread, id)) timer_expire_exit(names.pid(id));
      },
    });
  },
};

/** Whether a timer waits in the event loop's list. */
const isPending = (timer: unknown): boolean => (ownValue(timer, '_idleNext') ?? null) !== null;

const cancels: NodeEventSource<TimerEvents> = {
  events: ['timer_cancel'],
  start({ timer_cancel }, thread) {
    const names = new ContextTasks(thread);
    const { prototype, asyncId, dispose } = timerClass(thread.contexts);
    /** Whether timers wait that the program may name by a number. */
    const waiting = new Uint8Array(CONTEXTS);
    const cancelled = (timer: unknown): void => {
      const byNumber = typeof timer === 'number' || typeof timer === 'string' ? Number(timer) : undefined;
      const id = byNumber ?? ownValue(timer, asyncId);
      if (typeof id !== 'number') return;
      const waits = byNumber === undefined ? isPending(timer) : isTimer(thread, id) && waiting[slotOf(id)] === 1;
      waiting[slotOf(id)] = 0;
      if (waits) timer_cancel(names.pid(id));
    };
    const ofArgument = (original: Method): Method =>
      ({
        clear(this: unknown, ...args: unknown[]): unknown {
          cancelled(args[0]);
          return reflectApply(original, this, args);
        },
      }).clear;
    const ofReceiver = (original: Method): Method =>
      ({
        close(this: unknown, ...args: unknown[]): unknown {
          cancelled(this);
          return reflectApply(original, this, args);
        },
      }).close;
    return undoAll([
      thread.contexts.listen({
        level: LEVEL,
        created(id, type) {
          if (type === 'Timeout') waiting[slotOf(id)] = 1;
        },
        running(id) {
          if (isTimer(thread, id)) waiting[slotOf(id)] = 0;
        },
        ran(id) {
          if (isTimer(thread, id) && isPending(executionAsyncResource())) waiting[slotOf(id)] = 1;
        },
      }),
      replaceExports([timers, globalThis], ['clearTimeout', 'clearInterval'], ofArgument),
      replaceMethod(prototype, 'close', ofReceiver),
      dispose === undefined ? () => {} : replaceMethod(prototype, dispose, ofReceiver),
    ]);
  },
};

const timerOnly = {
  args: ['timer'] as const,
  fields: { timer: pointer<[timer: number]>((timer) => timer) },
  print: '"timer=%p", REC->timer',
};

/**
 * setTimeout() and setInterval() (include/trace/events/timer.h). A timer's address is its async id; times are milliseconds of the
 * event loop's time, as the kernel's are jiffies.
 */
export const timer = nodeEventSystem<TimerEvents>('timer', {
  events: {
    timer_init: timerOnly,
    timer_start: {
      args: ['timer', 'callback', 'expires', 'now', 'flags'],
      takesFunctions: true,
      fields: {
        timer: pointer<Start>((one) => one),
        function: functionPointer<Start>((_timer, called) => called),
        expires: ulong<Start>((_timer, _callback, expires) => expires),
        now: ulong<Start>((_timer, _callback, _expires, now) => now),
        flags: uint<Start>((_timer, _callback, _expires, _now, flags) => flags),
      },
      print:
        '"timer=%p function=%ps expires=%lu [timeout=%ld] cpu=%u flags=%s", REC->timer, REC->function, REC->expires, (long)REC->expires - REC->now, REC->flags & 0x0003FFFF, __print_flags(REC->flags & 0x00080000, "|", { 0x00080000, "D" })',
    },
    timer_expire_entry: {
      args: ['timer', 'now', 'callback', 'baseclk'],
      takesFunctions: true,
      fields: {
        timer: pointer<Expire>((one) => one),
        now: ulong<Expire>((_timer, now) => now),
        function: functionPointer<Expire>((_timer, _now, called) => called),
        baseclk: ulong<Expire>((_timer, _now, _callback, baseclk) => baseclk),
      },
      print: '"timer=%p function=%ps now=%lu baseclk=%lu", REC->timer, REC->function, REC->now, REC->baseclk',
    },
    timer_expire_exit: timerOnly,
    timer_cancel: timerOnly,
  },
  sources: [inits, starts, expiries, cancels],
});
