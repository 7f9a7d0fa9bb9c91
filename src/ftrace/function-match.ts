import { compileGlob, isPlain } from '../base/glob.js';

/** What a filter needs to know about the linked functions. */
export interface FunctionNames {
  /** Numbers of the functions that have a patch site, in the order of available_filter_functions. */
  readonly listed: readonly number[];
  name(n: number): string;
  /** '' for the application's own. */
  module(n: number): string;
  hasModule(module: string): boolean;
}

/** FunctionNames of the functions `listed`. */
export function functionNames(
  listed: readonly number[],
  name: (n: number) => string,
  module: (n: number) => string,
): FunctionNames {
  let modules: Set<string> | undefined;
  return {
    listed,
    name,
    module,
    hasModule(one) {
      modules ??= new Set(listed.map(module));
      return modules.has(one);
    },
  };
}

/** Which functions a word means: all that a glob matches, of any module or one, or the one at an index. */
export interface FunctionPattern {
  readonly pattern: string;
  /** 1-based place in available_filter_functions, when the word begins with a digit. */
  readonly index?: number;
  readonly module?: string;
}

/** A test of functions for one word. With a module, the name may be left out, which means all functions. */
export function functionTest(word: FunctionPattern, names: FunctionNames): (n: number) => boolean {
  if (word.module === undefined) {
    const matchName = compileGlob(word.pattern).test;
    return (n) => matchName(names.name(n));
  }
  const matchName = compileGlob(word.pattern === '' ? '*' : word.pattern).test;
  const not = word.module.startsWith('!');
  const matchModule = compileGlob(not ? word.module.slice(1) : word.module).test;
  return (n) => {
    const module = names.module(n);
    return (module !== '' && matchModule(module)) !== not && matchName(names.name(n));
  };
}

/** Finds the functions that words mean; the names are sorted once, for any number of words. */
export class FunctionMatcher {
  readonly #names: FunctionNames;
  #byName?: Map<string, number[]>;

  constructor(names: FunctionNames) {
    this.#names = names;
  }

  match(word: FunctionPattern): readonly number[] {
    if (word.index !== undefined) {
      const n = this.#names.listed[word.index - 1];
      return n === undefined ? [] : [n];
    }
    if (isPlain(word.pattern) && word.module === undefined) return this.#named(word.pattern);
    return this.#names.listed.filter(functionTest(word, this.#names));
  }

  #named(name: string): readonly number[] {
    if (this.#byName === undefined) {
      this.#byName = new Map();
      for (const n of this.#names.listed) {
        const known = this.#byName.get(this.#names.name(n));
        if (known === undefined) this.#byName.set(this.#names.name(n), [n]);
        else known.push(n);
      }
    }
    return this.#byName.get(name) ?? [];
  }
}
