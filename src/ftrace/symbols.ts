/**
 * What the filters and listings need to know of the functions: the symbols of every linked text, by function number.
 * Function numbers are process-wide and dense per text; number N is also the N of the patch cell.
 */
export interface FunctionSymbols {
  /** One more than the highest function number in use. */
  readonly count: number;
  /** The symbol of function `n`, without its module. */
  name(n: number): string;
  /** Its npm package, or '' for the application's own (the kernel's vmlinux). */
  module(n: number): string;
  /** Low 32 bits of its address. */
  addressLow(n: number): number;
}
