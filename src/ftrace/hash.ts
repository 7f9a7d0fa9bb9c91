import { FunctionSet } from './bitset.js';
import type { FilterPattern } from './pattern.js';

/**
 * The functions that a filter or notrace file holds (struct ftrace_hash), with what is to be applied to texts
 * that are linked later: the patterns that were written, in order, and the `:mod:` lines whose module is not loaded yet.
 */
export class FtraceHash {
  readonly functions: FunctionSet;
  /** `:mod:` lines that wait for their module (the kernel's ftrace_mod_load), shown in the file as they were written. */
  readonly pending: FilterPattern[];
  /** Every pattern written since the last truncation, so that a text linked later is filtered as the earlier ones were. */
  readonly history: FilterPattern[];

  constructor(from?: FtraceHash) {
    this.functions = new FunctionSet(from?.functions);
    this.pending = from ? [...from.pending] : [];
    this.history = from ? [...from.history] : [];
  }

  has(n: number): boolean {
    return this.functions.has(n);
  }

  /** Nothing is filtered. A filter that only waits for a module is not empty: it matches nothing yet (FTRACE_HASH_FL_MOD). */
  get isEmpty(): boolean {
    return this.functions.size === 0 && this.pending.length === 0;
  }
}
