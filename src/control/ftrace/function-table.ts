/** The functions linked so far, by function number. */
export interface FunctionTable {
  /** Numbers in the order of their addresses; functions without a patch site included. */
  numbers(): Iterable<number>;
  /** Highest number + 1. */
  readonly count: number;
  name(n: number): string;
  /**
   * The functions of a name, in the order of their addresses.
   * @param module their package; undefined: the application's, or if it has none, those of all packages
   */
  find(name: string, module: string | undefined): readonly number[];
  /** npm package, '' for the application's own. */
  module(n: number): string;
  address(n: number): number;
  params(n: number): readonly string[];
  /** Why it has no patch site, or undefined when it has one. */
  reason(n: number): string | undefined;
  /** Whether it was loaded before fentry, so that only a breakpoint reaches it. Absent: no function was. */
  isEarly?(n: number): boolean;
  /** Why no other code can run in its place, or undefined if it can. Absent: it can. */
  kept?(n: number): string | undefined;
  /** File, line and column of its definition, for functions_without_sites. */
  location(n: number): string;
  /** The number of ops that want it; 0: its site is a NOP. */
  refs(n: number): number;
  /** Whether any ops ever wanted it. */
  touched(n: number): boolean;
  /** Whether one of them wants `this` and the arguments. */
  wantsRegs(n: number): boolean;
  /** Whether one of them may have other code run in its place. */
  isModified(n: number): boolean;
  /** The name of the callback if only one subscriber wants it. */
  trampoline(n: number): string | undefined;
  /** The text of dyn_ftrace_total_info. */
  totalInfo(): string;
}
