import { types } from 'node:util';
import { SafeWeakMap } from '../../base/safe-map.js';
import type { IrqLevel } from '../tracers/latency/turns.js';

/** The kind of a callback, by its async resource. */
export interface TurnKind {
  readonly name: string;
  readonly context: IrqLevel;
  /** Whether it runs within a turn: it comes only from the turn's own queues. */
  readonly continues: boolean;
}

const softirq = (name: string, continues = false): TurnKind => ({ name, context: 'softirq', continues });

const PROMISE = softirq('PROMISE', true);
/** What process.nextTick() makes. */
export const TICK = softirq('TickObject', true);
/** What ran when watching began: the program's main script, or a callback whose beginning was not seen. */
export const RUNNING: TurnKind = { name: 'RUNNING', context: 'none', continues: false };
const UNKNOWN: TurnKind = { name: 'UNKNOWN', context: 'hardirq', continues: false };

/** Timers and immediates are what the kernel does in its soft interrupts; a microtask is queueMicrotask()'s. */
const SOFT: Readonly<Record<string, TurnKind>> = {
  __proto__: null as never,
  Timeout: softirq('Timeout'),
  Immediate: softirq('Immediate'),
  AsyncResource: softirq('Microtask', true),
};

const { getOwnPropertyDescriptor, getPrototypeOf } = Object;
const objectPrototype = Object.prototype;
const { isPromise, isProxy } = types;

/** Creates a function that finds the kind of a resource without running code of the program. */
export function createKindOf(): (resource: object) => TurnKind {
  const known = new SafeWeakMap<object, TurnKind>();

  /** By the name of the resource's class. */
  function kindOfClass(prototype: object): TurnKind {
    const owner: unknown = getOwnPropertyDescriptor(prototype, 'constructor')?.value;
    if (typeof owner !== 'function' || isProxy(owner)) return UNKNOWN;
    const name: unknown = getOwnPropertyDescriptor(owner, 'name')?.value;
    if (typeof name !== 'string' || name === '') return UNKNOWN;
    return SOFT[name] ?? { name, context: 'hardirq', continues: false };
  }

  return (resource) => {
    if (isPromise(resource)) return PROMISE;
    if (isProxy(resource)) return UNKNOWN;
    const prototype = getPrototypeOf(resource) as object | null;
    if (prototype === null) return UNKNOWN;
    // process.nextTick() makes a plain object with its callback in it; nothing else that Node calls back is one.
    if (prototype === objectPrototype) return getOwnPropertyDescriptor(resource, 'callback') === undefined ? UNKNOWN : TICK;
    let kind = known.get(prototype);
    if (kind === undefined) {
      kind = kindOfClass(prototype);
      known.set(prototype, kind);
    }
    return kind;
  };
}
