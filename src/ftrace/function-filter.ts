import { TraceError } from '../base/errno.js';
import { isPlain } from '../base/glob.js';
import { FunctionMatcher, type FunctionNames, type FunctionPattern, functionTest } from './function-match.js';
import { EMPTY_HASH, type FunctionHash } from './hash.js';

/** The filters: set_ftrace_filter, set_ftrace_notrace, set_graph_function, set_graph_notrace. */
export const FILTER_NAMES = ['filter', 'notrace', 'graph', 'graphNotrace'] as const;
/** The name of one of the filters. */
export type FilterName = (typeof FILTER_NAMES)[number];

/** One word of a filter file, parsed: `!`, a pattern or index, `:mod:MODULE`. */
export interface FilterWord extends FunctionPattern {
  readonly not: boolean;
  readonly text: string;
  /** The error when it matches nothing. */
  readonly unmatched: 'EINVAL' | 'ENOMEM';
}

/**
 * The hash of a filter file: the last word that matches decides about a function that is linked later. Empty: the filter is off.
 */
export type FunctionFilter = FunctionHash<FilterWord>;

/** The place in available_filter_functions that a word names, when it begins with a digit. */
export const leadingIndex = (pattern: string): number | undefined => (/^\d/.test(pattern) ? leadingNumber(pattern) : undefined);

/** A number as strtoul reads it from a text's beginning: hexadecimal after 0x, octal after 0, whatever follows. */
function leadingNumber(text: string): number {
  const [, hexadecimal, octal, decimal] = /^(?:0x([\da-f]+)|0([0-7]*)|(\d+))/i.exec(text) ?? [];
  if (hexadecimal !== undefined) return Number.parseInt(hexadecimal, 16);
  return octal === undefined ? Number(decimal) : Number.parseInt(`0${octal}`, 8);
}

/** Parses one word: EINVAL for an unknown command after the colon, as in `func:cmd`. */
export function parseFilterWord(text: string): FilterWord {
  const not = text.startsWith('!');
  const [pattern = '', command, ...rest] = (not ? text.slice(1) : text).split(':');
  if (command !== undefined && command !== 'mod') throw new TraceError('EINVAL', `unknown command ${command}`);
  const index = leadingIndex(pattern);
  return {
    not,
    pattern,
    text,
    unmatched: command !== undefined && rest.length === 0 && !not ? 'ENOMEM' : 'EINVAL',
    ...(index !== undefined && { index }),
    ...(rest.length > 0 && { module: rest.join(':') }),
  };
}

/** The state of a filter while its file is open for writing: words are added one after the other. */
export class FilterEditor {
  readonly #names: FunctionNames;
  readonly #matcher: FunctionMatcher;
  readonly #functions: Set<number>;
  /** In the order in which they decide. */
  readonly #words: Set<FilterWord>;
  readonly #byKey = new Map<string, FilterWord>();

  constructor(names: FunctionNames, start: FunctionFilter) {
    this.#names = names;
    this.#matcher = new FunctionMatcher(names);
    this.#functions = new Set(start.functions);
    this.#words = new Set(start.words);
    for (const word of start.words) this.#byKey.set(wordKey(word), word);
  }

  /**
   * Applies one word (match_records). EINVAL if it matches no function, unless its module is not loaded yet, or `waits` says
   * that functions may come later (start-up parameters); ENOMEM for `name:mod`.
   */
  apply(word: FilterWord, waits = false): void {
    const matched = this.#matcher.match(word);
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
   * Applies one word of a graph filter (ftrace_graph_set_hash): it has no commands, and removing what is not in it is EINVAL
   * too.
   */
  applyGraph(text: string, waits = false): void {
    const not = text.startsWith('!');
    const word: FilterWord = { not, pattern: not ? text.slice(1) : text, text, unmatched: 'EINVAL' };
    if (not && !this.#matcher.match(word).some((n) => this.#functions.has(n))) {
      throw new TraceError('EINVAL', `no function in the filter matches ${text}`);
    }
    this.apply(word, waits);
  }

  /** A copy of the present state. @param names includes functions that were linked since then: the words decide about them */
  copy(names: FunctionNames = this.#names): FilterEditor {
    const state = { functions: this.#functions, words: [...this.#words] };
    if (names === this.#names) return new FilterEditor(names, state);
    const known = new Set(this.#names.listed);
    return new FilterEditor(
      names,
      filterLinked(
        state,
        names,
        names.listed.filter((n) => !known.has(n)),
      ),
    );
  }

  /** The present filter. */
  result(): FunctionFilter {
    const words = [...this.#words];
    const on = this.#functions.size > 0 || words.some((word) => !word.not && this.#isWaiting(word));
    return on ? { functions: this.#functions, words } : EMPTY_HASH;
  }

  /**
   * Adds a word that waits for its module, even if it is already there; with `!` removes all equal ones (cache_mod). A `*` at
   * the module's end is lost on the way, as in the kernel: it waits for the name before it.
   */
  #applyWaiting(word: FilterWord, written: string): void {
    const module = written.replace(/^(\*?[^*?[\\]+)\*$/, '$1');
    if (word.not) {
      const isMeant = (one: FilterWord): boolean =>
        !one.not && one.module === module && (word.pattern === '*' || one.pattern === word.pattern);
      const meant = [...this.#words].filter(isMeant);
      if (meant.length === 0) throw new TraceError('EINVAL', `nothing waits for ${word.text}`);
      for (const one of meant) this.#forget(one);
    } else {
      if (module !== '' && this.#names.hasModule(module)) throw new TraceError('EINVAL', `no function matches ${word.text}`);
      this.#keep({ ...word, module });
    }
  }

  #remember(word: FilterWord): void {
    const same = this.#byKey.get(wordKey(word));
    if (same !== undefined) this.#forget(same);
    if (!word.not || same === undefined) this.#keep(word);
  }

  #keep(word: FilterWord): void {
    this.#words.add(word);
    this.#byKey.set(wordKey(word), word);
  }

  #forget(word: FilterWord): void {
    this.#words.delete(word);
    this.#byKey.delete(wordKey(word));
  }

  #isWaiting(word: FilterWord): boolean {
    return this.#matcher.match(word).length === 0;
  }
}

/** Words that match the same functions have the same key. */
const wordKey = ({ pattern, module }: FunctionPattern): string => (module === undefined ? pattern : `${pattern}:${module}`);

/** Finds the word that decides about a function: the last one that matches, or undefined. */
export function decider<Word extends FunctionPattern>(
  words: readonly Word[],
  names: FunctionNames,
): (n: number) => Word | undefined {
  const plain = new Map<string, number>();
  const tests: { at: number; matches: (n: number) => boolean }[] = [];
  for (const [at, word] of words.entries()) {
    if (isPlain(word.pattern) && word.module === undefined) plain.set(word.pattern, at);
    else tests.push({ at, matches: functionTest(word, names) });
  }
  return (n) => {
    const tested = tests.findLast(({ matches }) => matches(n))?.at ?? -1;
    return words[Math.max(tested, plain.get(names.name(n)) ?? -1)];
  };
}

/**
 * The words of a filter that match no function that is linked: what `set_ftrace_filter` lists after the functions, newest first.
 */
export function waitingWords(filter: FunctionFilter, names: FunctionNames): readonly FilterWord[] {
  if (filter.words.length === 0) return [];
  const linked = new Set(names.listed.map((n) => names.name(n)));
  const waiting = filter.words.filter((word) => {
    if (word.not) return false;
    if (isPlain(word.pattern) && word.module === undefined) return !linked.has(word.pattern);
    return !names.listed.some(functionTest(word, names));
  });
  return waiting.reverse();
}

/** The filter after functions were linked: each of `linked` is added if the last word that matches it says so. */
export function filterLinked(filter: FunctionFilter, names: FunctionNames, linked: readonly number[]): FunctionFilter {
  if (filter.words.length === 0) return filter;
  const decide = decider(filter.words, names);
  const added = linked.filter((n) => decide(n)?.not === false);
  return added.length === 0 ? filter : { functions: new Set([...filter.functions, ...added]), words: filter.words };
}
