/**
 * What a port of fentry to one kind of program text must offer. `ftrace/` decides which functions are to
 * call which trampoline; a port (`arch/v8`, later native text) knows how a site is found, made a NOP and patched.
 */

/** How a function's activations run. Coroutines suspend, so they need their own trampolines. */
export const FUNCTION_KINDS = [
  'function',
  'arrow',
  'method',
  'getter',
  'setter',
  'constructor',
  'derived-constructor',
  'async',
  'generator',
  'async-generator',
] as const;
export type FunctionKind = (typeof FUNCTION_KINDS)[number];

export const COROUTINE_KINDS: ReadonlySet<FunctionKind> = new Set(['async', 'generator', 'async-generator']);

/** Why a function carries no patch site; the text is what a user reads in `functions_without_sites`. */
export const NO_SITE_REASONS = {
  with: 'inside or around a with statement: the site’s names would be looked up in the object',
  asm: 'asm.js module: any insertion makes it invalid',
  unparsed: 'the parser could not read this source',
  early: 'loaded before fentry: set_ftrace_filter reaches it by a breakpoint',
  loop: 'loaded before fentry, and begins with a loop: each turn would hit its breakpoint',
  curried: 'loaded before fentry, and is an arrow that does nothing but make a function: a breakpoint would be that one’s',
  excluded: 'its package is not instrumented',
  frozen: 'the program froze the global object, which has no place for its cells',
  foreign: 'Node’s own or of a text without sites; listed because it stood on the stack of a traced one',
} as const;
export type NoSiteReason = keyof typeof NO_SITE_REASONS;

/** One function of a text. Offsets are UTF-16 units from the start of the source as loaded; its address is base + start. */
export interface TextFunction {
  readonly start: number;
  readonly end: number;
  /** 1-based, as V8 prints them in a stack trace. */
  readonly line: number;
  readonly column: number;
  /** The symbol: never white space, never one of `: * ? [ ] ! # ,`. */
  readonly name: string;
  readonly kind: FunctionKind;
  /** The names of the values that the entry site passes, in order. */
  readonly params: readonly string[];
  /** Whether the entry site passes `this` (else it passes undefined). */
  readonly hasThis: boolean;
  /** Present when the function carries no site. */
  readonly reason?: NoSiteReason;
}

/** A module's text as linked into the process: what `link` publishes once for each source. */
export interface LinkedText {
  /** File path or URL as the program knows it. */
  readonly file: string;
  /** npm package name, or '' for the application's own package (as vmlinux has no `[module]`). */
  readonly module: string;
  /** Length of the source in UTF-16 units. */
  readonly length: number;
  /** Low 32 bits of the address of the first unit. */
  readonly base: number;
  /** The number of the first function; functions[i] has number firstFunction + i. */
  readonly firstFunction: number;
  readonly functions: readonly TextFunction[];
  /** It was loaded before fentry came: breakpoints do what sites do elsewhere. */
  readonly isEarly?: boolean;
  /** URL or path from `//# sourceMappingURL=`, as written. */
  readonly sourceMappingURL?: string;
  /** What the parser said of a text that it could not read; such a text is one function, the file, without a site. */
  readonly parserError?: string;
}

/**
 * Says, while `trampoline` runs, from where the function whose site called it was called: low 32 bits of an address inside
 * the caller, as a return address is; 0 when that is not known. Runs no code of the program, and never throws.
 */
export type FindCaller = (trampoline: (...args: never[]) => unknown) => number;

/**
 * Fills `addresses` with where the functions stand that are on the calling thread's JavaScript stack: the low 32 bits of an
 * address inside each, innermost first, fentry's own left out. Returns how many there are. Runs no code of the program,
 * and never throws.
 * @param withAwaiting whether the functions that await the outermost one follow, behind a frame that says so
 */
export type WalkStack = (addresses: Uint32Array, withAwaiting: boolean) => number;

/**
 * How many bytes of its stack the calling thread uses, those of native code too and its own not. Calls of it cost
 * microseconds. `end` lets go of what it needs.
 */
export interface StackDepth {
  (): number;
  end(): void;
}

/** High 32 bits of every address, as kernel text has them. */
export const TEXT_HIGH = 0xffffffff;
/** Low 32 bits of the first text's base. */
export const TEXT_LOW = 0x81000000;
