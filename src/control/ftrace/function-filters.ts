import { FILTER_NAMES, type FilterName, type FunctionFilter, filterLinked } from '../../ftrace/function-filter.js';
import type { FunctionNames } from '../../ftrace/function-match.js';
import { EMPTY_HASH, isEmptyHash } from '../../ftrace/hash.js';

/** A graph filter as bits by function number, 32 a word; undefined when it is off. */
export function bitsOf(filter: FunctionFilter): Uint32Array | undefined {
  if (isEmptyHash(filter)) return undefined;
  let highest = 0;
  for (const n of filter.functions) if (n > highest) highest = n;
  const words = new Uint32Array((highest >>> 5) + 1);
  for (const n of filter.functions) words[n >>> 5]! |= 1 << (n & 31);
  return words;
}

/** The four filters of function tracing, kept up with the texts that are linked. */
export class FunctionFilters {
  readonly #filters: Record<FilterName, FunctionFilter> = {
    filter: EMPTY_HASH,
    notrace: EMPTY_HASH,
    graph: EMPTY_HASH,
    graphNotrace: EMPTY_HASH,
  };

  get(which: FilterName): FunctionFilter {
    return this.#filters[which];
  }

  set(which: FilterName, filter: FunctionFilter): void {
    this.#filters[which] = filter;
  }

  /** Whether any filter has words, so that texts linked later must be looked at. */
  get hasWords(): boolean {
    return FILTER_NAMES.some((which) => this.#filters[which].words.length > 0);
  }

  /** Adds functions that were linked; returns the filters that changed. */
  link(names: FunctionNames, linked: readonly number[]): readonly FilterName[] {
    return FILTER_NAMES.filter((which) => {
      const before = this.#filters[which];
      const after = filterLinked(before, names, linked);
      this.#filters[which] = after;
      return after !== before;
    });
  }
}
