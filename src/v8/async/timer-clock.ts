import {
  clearTimeout_ as clearTimeout,
  ObjectGetOwnPropertyDescriptor as getOwnPropertyDescriptor,
  setTimeout_ as setTimeout,
} from '../../base/primordials.js';
import { SafeWeakMap } from '../realm/primordials.js';
import type { ThreadContexts } from './thread-contexts.js';

const MS = 1e6;
/** Timers count whole milliseconds: one of this many consecutive tries sees a millisecond begin. */
const TRIES_NS = 1.2e6;

const nothing = (): void => {};

function ownNumber(object: object, key: string): number | undefined {
  const value: unknown = getOwnPropertyDescriptor(object, key)?.value;
  return typeof value === 'number' ? value : undefined;
}

const origins = new SafeWeakMap<() => number, number>();

/**
 * Where the clock of Node's timers has its 0, in nanoseconds of the trace clock: they say when they were started in whole
 * milliseconds of the event loop's own time. Takes a millisecond the first time. Undefined if timers do not have it.
 */
export function originOfTimers(clock: () => number, contexts: ThreadContexts): number | undefined {
  const known = origins.get(clock);
  if (known !== undefined) return known;
  const origin = contexts.hidden(() => findOrigin(clock));
  if (origin !== undefined) origins.set(clock, origin);
  return origin;
}

function findOrigin(clock: () => number): number | undefined {
  let origin: number | undefined;
  for (const end = clock() + TRIES_NS; clock() < end; ) {
    const before = clock();
    const timer = setTimeout(nothing, 1000);
    clearTimeout(timer);
    const started = ownNumber(timer, '_idleStart');
    if (started === undefined) return undefined;
    // Its time was cut to milliseconds: the least difference is the nearest.
    const candidate = before - started * MS;
    if (origin === undefined || candidate < origin) origin = candidate;
  }
  return origin;
}

/** When a timer is due, in nanoseconds after the origin; undefined if it is not a running timer. */
export function dueTime(timer: object): number | undefined {
  const started = ownNumber(timer, '_idleStart');
  const delay = ownNumber(timer, '_idleTimeout');
  return started === undefined || delay === undefined || delay < 0 ? undefined : (started + delay) * MS;
}
