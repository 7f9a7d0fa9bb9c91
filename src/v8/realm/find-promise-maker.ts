import { textAddress } from '../text-region.js';
import type { AddressOfForeign } from './capture-callers.js';
import { captureStack, type StackSite } from './capture-stack.js';
import { startsWith } from './primordials.js';
import type { Texts } from './texts.js';

/**
 * Finds who makes a promise, while a hook hears of it: an address inside the function of the program that called `new Promise`,
 * `then` or a function of Node's that did. 0 for the promise of an async function, which makes it itself. Runs no code of the
 * program, and never throws.
 */
export type FindPromiseMaker = () => number;

const LIMIT = 8;

/** Creates what finds it. */
export const createFindPromiseMaker = (texts: Texts, addressOfForeign: AddressOfForeign): FindPromiseMaker => {
  const read = (trace: readonly StackSite[]): number => {
    let isCalled = false;
    for (let i = 0; i < trace.length && !trace[i]!.isAsync(); i++) {
      const site = trace[i]!;
      const file = site.getFileName();
      if (typeof file === 'string' && texts.isOwn(file)) continue;
      if (typeof file !== 'string' || startsWith(file, 'node:')) {
        isCalled = true;
        continue;
      }
      if (!isCalled) return 0;
      return textAddress(texts.lowAddress(site) ?? addressOfForeign(file, site.getFunctionName() ?? undefined));
    }
    return 0;
  };

  return function findPromiseMaker() {
    let found = 0;
    try {
      captureStack((trace) => (found = read(trace)), findPromiseMaker, LIMIT);
    } catch {
      // The stack is full.
    }
    return found;
  };
};
