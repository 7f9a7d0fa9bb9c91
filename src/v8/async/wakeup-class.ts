import type { WakeupClass } from '../tracers/latency/wakeups.js';

const CLASSES: Readonly<Record<string, WakeupClass | undefined>> = {
  __proto__: null as never,
  Timeout: 'dl',
  TickObject: 'rt',
  Microtask: 'rt',
  PROMISE: 'rt',
};

/** The scheduling class of contexts of a type. */
export const wakeupClass = (type: string): WakeupClass => CLASSES[type] ?? 'normal';
