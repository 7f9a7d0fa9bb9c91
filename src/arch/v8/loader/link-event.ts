import type { LinkedText } from '../../arch.js';
import { decodeFunctions } from './function-table.js';

/**
 * What a thread tells of a text that it has just linked, in a form that costs that thread nothing: structured clone moves
 * or copies it, and the control thread reads names from it when somebody asks.
 */
export interface LinkEvent {
  /** Path of the file, or URL where it is none. */
  readonly file: string;
  /** npm package name, '' for the application's own. */
  readonly module: string;
  /** UTF-16 units of the text as the author wrote it. */
  readonly length: number;
  readonly base: number;
  readonly firstFunction: number;
  readonly functionCount: number;
  /** It was loaded before fentry came, and has no sites. */
  readonly isEarly?: boolean;
  /** As written after `//# sourceMappingURL=`. */
  readonly sourceMappingURL?: string;
  /** What the parser said of a text that it could not read. */
  readonly parserError?: string;
  /** encodeFunctions' bytes, at a multiple of 4 of a buffer that holds nothing else the thread still needs. */
  readonly functions: Uint8Array;
}

/** The text with its functions as objects. For the control thread. */
export const readLinkEvent = ({ functionCount, functions, ...rest }: LinkEvent): LinkedText => ({
  ...rest,
  functions: decodeFunctions(functions, functionCount),
});
