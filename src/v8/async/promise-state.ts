import { inspect } from 'node:util';
import {
  ObjectGetOwnPropertyDescriptor as getOwnPropertyDescriptor,
  typesIsPromise as isPromise,
  typesIsProxy as isProxy,
  PromisePrototype,
} from '../../base/primordials.js';
import { getPrototypeOf, slice } from '../realm/primordials.js';

/** How a promise stands. */
export interface PromiseState {
  readonly status: 'pending' | 'fulfilled' | 'rejected';
  /** The promise's value or its reason; undefined where it is not known. */
  readonly value: unknown;
  /** Whether the promise is a Proxy. */
  readonly isHidden: boolean;
}

const NOTHING = Symbol('nothing');

/** What `inspect` works with. Only what is used of it. */
interface InspectContext {
  readonly seen: unknown[];
}

let asked: unknown;
let list: readonly unknown[] = [];
let status: PromiseState['status'] = 'fulfilled';
let value: unknown = NOTHING;
let isHidden = false;

/** In place of `seen.includes`: what is inside the promise counts as seen, so that nothing looks into it. */
function seenBefore(one: unknown): boolean {
  if (one === list || one === asked) return false;
  if (value === NOTHING) value = one;
  return true;
}

/** Called by `inspect` for each part of the text. Primitive values come as text, all else by `seenBefore`. */
function styled(this: InspectContext | undefined, text: string, style: string): string {
  if (style === 'special') {
    if (text === '<pending>') status = 'pending';
    else if (text === '<rejected>') status = 'rejected';
    else if (text.includes('Proxy')) isHidden = true;
  } else if (style === 'null' && this?.seen?.length === 1 && !('asked' in this.seen)) {
    // The first element of the list: the context is at hand before the promise is looked at.
    const own = { configurable: true, enumerable: false, writable: true };
    Object.defineProperties(this.seen, { includes: { ...own, value: seenBefore }, asked: { ...own, value: true } });
  } else if (value === NOTHING) value = primitive(text, style);
  return '';
}

const ESCAPE = /\\(?:x([\dA-F]{2})|u\{?([\dA-F]{4,6})\}?|(.))/gs;
const SHORT: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v' };

function primitive(text: string, style: string): unknown {
  switch (style) {
    case 'string':
      return slice(text, 1, -1).replace(ESCAPE, (_all, byte, unit, one) =>
        one === undefined ? String.fromCharCode(Number.parseInt(byte ?? unit, 16)) : (SHORT[one] ?? one),
      );
    case 'number':
      return Number(text);
    case 'bigint':
      return BigInt(slice(text, 0, -1));
    case 'boolean':
      return text === 'true';
    case 'null':
      return null;
    case 'symbol':
      return Symbol(slice(text, 7, -1));
    default:
      return undefined;
  }
}

const OPTIONS = {
  depth: 1,
  customInspect: false,
  showProxy: true,
  compact: true,
  breakLength: Number.POSITIVE_INFINITY,
  maxStringLength: 4096,
  // Not among the types of Node's options, but passed on since there is `inspect`.
  stylize: styled,
};

/** What `inspect` reads of a promise besides its state: nothing of this may run code of the program. */
function isPlain(promise: object): boolean {
  if (getPrototypeOf(promise) !== PromisePrototype) return false;
  if (getOwnPropertyDescriptor(promise, Symbol.toStringTag) !== undefined) return false;
  const tag = getOwnPropertyDescriptor(PromisePrototype, Symbol.toStringTag);
  const made = getOwnPropertyDescriptor(PromisePrototype, 'constructor')?.value;
  return tag?.get === undefined && made === Promise && getOwnPropertyDescriptor(Promise, Symbol.hasInstance) === undefined;
}

/**
 * Whether a value is a promise of the language, made by its own constructor, whose state can be read. Runs no code of the
 * program.
 */
export const isPlainPromise = (value: unknown): value is Promise<unknown> =>
  isPromise(value) && !isProxy(value) && isPlain(value);

/**
 * The state of a promise, and its value or reason: read without a reaction, so that neither the order of microtasks nor whether
 * its rejection counts as handled changes. Runs no code of the program. Node tells this to `inspect` alone: what that would print
 * is caught before it is looked into. Some microseconds.
 * @returns undefined for a promise that is not plain, or if this Node's `inspect` works in another way
 */
export function promiseState(promise: Promise<unknown>): PromiseState | undefined {
  if (!isPlainPromise(promise)) return undefined;
  asked = promise;
  list = [null, promise];
  status = 'fulfilled' as PromiseState['status'];
  value = NOTHING;
  isHidden = false;
  try {
    inspect(list, OPTIONS);
    if (status !== 'pending' && value === NOTHING && !isHidden) return undefined;
    // Behind a promise without a value come its properties.
    const isKnown = status !== 'pending' && !isHidden;
    return { status, value: isKnown ? value : undefined, isHidden };
  } catch {
    // The stack is full.
    return undefined;
  } finally {
    asked = undefined;
    list = [];
    value = NOTHING;
  }
}
