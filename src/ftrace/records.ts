import { grown } from '../base/grown.js';
import { PAGE } from '../base/page.js';

/** Bits of a record's word, as FTRACE_FL_* (include/linux/ftrace.h); the low bits count the ops that call it. */
export const FTRACE_FL = {
  /** The site calls a trampoline. */
  ENABLED: 0x80000000,
  /** Some ops wants `this` and the arguments (the kernel's registers). */
  REGS: 0x40000000,
  /** An ops may have other code run in its place. */
  IPMODIFY: 0x04000000,
  /** One ops only: the site calls that ops' own trampoline. */
  TRAMP: 0x10000000,
  /** A breakpoint takes the place of a site: only ops that name the function get it. */
  BREAKPOINT: 0x00200000,
  /** Flag: the function's breakpoint was hit too often, and is removed until a filter or a probe names the function again. */
  OVERHEATED: 0x00400000,
  /** No site in the text: never listed, never patched. */
  DISABLED: 0x02000000,
  /** Was enabled at least once since the text was linked (touched_functions). */
  TOUCHED: 0x00100000,
} as const;

const COUNT_MASK = 0x000fffff;
/** The flags that do not depend on the present subscribers. */
const KEPT = FTRACE_FL.DISABLED | FTRACE_FL.TOUCHED | FTRACE_FL.BREAKPOINT | FTRACE_FL.OVERHEATED;
const RECORD_SIZE = 4;

/**
 * The dyn_ftrace records of the process: one word of flags and reference count a function, by function number.
 * Follows kernel/trace/ftrace.c, where records live in ftrace_pages; here they are one typed array that doubles.
 */
export class DynFtraceRecords {
  #words: Uint32Array<ArrayBuffer> = new Uint32Array(1024);
  #count = 0;
  #sites = 0;
  #groups = 0;

  /** One more than the highest function number that has a record. */
  get count(): number {
    return this.#count;
  }

  /** Functions that can be traced. */
  get sites(): number {
    return this.#sites;
  }

  /**
   * Adds the records of a text, all NOP.
   * @param firstFunction number of its first function
   * @param functions its functions in order; one with a `reason` has no site and is DISABLED
   * @param isLoadedBefore breakpoints take the place of sites
   */
  link(firstFunction: number, functions: readonly { readonly reason?: unknown }[], isLoadedBefore = false): void {
    const end = firstFunction + functions.length;
    this.#words = grown(this.#words, end);
    // Numbers that a text reserved and never published have no site.
    for (let n = this.#count; n < firstFunction; n++) this.#words[n] = FTRACE_FL.DISABLED;
    for (let i = 0; i < functions.length; i++) {
      const disabled = functions[i]!.reason !== undefined;
      this.#words[firstFunction + i] = disabled ? FTRACE_FL.DISABLED : isLoadedBefore ? FTRACE_FL.BREAKPOINT : 0;
      if (!disabled) this.#sites++;
    }
    this.#count = Math.max(this.#count, end);
    this.#groups++;
  }

  flags(n: number): number {
    return this.#words[n]! & ~COUNT_MASK;
  }

  /** How many ops call function `n`. */
  references(n: number): number {
    return this.#words[n]! & COUNT_MASK;
  }

  has(n: number): boolean {
    return n < this.#count && (this.#words[n]! & FTRACE_FL.DISABLED) === 0;
  }

  /** Whether breakpoints reach the function. */
  isLoadedBefore(n: number): boolean {
    return n < this.#count && (this.#words[n]! & FTRACE_FL.BREAKPOINT) !== 0;
  }

  /** Whether its breakpoint was hit too often. */
  isOverheated(n: number): boolean {
    return (this.#words[n]! & FTRACE_FL.OVERHEATED) !== 0;
  }

  setOverheated(n: number, hot: boolean): void {
    if (hot) this.#words[n]! |= FTRACE_FL.OVERHEATED;
    else this.#words[n]! &= ~FTRACE_FL.OVERHEATED;
  }

  /** Sets the subscribers of function `n`: `references` ops, some of which want registers, and one of which may replace it. */
  set(n: number, references: number, wantsRegs: boolean, isModified = false): void {
    let word = this.#words[n]! & KEPT;
    if (references > 0) word |= FTRACE_FL.ENABLED | FTRACE_FL.TOUCHED | references;
    if (references === 1) word |= FTRACE_FL.TRAMP;
    if (references > 0 && wantsRegs) word |= FTRACE_FL.REGS;
    if (references > 0 && isModified) word |= FTRACE_FL.IPMODIFY;
    this.#words[n] = word;
  }

  /** The text of dyn_ftrace_total_info: sites, pages of records, and texts linked (the kernel's groups). */
  totalInfo(): string {
    return `${this.#sites} pages:${Math.ceil((this.#count * RECORD_SIZE) / PAGE)} groups: ${this.#groups}\n`;
  }
}
