import { types } from 'node:util';
import {
  defineProperty,
  endsWith,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  indexOf,
  isExtensible,
  lastIndexOf,
  reflectApply,
  slice,
  startsWith,
} from '../realm/primordials.js';
import { type PlacedSite, placeWords, sitePlace } from '../realm/site-place.js';
import type { Texts } from '../realm/texts.js';

const { isNativeError, isProxy } = types;
const ownError = Error;

/**
 * Where an error was made, as its stack says: `file:line:column` of the innermost frame outside of Node; '' for other values and
 * where it is not known. Runs no code of the program, and leaves the error's stack as unmade as it was. Never throws.
 */
export type ThrownAt = (error: unknown) => string;

/** What tells V8 to leave the stack unmade: it keeps no result of a function that throws. */
const UNMADE = {};

/** What the line of a frame begins with in a stack that was made. */
const AT = '    at ';

/** How far up the prototype chain this realm's Error is looked for. */
const MAX_PROTOTYPES = 16;

type Getter = (this: unknown) => unknown;

/**
 * Calls `read`, which may ask for the stack of an error. One that was not made stays so: `see` gets its frames. V8 has a stack
 * made by `Error.prepareStackTrace`: another function stands there for as long.
 */
function withoutMaking(see: (trace: readonly PlacedSite[]) => void, read: () => void): void {
  // Node looks for it on what the global object has. What a program has put there is not touched.
  if (isProxy(Error) || Error !== ownError) return;
  const property = getOwnPropertyDescriptor(Error, 'prepareStackTrace');
  const value = (_error: unknown, trace: readonly PlacedSite[]): never => {
    see(trace);
    throw UNMADE;
  };
  if (property !== undefined && !property.configurable) return;
  if (property === undefined && !isExtensible(Error)) return;
  defineProperty(Error, 'prepareStackTrace', { __proto__: null, value, configurable: true } as PropertyDescriptor);
  try {
    read();
  } catch {
    // By the function above; or the stack is full.
  } finally {
    if (property === undefined) delete (Error as { prepareStackTrace?: unknown }).prepareStackTrace;
    else defineProperty(Error, 'prepareStackTrace', property);
  }
}

/** Finds it. */
export const createThrownAt = (texts: Texts): ThrownAt => {
  let stackOf: Getter | undefined;
  withoutMaking(
    () => {},
    () => {
      stackOf = getOwnPropertyDescriptor(new Error(), 'stack')?.get as Getter | undefined;
    },
  );
  /** The innermost place outside of Node and fentry; else the innermost of Node. */
  let chosen = '';
  /** Returns whether no further frame is needed. */
  const choose = (file: string, line: number, column: number): boolean => {
    if (texts.isOwn(file)) return false;
    const isChosen = !startsWith(file, 'node:');
    if (isChosen || chosen === '') chosen = placeWords(file, line, column);
    return isChosen;
  };

  const chooseFrame = (trace: readonly PlacedSite[]): void => {
    for (let i = 0; i < trace.length; i++) {
      const place = sitePlace(texts, trace[i]!);
      if (place !== undefined && choose(place.file, place.line, place.column)) return;
    }
  };

  /** Chooses a line of a stack that was made: lines as `at f (file:1:2)` and `at async file:1:2`. */
  const chooseLine = (stack: string): void => {
    for (let end = 0, from = 0; end >= 0; from = end + 1) {
      end = indexOf(stack, '\n', from);
      const whole = end < 0 ? slice(stack, from) : slice(stack, from, end);
      if (!startsWith(whole, AT)) continue;
      const line = endsWith(whole, ')') ? slice(whole, 0, -1) : whole;
      const columnAt = lastIndexOf(line, ':');
      const lineAt = columnAt < 0 ? -1 : lastIndexOf(line, ':', columnAt - 1);
      const open = lastIndexOf(line, ' (', lineAt);
      const start = open >= 0 ? open + 2 : startsWith(line, `${AT}async `) ? AT.length + 6 : AT.length;
      const row = +slice(line, lineAt + 1, columnAt);
      const column = +slice(line, columnAt + 1);
      if (lineAt > start && row > 0 && column > 0 && choose(slice(line, start, lineAt), row, column)) return;
    }
  };

  return (error) => {
    chosen = '';
    if (!isNativeError(error) || !isOfThisRealm(error)) return chosen;
    withoutMaking(chooseFrame, () => {
      const stack = getOwnPropertyDescriptor(error, 'stack');
      const isGetter = stack?.get !== undefined && stack.get === stackOf;
      const made = isGetter ? reflectApply(stackOf as Getter, error, []) : stack?.value;
      if (typeof made === 'string') chooseLine(made);
    });
    return chosen;
  };
};

/** Whether its stack is made by this realm's function: that of another realm would be made for good. */
function isOfThisRealm(error: object): boolean {
  let object = getPrototypeOf(error) as object | null;
  for (let i = 0; i < MAX_PROTOTYPES && object !== null && !isProxy(object); i++) {
    if (object === Error.prototype) return true;
    object = getPrototypeOf(object) as object | null;
  }
  return false;
}
