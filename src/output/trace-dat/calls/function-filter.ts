import { compileGlob } from '../../../base/glob.js';
import type { CalledFunction } from './called-functions.js';

const MODULE = ':mod:';

/** Whether a function is to be shown. */
export type IsShown = (func: CalledFunction) => boolean;

/** What words say of a function: its name, and the package that it is of, '' for none. */
type IsNamed = (func: Pick<CalledFunction, 'symbol' | 'module'>) => boolean;

/**
 * Functions by the words that `set_ftrace_filter` takes: `handle*`, `:mod:express`, `*:mod:!express`; of several words, those
 * that any of them matches.
 */
export function functionFilter(words: readonly string[]): IsNamed {
  const tests = words.map(wordTest);
  return (func) => tests.some((test) => test(func));
}

function wordTest(word: string): IsNamed {
  const at = word.indexOf(MODULE);
  const name = compileGlob((at < 0 ? word : word.slice(0, at)) || '*');
  if (at < 0) return ({ symbol }) => name.test(symbol);
  const pattern = word.slice(at + MODULE.length);
  const isOther = pattern.startsWith('!');
  const isIn = moduleTest(isOther ? pattern.slice(1) : pattern);
  return ({ symbol, module }) => name.test(symbol) && isIn(module) !== isOther;
}

/** `:mod:*` and `:mod:` are all packages: what is not the application's own. */
function moduleTest(pattern: string): (module: string) => boolean {
  const { test } = compileGlob(pattern || '*');
  return (module) => module !== '' && test(module);
}
