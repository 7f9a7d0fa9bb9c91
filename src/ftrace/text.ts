import type { RegisterParameter } from '../base/register-parameter.js';

/**
 * Program text as everything except its port sees it: functions with numbers, addresses and names. `port.ts` is the contract
 * with the code that knows how a site is found, made a NOP and patched.
 */

/** One function of a text. Offsets are UTF-16 units from the start of the source as loaded; its address is base + start. */
export interface TextFunction {
  readonly start: number;
  readonly end: number;
  /** 1-based, as V8 prints them in a stack trace. */
  readonly line: number;
  readonly column: number;
  /** The symbol: never white space, never one of `: * ? [ ] ! # ,`. */
  readonly name: string;
  /** The function's kind, by the port's own numbers: less than 256. */
  readonly kind: number;
  /** Present if there is no `this` at its entry: that of an arrow is the outer function's, a derived class makes it later. */
  readonly lacksThis?: true;
  /** Present for a generator: its calls return neither its result nor a promise of it. */
  readonly yields?: true;
  /** The names of the values that the entry site passes, in order. */
  readonly params: readonly string[];
  /**
   * Arguments that give a function with the same parameters the values of `params`, as text; absent if the parameters are plain
   * names. Empty if there are no such arguments.
   */
  readonly repack?: string;
  /** Present for the code of a module outside of functions: what its import declarations name, as written. */
  readonly imports?: readonly string[];
  /** Present if no other function can take its place: the reason. */
  readonly kept?: string;
  /** Present if nothing is told of its end: the reason. */
  readonly unheard?: string | undefined;
  /** Sites at the function's statements, in the order of the text; absent if it has none. Decodes them: takes time. */
  statements?(): readonly StatementSite[];
  /** Present if the function has no site: the reason, as in `functions_without_sites`. */
  readonly reason?: string | undefined;
}

/** A site at a statement of a function. Offsets are units from the function's start. */
export interface StatementSite {
  /**
   * Whenever the first place for a probe in this part is reached, the site was just before, and the reverse. Empty where a
   * `catch` begins that has no such place.
   */
  readonly from: number;
  readonly to: number;
  /** The names of the values that it passes, in order; `this` may be one of them. */
  readonly names: readonly string[];
}

/** A place in a text: a line from 1, a column from 0. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/** The part of a text between two places; `to` is not part of it. */
export interface TextPart {
  readonly from: TextPlace;
  readonly to: TextPlace;
}

/** A line in the original source. */
export interface AuthorsPlace {
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** Where lines of the original source are in a text, and the reverse. */
export interface AuthorsLines {
  /**
   * The parts that come from a line of a file, which is named by its path or the end of it; undefined: nothing does of this file.
   */
  partsOf(path: string, line: number): readonly TextPart[] | undefined;
  /** Undefined for what was not in the original source. */
  placeOf(line: number, column: number): AuthorsPlace | undefined;
}

/** A name that a probe at some place can read. */
export interface VisibleVariable {
  readonly name: string;
  /** How it is declared: a word such as `parameter`, `let`, `closure`; of what stands outside of all functions `module let`. */
  readonly kind: string;
  /** The variable's type, where variables have one. */
  readonly type?: string;
}

/** The variables of a module, as the entry of one of its functions sees them. */
export interface ModuleScope {
  /** Variables that code can reach, with how each is declared: `let`, `const`, `import`. */
  readonly variables: readonly VisibleVariable[];
  /** Variables that are gone, because no function uses them. */
  readonly unkept: readonly string[];
  /** Names that mean something else in the function. */
  readonly hidden: readonly string[];
  /** Code that lets go of the values of the call in which the variables were reached. */
  readonly forget: string;
}

/** From the first unit to before the last. */
export type TextSpan = readonly [from: number, to: number];

/** The parts of a `try` statement, in units from the start of its function. */
export interface TryBlocks {
  readonly block: TextSpan;
  readonly handler?: TextSpan;
  readonly finalizer?: TextSpan;
  /** The finalizer has a jump, which may end an exception that is under way. */
  readonly mayEndThrow?: boolean;
}

/** Where a statement ends, if not with its call. In units from the start of its function. */
export interface StatementEnd {
  /** The first places of the statements of which one begins next in the same call: of these, and maybe of more. */
  readonly next: readonly number[];
  /** Where the body of the `catch` begins that an exception in it comes to. */
  readonly caught?: number;
}

/** A place in the code of a function. */
export interface CodePlace {
  /** Units from the function's start; 0: its entry. */
  readonly offset: number;
  /** Whether the place was named as a line of the function itself; absent: what was inlined there has the innermost names. */
  readonly isOwn?: boolean;
}

/** Where code of one line begins in a function, or in one copy of it. */
export interface LineCopy {
  /** Units from the start of the text, by address. */
  readonly offsets: readonly number[];
  /** Whether the line is the function's own, not that of a copy in another one. */
  readonly isOwn: boolean;
}

/** A line on which code of a function begins. */
export interface CodeLine {
  /** Units from the function's start. */
  readonly offset: number;
  readonly line: number;
}

/** A function that was inlined: the line on which it begins, and those on which code of a copy of it begins. */
export interface InlinedLines extends AuthorsPlace {
  readonly lines: ReadonlySet<number>;
}

/**
 * What compilers note for debuggers of a text that is machine code: its source's lines, and where its variables are. It is read
 * when it is asked for. Texts that it returns in place of an answer say why there is none: they end a sentence, or are one.
 */
export interface DebugInformation {
  /** Why there is none; undefined: there is some. */
  readonly lack: string | undefined;
  /** Where a function begins in its source; undefined: it is not known. */
  placeOf(one: TextFunction): AuthorsPlace | undefined;
  /** The line of the instruction at an offset of the text; in code of a function that was inlined, that function's. */
  placeAt(offset: number): AuthorsPlace | undefined;
  /** The lines of a function at which code begins, by address, without those of functions that were inlined into it. */
  linesOf(one: TextFunction): readonly CodeLine[];
  /**
   * The whole path of a file from which something was compiled, and which is named by its path or the end of it; undefined: there
   * is none.
   */
  fileNamed(path: string): string | undefined;
  /** The lines of a file on which code begins. */
  linesOfFile(path: string): ReadonlySet<number>;
  /**
   * Where code of a line begins, in each function that has some of it, and in each copy of a function that was inlined.
   */
  onLine(path: string, line: number): readonly LineCopy[];
  /** The copies of a line of a function that was inlined, 0 its first. */
  onInlinedLine(name: string, line: number): readonly LineCopy[];
  /** Whether copies of a function were inlined. */
  isInlined(name: string): boolean;
  /** Where a function that was inlined is in its source; undefined: no function of the name was, or that is not known. */
  linesOfInlined(name: string): InlinedLines | undefined;
  /** The parameters of a function, and in which registers they are when it is called; undefined: they are not known. */
  registersOf(one: TextFunction): readonly RegisterParameter[] | undefined;
  /** What a probe can read at a place in a function. */
  variables(one: TextFunction, place: CodePlace): readonly VisibleVariable[];
}

/** A text as linked into the process. */
export interface LinkedText {
  /** File path or URL as the program knows it. */
  readonly file: string;
  /** npm package name, or '' for the application's own package (as vmlinux has no `[module]`). */
  readonly module: string;
  /** Length of the source in UTF-16 units. */
  readonly length: number;
  /** The address of the first unit. */
  readonly base: number;
  /** The number of the first function; functions[i] has number firstFunction + i. */
  readonly firstFunction: number;
  readonly functions: readonly TextFunction[];
  /** The file that loaded it first, where that is known when it is loaded: by `require`. */
  readonly importer?: string;
  /** Nanoseconds that it took to give it its sites when it was loaded; absent: not measured. */
  readonly siteTime?: number;
  /** Nanoseconds that it took to read its file; absent: not measured. */
  readonly readTime?: number;
  /** Whether the text was loaded before fentry was attached: breakpoints take the place of sites. */
  readonly isLoadedBefore?: boolean;
  /** The symbol of its code outside of functions, which may call them, and the unit at which that begins. */
  readonly body?: { readonly name: string; readonly start: number };
  /** Where in the text a byte of its file is; undefined: nowhere. Absent: the file is the text. */
  unitAt?(offset: number): number | undefined;
  /** What is known of its source, if it is machine code. */
  readonly debug?: DebugInformation;
  /** The text's functions in the original source, if the text was compiled from one. Reads the source map: takes time. */
  authors?(): AuthorsFunctions;
  /** The text's lines in the original source, if it was compiled from one. */
  authorsLines?(): AuthorsLines | undefined;
  /** The original source of a file, named by its path or the end of it; undefined if it is not known. */
  authorsSource?(path: string): string | undefined;
  /**
   * The names that can be read in one of its functions, so many units from its start; 0: at its entry. Absent: the port knows
   * none.
   * @param source the text itself
   */
  variables?(source: string, one: TextFunction, offset: number): readonly VisibleVariable[];
  /** The variables of its module, at the entry of one of its functions. Absent, undefined: the port knows none. */
  moduleScope?(source: string, one: TextFunction): ModuleScope | undefined;
  /** Where exceptions are caught in one of its functions. Absent, undefined: it is not known. */
  tryBlocks?(source: string, one: TextFunction): readonly TryBlocks[] | undefined;
  /**
   * Where the statement at a place of one of its functions ends. A text says why that cannot be heard, as the end of a sentence
   * about the place. Absent, undefined: it is not known.
   * @param places all places of the function; both as offsets from its start
   */
  whatFollows?(source: string, one: TextFunction, offset: number, places: readonly number[]): StatementEnd | string | undefined;
}

/** A function in the original source. */
export interface AuthorsFunction {
  readonly name: string;
  readonly module: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** One for each function of a text; undefined or absent if the text itself has the best data of a function. */
export type AuthorsFunctions = readonly (AuthorsFunction | undefined)[];

/** The reason for a function without a site that a breakpoint can reach: it was loaded before fentry. */
export const LOADED_BEFORE = 'loaded before fentry: set_ftrace_filter reaches it by a breakpoint';
