import type { ProbeAlias, StapFile } from '../syntax-tree.js';

/** The tapsets that a script can use: files of definitions, each read when a name of it is first needed. */
export interface TapsetLibrary {
  /** The file that defines a function; undefined: none does. */
  fileOfFunction(name: string): StapFile | undefined;
  fileOfGlobal(name: string): StapFile | undefined;
  /** The aliases whose first component has this name, or matches this glob. */
  aliases(first: string): readonly { readonly alias: ProbeAlias; readonly file: StapFile }[];
  /** All names that begin a point, and those of all functions, for errors. */
  readonly pointNames: readonly string[];
  readonly functionNames: readonly string[];
}
