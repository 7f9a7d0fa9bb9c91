import { type LinkedText, LOADED_EARLY, type TextFunction } from '../arch.js';

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

/** Why a function has no patch site; the text is what a user reads in `functions_without_sites`. */
export const NO_SITE_REASONS = {
  with: 'inside or around a with statement: the site’s names would be looked up in the object',
  asm: 'asm.js module: any insertion makes it invalid',
  unparsed: 'the parser could not read this source',
  early: LOADED_EARLY,
  loop: 'loaded before fentry, and begins with a loop: each turn would hit its breakpoint',
  curried: 'loaded before fentry, and is an arrow that does nothing but make a function: a breakpoint would be that one’s',
  excluded: 'its package is not instrumented',
  frozen: 'the program froze the global object, which has no place for its cells',
  foreign: 'Node’s own or of a text without sites; listed because it stood on the stack of a traced one',
} as const;
export type NoSiteReason = keyof typeof NO_SITE_REASONS;

/** A JavaScript function. */
export interface JsFunction extends Omit<TextFunction, 'kind' | 'reason'> {
  readonly kind: FunctionKind;
  /** Whether the entry site passes `this` (else it passes undefined). */
  readonly hasThis: boolean;
  /** Present if the function has no site. */
  readonly reason?: NoSiteReason;
}

/** A JavaScript text as a thread has linked it, decoded. */
export interface JsText extends Omit<LinkedText, 'functions' | 'body' | 'authors'> {
  readonly functions: readonly JsFunction[];
  /** URL or path from `//# sourceMappingURL=`, as written. */
  readonly sourceMappingURL?: string;
  /** The parser's error for a text that it could not read; such a text is one function, the file, without a site. */
  readonly parserError?: string;
}

/** The function as the rest of fentry sees it. @param parserError the parser's error for its text */
export const textFunction = ({ kind, reason, hasThis: _, ...one }: JsFunction, parserError?: string): TextFunction => ({
  ...one,
  kind: FUNCTION_KINDS.indexOf(kind),
  ...(reason && { reason: parserError === undefined ? NO_SITE_REASONS[reason] : `${NO_SITE_REASONS[reason]}: ${parserError}` }),
});
