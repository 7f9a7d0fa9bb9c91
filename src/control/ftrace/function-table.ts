import type { Place } from '../../answers/place.js';
import { FTRACE_FL } from '../../ftrace/records.js';
import type { ProcessTracer } from './process-tracer.js';
import type { TextTable } from './text-table.js';

/** The functions that are decoded now, by function number: their texts, and what their sites call. */
export class FunctionTable {
  readonly #table: TextTable;
  readonly #tracer: ProcessTracer;
  /** Highest number + 1. */
  readonly count: number;

  constructor(table: TextTable, tracer: ProcessTracer) {
    this.#table = table;
    this.#tracer = tracer;
    this.count = table.count;
  }

  /** Numbers in the order of their addresses; functions without a patch site included. */
  numbers(): Iterable<number> {
    return this.#table.numbers();
  }

  name(n: number): string {
    return this.#table.name(n);
  }

  /**
   * The functions of a name, in the order of their addresses.
   * @param module their package; undefined: the application's, or if it has none, those of all packages
   */
  find(name: string, module: string | undefined): readonly number[] {
    return this.#table.find(name, module);
  }

  /** npm package, '' for the application's own. */
  module(n: number): string {
    return this.#table.module(n);
  }

  address(n: number): number {
    return this.#table.address(n);
  }

  /** Why it has no patch site, or undefined when it has one. */
  reason(n: number): string | undefined {
    return this.#table.reason(n);
  }

  /** Whether it was loaded before fentry, so that only a breakpoint reaches it. */
  isLoadedBefore(n: number): boolean {
    return this.#tracer.records.isLoadedBefore(n);
  }

  /** Why no other code can run in its place, or undefined if it can. */
  kept(n: number): string | undefined {
    return this.#table.function(n).kept;
  }

  /** Where it is defined, in its author's source. */
  place(n: number): Place {
    return this.#table.place(n);
  }

  /** File, line and column of its definition, for functions_without_sites. */
  location(n: number): string {
    return this.#table.location(n);
  }

  /** The number of ops that want it; 0: its site is a NOP. */
  refs(n: number): number {
    return this.#tracer.records.references(n);
  }

  /** Whether any ops ever wanted it. */
  touched(n: number): boolean {
    return this.#has(n, FTRACE_FL.TOUCHED);
  }

  /** Whether one of them wants `this` and the arguments. */
  wantsRegs(n: number): boolean {
    return this.#has(n, FTRACE_FL.REGS);
  }

  /** Whether one of them may have other code run in its place. */
  isModified(n: number): boolean {
    return this.#has(n, FTRACE_FL.IPMODIFY);
  }

  /** The name of the callback if only one subscriber wants it. */
  trampoline(n: number): string | undefined {
    return this.#tracer.trampoline(n);
  }

  /** The text of dyn_ftrace_total_info. */
  totalInfo(): string {
    return this.#tracer.records.totalInfo();
  }

  #has(n: number, flag: number): boolean {
    return (this.#tracer.records.flags(n) & flag) !== 0;
  }
}
