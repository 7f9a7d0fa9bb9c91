import { isPlain } from '../../base/glob.js';
import { type FunctionNames, functionTest } from '../../ftrace/function-match.js';
import type { WrittenPlace } from '../../probes/probe-definition.js';

/** What a probe needs to know about the functions of the process. */
export interface ProbeFunctions {
  /** Functions that there are now. */
  names(): FunctionNames;
  /** The functions of a name; without a package the application's, or if it has none, those of all packages. */
  find(symbol: string, module: string | undefined): readonly number[];
  params(n: number): readonly string[];
  /** Whether its entry has a `this`. */
  hasThis(n: number): boolean;
}

/** A place that a symbol, or a glob, names. */
export type SymbolPlace = Extract<WrittenPlace, { kind: 'symbol' }>;

/** Whether a place is the entry of what its symbol means. */
export const isAtSymbols = (place: WrittenPlace): place is SymbolPlace => place.kind === 'symbol' && place.offset === 0;

/**
 * The functions that a symbol means now: all that a glob matches, and otherwise the first of the name.
 * @param linked a glob means only those of these, and a symbol without a package only the application's; absent: of all
 */
export function meantBy(
  { symbol, module }: SymbolPlace,
  functions: ProbeFunctions,
  linked?: readonly number[],
): readonly number[] {
  if (isPlain(symbol)) return functions.find(symbol, module ?? (linked && '')).slice(0, 1);
  const names = functions.names();
  const isMeant = functionTest({ pattern: symbol, ...(module !== undefined && { module }) }, names);
  return (linked ?? names.listed).filter(isMeant);
}
