/**
 * The functions that a filter or notrace file holds (struct ftrace_hash). The words of the file are kept too, to apply them to
 * functions that are linked later.
 */
export interface FunctionHash<Word = unknown> {
  readonly functions: ReadonlySet<number>;
  /** In the order in which they were written. */
  readonly words: readonly Word[];
}

/** The hash without a function and without a word. */
export const EMPTY_HASH: FunctionHash<never> = { functions: new Set(), words: [] };

/** Filters nothing. A hash whose words only wait for functions is not empty: it matches none yet (FTRACE_HASH_FL_MOD). */
export const isEmptyHash = (hash: FunctionHash): boolean => hash.functions.size === 0 && hash.words.length === 0;
