/**
 * The numbers that all know who write, read or apply edits: edits.ts, assemble.ts, the walk's list of edits, and what does the
 * same in WebAssembly (parser/edits.ts). This file is compiled as TypeScript and as AssemblyScript.
 */

/** Pieces with arguments of their own, then those that have codes because they stand often. pieces.ts has all by their names. */
export enum Piece {
  Entry,
  Statement,
  Place,
  Caught,
  Value,
  ExitValue,
}

/** What an edit's first number says of its piece; `Other`: its number follows. */
export enum Code {
  Other,
  Entry,
  Value,
  ExitValue,
}

/** The widths of what shares a number with something else. */
export enum Bits {
  /** Flags that fit into an entry's word, behind which a bit says whether more follow. */
  Flags = 3,
  /** Lines since the edit before. */
  Lines = 2,
  NameLength = 4,
}

/** The most that edits take: numbers besides those of names, numbers of a name, bytes of a number. */
export enum Longest {
  Numbers = 7,
  NameNumbers = 2,
  Bytes = 5,
}

/** The words of an edit that a walk has decided. The owner is the index of a function, or -1. */
export enum EditWord {
  Offset,
  Piece,
  Owner,
  First,
  Second,
  Words,
}

/**
 * The words of a function for the writer in WebAssembly: the flags of its entry, or NO_SITES; the index of the first name that
 * the entry passes, and their count.
 */
export enum FunctionWord {
  Flags,
  FirstName,
  Names,
  Words,
}

/** In place of a function's flags: it has no sites. */
export const NO_SITES = -1;

/**
 * What the writer in WebAssembly is given: the counts of edits, functions, lines and names; how many numbers of its own each
 * piece has, Template.Caught words; then the edits, the functions, the offset at which each line begins, and start and end of
 * each name. The second word of a catch's edit is the index of its name and 1, or 0.
 */
export enum Given {
  Edits,
  Functions,
  Lines,
  Names,
  Words,
}

/** The texts of pieces for the assembler in WebAssembly, by these indexes: first those of the pieces, by their numbers. */
export enum Template {
  /** By form, then by whether there is a name: index 2 * form + 1 has one. */
  Caught = 64,
  /** By flags. */
  Entries = 80,
  Count = 144,
}

/** Units in a template that stand for something: an edit's first number (an entry's function) and its second one, its names. */
export enum Blank {
  First = 1,
  Second,
  /** Each name, with a comma before it. */
  Names,
  /** The name alone. */
  Name,
}
