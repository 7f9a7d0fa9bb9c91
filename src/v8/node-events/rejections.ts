import { promiseHooks } from 'node:v8';
import type { FindRejection, Rejection } from '../realm/find-rejection.js';
import { defineProperty, getOwnPropertyDescriptor, SafeWeakMap } from '../realm/primordials.js';
import type { Undo } from '../realm/undo.js';
import type { PromiseMakers } from './promise-makers.js';

/** Who has rejected promises that nobody handled at that moment. */
export interface Rejections {
  /** Undefined: it was rejected before. */
  of(promise: unknown): Rejection | undefined;
  readonly end: Undo;
}

/**
 * Keeps who rejects promises, from now on. V8 tells Node of a promise that is rejected while nobody handles it, at that moment,
 * and Node notes the present `process.domain` with it: an accessor in its place runs while the function that rejects is on the
 * stack. Which promise it is, a hook has heard just before.
 * @param makers who has made a promise, if the stack does not say it any more
 */
export function watchRejections(find: FindRejection, makers: Pick<PromiseMakers, 'of'>): Rejections {
  const rejections = new SafeWeakMap<object, Rejection>();
  let settled: object | undefined;
  const stopHook = promiseHooks.onSettled((promise) => {
    settled = promise;
  });
  const restore = watchDomain(() => {
    const promise = settled;
    settled = undefined;
    if (promise === undefined) return;
    const found = find();
    rejections.set(promise, found.maker === 0 ? { ...found, maker: makers.of(promise) } : found);
  });
  return {
    of: (promise) => (typeof promise === 'object' && promise !== null ? rejections.get(promise) : undefined),
    end() {
      restore();
      stopHook();
    },
  };
}

/** Calls `read` whenever `process.domain` is read. Its value is the program's, as before. */
function watchDomain(read: () => void): Undo {
  const before = getOwnPropertyDescriptor(process, 'domain');
  if (before?.configurable !== true) return () => {};
  let { value } = before;
  const standIn = {
    get domain(): unknown {
      read();
      return before.get === undefined ? value : Reflect.apply(before.get, process, []);
    },
    set domain(domain: unknown) {
      if (before.get === undefined) value = domain;
      else if (before.set !== undefined) Reflect.apply(before.set, process, [domain]);
    },
  };
  const { get, set } = getOwnPropertyDescriptor(standIn, 'domain')!;
  defineProperty(process, 'domain', { get, set, enumerable: before.enumerable, configurable: true } as PropertyDescriptor);
  return () => {
    // The module `domain` puts an accessor of its own there.
    if (getOwnPropertyDescriptor(process, 'domain')?.get !== get) return;
    defineProperty(process, 'domain', before.get === undefined ? { ...before, value } : before);
  };
}
