import { basename } from 'node:path';
import { symbolPart } from '../instrument/symbol-text.js';
import { isModuleCode, type JsFunction, type JsText } from '../js-text.js';
import type { Placement } from '../text/placement.js';
import { decodeFunctions } from './function-table.js';

/**
 * The announcement of a text that a thread has just linked, in a form that costs that thread nothing: structured clone moves or
 * copies it, and the control thread reads names from it when they are needed.
 */
export interface LinkEvent {
  /** Path of the file, or URL where it is none. */
  readonly file: string;
  /** npm package name, '' for the application's own. */
  readonly module: string;
  /** Length of the original text in UTF-16 units. */
  readonly length: number;
  readonly base: number;
  readonly firstFunction: number;
  readonly functionCount: number;
  /** The file whose code was running that required it; absent: there is none, or it is not asked for (`module_sites`). */
  readonly importer?: string;
  /** Nanoseconds that its sites took: to find them, or to read them from the cache. Absent as above. */
  readonly siteTime?: number;
  /** Nanoseconds that it took to read its file, with what other load hooks made of it. Absent as above, or not known. */
  readonly readTime?: number;
  /** Whether the text was loaded before fentry was attached, and has no sites. */
  readonly isLoadedBefore?: boolean;
  /** The word as written after `//# sourceMappingURL=`. */
  readonly sourceMappingURL?: string;
  /** The parser's error for a text that it could not read. */
  readonly parserError?: string;
  /** Where it begins for V8, if not at its beginning. */
  readonly placement?: Placement;
  /** The bytes of encodeFunctions, at a multiple of 4 of a buffer that has nothing else that the thread still needs. */
  readonly functions: Uint8Array;
}

/** The text with its functions as objects. For the control thread. */
export const readLinkEvent = ({ functionCount, functions, placement, ...rest }: LinkEvent): JsText => {
  const decoded = decodeFunctions(functions, functionCount).map((one) =>
    isModuleCode(one.kind) ? { ...one, name: bodyName(rest.file) } : one,
  );
  return { ...rest, functions: placement === undefined ? decoded : decoded.map((one) => placed(one, placement)) };
};

/** The symbol of a file's code outside of functions. */
export const bodyName = (file: string): string => symbolPart(basename(file));

/** Lines and columns as V8 prints them; a function that begins in what was inserted before the text begins with the text. */
const placed = (one: JsFunction, { lines, columns }: Placement): JsFunction => ({
  ...one,
  line: one.line + lines,
  column: one.line === 1 ? Math.max(1, one.column + columns) : one.column,
});
