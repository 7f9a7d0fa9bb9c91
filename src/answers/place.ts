/** A place in a source as its author has it: a source map was applied where the text has one. */
export interface Place {
  /** An absolute path; or what the program calls a text that is no file: `node:fs`, `evalmachine.<anonymous>`, a URL. */
  readonly file: string;
  /** From 1; 0 if it is not known. */
  readonly line: number;
  /** From 1; 0 if it is not known, as for machine code. */
  readonly column: number;
}

/** A function on a stack, or one that is counted. */
export interface Frame {
  /** The symbol's name, as `available_filter_functions` has it; what V8 calls a function without a symbol. */
  readonly name: string;
  /** Absent: it is not known. */
  readonly place?: Place;
  /** The npm package; `node` for Node's own modules; absent for the application's own. */
  readonly package?: string;
  /** Whether it is code of the application: neither a package's, nor Node's, nor a tool's that started it. */
  readonly isOwn: boolean;
  /** Present for machine code. */
  readonly isNative?: true;
}
