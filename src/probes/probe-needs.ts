import type { Errno } from '../base/errno.js';
import type { EventDefinition } from '../events/define.js';
import type { WrittenPlace } from './probe-definition.js';

/** What the parsers ask the process. */
export interface ProbeNeeds {
  /**
   * How many functions have this name.
   * @param module an npm package; undefined: the application's functions, or all others if it has none of this name
   */
  symbols(module: string | undefined, name: string): number;
  /** Whether there are no functions yet: a symbol may still come. */
  hasNoFunctions?(): boolean;
  /** Whether a function of this name was inlined into others, where the text is machine code. */
  isInlined?(name: string): boolean;
  /** The names of a function's parameters; undefined: there is no such function yet. */
  params(module: string | undefined, name: string): readonly string[] | undefined;
  /** Whether a path, or the end of a path, is that of a file with a text; or why it is not. */
  file(path: string): 'regular' | 'other' | Errno;
  /** An event that an eprobe may be attached to: one that records something, and is not a probe itself. */
  event(system: string, name: string): EventDefinition | undefined;
  /**
   * The names of the registers at a place of machine code, where probes fetch from registers and memory; undefined: there is
   * other text. Absent: there is no machine code.
   */
  registersAt?(place: WrittenPlace): ReadonlySet<string> | undefined;
  /** The name of the function that begins at an address. */
  symbolAt?(address: bigint): string | undefined;
  /** A tracepoint, by its name without a system, and the names of its arguments. */
  tracepoint(name: string): { readonly system: string; readonly name: string; readonly args: readonly string[] } | undefined;
}
