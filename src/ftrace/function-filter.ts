import { TraceError } from '../base/errno.js';
import { compileGlob, isPlain } from '../base/glob.js';
import { EMPTY_HASH, type FunctionHash } from './hash.js';

/** What a filter needs to know of the functions that are linked. */
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

/** One word of a filter file, parsed: `!`, a pattern or index, `:mod:MODULE`. */
export interface FilterWord {
  readonly not: boolean;
  readonly pattern: string;
  /** 1-based place in available_filter_functions, when the word begins with a digit. */
  readonly index?: number;
  readonly module?: string;
  readonly text: string;
  /** The error when it matches nothing. */
  readonly unmatched: 'EINVAL' | 'ENOMEM';
}

/** The hash of a filter file: the last word that matches decides about a function that is linked later. Empty: the filter is off. */
export type FunctionFilter = FunctionHash<FilterWord>;

/** A number as strtoul reads it from a text's beginning: hexadecimal after 0x, octal after 0, whatever follows. */
function leadingNumber(text: string): number {
  const [, hexadecimal, octal, decimal] = /^(?:0x([\da-f]+)|0([0-7]*)|(\d+))/i.exec(text) ?? [];
  if (hexadecimal !== undefined) return Number.parseInt(hexadecimal, 16);
  return octal === undefined ? Number(decimal) : Number.parseInt(`0${octal}`, 8);
}

/** Parses one word: EINVAL for an unknown command after the colon, as for `func:cmd` of no known command. */
export function parseFilterWord(text: string): FilterWord {
  const not = text.startsWith('!');
  const [pattern = '', command, ...rest] = (not ? text.slice(1) : text).split(':');
  if (command !== undefined && command !== 'mod') throw new TraceError('EINVAL', `unknown command ${command}`);
  return {
    not,
    pattern,
    text,
    unmatched: command !== undefined && rest.length === 0 && !not ? 'ENOMEM' : 'EINVAL',
    ...(/^\d/.test(pattern) && { index: leadingNumber(pattern) }),
    ...(rest.length > 0 && { module: rest.join(':') }),
  };
}

/** A test of functions for one word. With a module a name may be left out, and stands for all. */
function wordTest(word: FilterWord, names: FunctionNames): (n: number) => boolean {
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

/** The state of a filter while its file is open for writing: words go in one after the other. */
export class FilterEditor {
  readonly #names: FunctionNames;
  readonly #functions: Set<number>;
  readonly #words: FilterWord[];
  #byName?: Map<string, number[]>;

  constructor(names: FunctionNames, start: FunctionFilter) {
    this.#names = names;
    this.#functions = new Set(start.functions);
    this.#words = [...start.words];
  }

  /**
   * Applies one word (match_records). EINVAL when it matches no function, unless it is for a module that is not loaded
   * yet, or `waits` says that functions may come later (start-up parameters); ENOMEM for `name:mod`.
   */
  apply(word: FilterWord, waits = false): void {
    const matched = this.#match(word);
    if (matched.length === 0 && !waits) {
      if (word.module === undefined) throw new TraceError(word.unmatched, `no function matches ${word.text}`);
      this.#applyWaiting(word, word.module);
      return;
    }
    for (const n of matched) {
      if (word.not) this.#functions.delete(n);
      else this.#functions.add(n);
    }
    if (word.index === undefined) this.#remember(word);
  }

  /**
   * Applies one word of a graph filter (ftrace_graph_set_hash): it knows no commands, and removing what is not in it
   * is EINVAL too.
   */
  applyGraph(text: string, waits = false): void {
    const not = text.startsWith('!');
    const word: FilterWord = { not, pattern: not ? text.slice(1) : text, text, unmatched: 'EINVAL' };
    if (not && !this.#match(word).some((n) => this.#functions.has(n))) {
      throw new TraceError('EINVAL', `no function in the filter matches ${text}`);
    }
    this.apply(word, waits);
  }

  /** The filter as it stands. */
  result(): FunctionFilter {
    const on = this.#functions.size > 0 || this.#words.some((word) => !word.not && this.#isWaiting(word));
    return on ? { functions: this.#functions, words: this.#words } : EMPTY_HASH;
  }

  /**
   * Takes a word in that waits for its module, however often it is there, or with `!` all of them out again
   * (cache_mod). A `*` at the module's end is lost on the way, as in the kernel: it waits for the name before it.
   */
  #applyWaiting(word: FilterWord, written: string): void {
    const module = written.replace(/^(\*?[^*?[\\]+)\*$/, '$1');
    if (word.not) {
      const isMeant = (one: FilterWord): boolean =>
        !one.not && one.module === module && (word.pattern === '*' || one.pattern === word.pattern);
      const kept = this.#words.filter((one) => !isMeant(one));
      if (kept.length === this.#words.length) throw new TraceError('EINVAL', `nothing waits for ${word.text}`);
      this.#words.splice(0, this.#words.length, ...kept);
    } else {
      if (module !== '' && this.#names.hasModule(module)) throw new TraceError('EINVAL', `no function matches ${word.text}`);
      this.#words.push({ ...word, module });
    }
  }

  #remember(word: FilterWord): void {
    const same = this.#words.findIndex(({ pattern, module }) => pattern === word.pattern && module === word.module);
    if (same >= 0) this.#words.splice(same, 1);
    if (!word.not || same < 0) this.#words.push(word);
  }

  #isWaiting(word: FilterWord): boolean {
    return this.#match(word).length === 0;
  }

  #match(word: FilterWord): readonly number[] {
    if (word.index !== undefined) {
      const n = this.#names.listed[word.index - 1];
      return n === undefined ? [] : [n];
    }
    if (isPlain(word.pattern) && word.module === undefined) return this.#named(word.pattern);
    return this.#names.listed.filter(wordTest(word, this.#names));
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

/** Says of a function which word decides about it: the last that matches, or undefined. */
function decider(words: readonly FilterWord[], names: FunctionNames): (n: number) => FilterWord | undefined {
  const plain = new Map<string, number>();
  const tests: { at: number; matches: (n: number) => boolean }[] = [];
  for (const [at, word] of words.entries()) {
    if (isPlain(word.pattern) && word.module === undefined) plain.set(word.pattern, at);
    else tests.push({ at, matches: wordTest(word, names) });
  }
  return (n) => {
    const tested = tests.findLast(({ matches }) => matches(n))?.at ?? -1;
    return words[Math.max(tested, plain.get(names.name(n)) ?? -1)];
  };
}

/** The words of a filter that match no function that is linked: what `set_ftrace_filter` lists after the functions, newest first. */
export function waitingWords(filter: FunctionFilter, names: FunctionNames): readonly FilterWord[] {
  if (filter.words.length === 0) return [];
  const linked = new Set(names.listed.map((n) => names.name(n)));
  const waiting = filter.words.filter((word) => {
    if (word.not) return false;
    if (isPlain(word.pattern) && word.module === undefined) return !linked.has(word.pattern);
    return !names.listed.some(wordTest(word, names));
  });
  return waiting.reverse();
}

/** The filter after functions were linked: each of `linked` goes in when the last word that matches it says so. */
export function filterLinked(filter: FunctionFilter, names: FunctionNames, linked: readonly number[]): FunctionFilter {
  if (filter.words.length === 0) return filter;
  const decide = decider(filter.words, names);
  const added = linked.filter((n) => decide(n)?.not === false);
  return added.length === 0 ? filter : { functions: new Set([...filter.functions, ...added]), words: filter.words };
}
