/** What the parser in WebAssembly (parser/index.ts) exports. Each call that makes room may take the memory's buffer away. */
export interface Parser {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** Makes room for so many units, and returns the address for them. */
  readonly reserve: (units: number) => number;
  /** Parses them. Returns the address of the program. */
  readonly parse: (type: number, isWhole: boolean) => number;
  /** Makes room in place of the tree for what `encode` is given, and what it writes. Returns its address. */
  readonly give: (bytes: number) => number;
  /** Writes the stored form of edits behind what was given. Returns where it ends. */
  readonly encode: () => number;
  /** Makes room behind what was given, and returns its address. */
  readonly behind: (bytes: number) => number;
  /** Writes the text. Returns where it ends. */
  readonly assemble: (templates: number, text: number, firstFunction: number) => number;
  /** Whether it has two bytes a unit. */
  readonly isTextWide: () => number;
}
