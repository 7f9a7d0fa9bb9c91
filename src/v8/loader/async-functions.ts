import { lookLike } from '../realm/lookalike.js';
import {
  construct,
  defineProperty,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  includes,
  lastIndexOf,
  slice,
  startsWith,
} from '../realm/primordials.js';
import type { Undo } from '../realm/undo.js';
import type { Placement } from '../text/placement.js';
import type { SharedTexts } from './shared-texts.js';

type AnyClass = new (...args: unknown[]) => object;

const SOURCE_URL = '//# sourceURL=';

/** What V8 puts around the text: `(async function anonymous(PARAMETERS\n) {\nBODY\n})`. */
const OPENING = '(async function anonymous(';
const MIDDLE = '\n) {\n';

const nameIn = (body: string): string | undefined => {
  const at = lastIndexOf(body, SOURCE_URL);
  return at < 0 ? undefined : /^[^\s'"]+/.exec(slice(body, at + SOURCE_URL.length))?.[0];
};

const placementAfter = (parameters: readonly string[]): Placement => {
  const text = parameters.join(',');
  return {
    lines: 2 + (text.match(/\r\n|[\n\r\u2028\u2029]/g)?.length ?? 0),
    columns: 0,
    units: OPENING.length + text.length + MIDDLE.length,
  };
};

/**
 * Gives sites to the async functions that the program makes from text, if the text has a `//# sourceURL=` with an existing
 * file: Vite runs the modules of a server in this way. The constructor has no name of its own; programs find it through any
 * async function.
 */
export const hookAsyncFunctions = (texts: SharedTexts): Undo => {
  // biome-ignore lint/suspicious/noRedundantUseStrict: the bundle is no module, and sloppy functions have properties more
  'use strict';
  const prototype = getPrototypeOf(async () => {}) as object;
  const descriptor = getOwnPropertyDescriptor(prototype, 'constructor');
  if (descriptor?.configurable !== true || typeof descriptor.value !== 'function') return () => {};
  const native = descriptor.value as AnyClass;

  const withSites = (args: unknown[]): unknown[] => {
    const body = args[args.length - 1];
    if (typeof body !== 'string' || !includes(body, SOURCE_URL)) return args;
    for (let i = 0; i < args.length - 1; i++) if (typeof args[i] !== 'string' || startsWith(args[i] as string, '$f')) return args;
    const parameters = args.slice(0, -1) as string[];
    const text = texts.of({ source: body, name: nameIn(body), type: 'async-body', placement: placementAfter(parameters) });
    if (text === undefined) return args;
    texts.runsHere(text);
    return [...parameters, text.text];
  };

  const { AsyncFunction } = {
    AsyncFunction: function (this: unknown, ...args: unknown[]): object {
      const target = new.target === undefined || new.target === (AsyncFunction as unknown) ? native : new.target;
      let compiled = args;
      try {
        compiled = withSites(args);
      } catch {
        compiled = args;
      }
      if (compiled === args) return construct(native, args, target);
      try {
        return construct(native, compiled, target);
      } catch {
        return construct(native, args, target);
      }
    },
  };
  defineProperty(AsyncFunction, 'prototype', { value: prototype, writable: false, enumerable: false, configurable: false });
  lookLike(AsyncFunction as never, native as never);
  defineProperty(prototype, 'constructor', { ...descriptor, value: AsyncFunction });
  return () => {
    if (getOwnPropertyDescriptor(prototype, 'constructor')?.value === AsyncFunction) {
      defineProperty(prototype, 'constructor', descriptor);
    }
  };
};
