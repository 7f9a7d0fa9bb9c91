import { type LinkedText, LOADED_BEFORE, type TextFunction } from '../ftrace/text.js';
import { decodeStatements } from './text/statement-list.js';

/** How a function's activations run, by the numbers that tables have for it (TextFunction.kind). */
export const FUNCTION_KIND = {
  function: 0,
  arrow: 1,
  method: 2,
  getter: 3,
  setter: 4,
  constructor: 5,
  'derived-constructor': 6,
  async: 7,
  generator: 8,
  'async-generator': 9,
  /** The code of a module outside of functions. */
  module: 10,
  /** The code of a module that waits outside of functions. */
  'async-module': 11,
} as const;
export type FunctionKind = keyof typeof FUNCTION_KIND;

/** Whether functions of a kind suspend, so that they need trampolines of their own. */
export const isCoroutine = (kind: number): boolean =>
  kind === FUNCTION_KIND.async ||
  kind === FUNCTION_KIND.generator ||
  kind === FUNCTION_KIND['async-generator'] ||
  kind === FUNCTION_KIND['async-module'];

/** Whether it is the kind of a module's code outside of functions. */
export const isModuleCode = (kind: number): boolean => kind === FUNCTION_KIND.module || kind === FUNCTION_KIND['async-module'];

/** Whether functions of a kind yield. */
export const isGenerator = (kind: FunctionKind): boolean => kind === 'generator' || kind === 'async-generator';

/** Why a function has no patch site; the text is what a user reads in `functions_without_sites`. */
export const NO_SITE_REASONS = {
  with: 'inside or around a with statement: the site’s names would be looked up in the object',
  asm: 'asm.js module: any insertion makes it invalid',
  unparsed: 'the parser could not read this source',
  loadedBefore: LOADED_BEFORE,
  loop: 'loaded before fentry, and begins with a loop: each turn would hit its breakpoint',
  curried: 'loaded before fentry, and is an arrow that does nothing but make a function: a breakpoint would be that one’s',
  excluded: 'its package is not instrumented',
  rethrows: 'throws the program’s errors again: Node shows its text above each',
  frozen: 'the program froze the global object, which has no place for its cells',
  await: 'on the line of a top-level await, which Node prints if that await is never settled',
  helper: 'put into the text by esbuild or tsx: it is not the program’s',
  foreign: 'Node’s own or of a text without sites; listed because it stood on the stack of a traced one',
} as const;
export type NoSiteReason = keyof typeof NO_SITE_REASONS;

/** A JavaScript function. */
export interface JsFunction extends Omit<TextFunction, 'reason' | 'kept' | 'statements' | 'lacksThis'> {
  /** Whether the entry site passes `this` (else it passes undefined). */
  readonly hasThis: boolean;
  /** Present if the function has no site. */
  readonly reason?: NoSiteReason;
  /** The text's sites at statements as encodeStatements stores them. */
  readonly statements?: string;
}

/** A JavaScript text as a thread has linked it, decoded. */
export interface JsText extends Omit<LinkedText, 'functions' | 'body' | 'authors' | 'authorsLines'> {
  readonly functions: readonly JsFunction[];
  /** URL or path from `//# sourceMappingURL=`, as written. */
  readonly sourceMappingURL?: string;
  /** The parser's error for a text that it could not read; such a text is one function, the file, without a site. */
  readonly parserError?: string;
}

/** Why functions of some kinds cannot be replaced; by kind. */
const GENERATOR = 'a generator cannot be replaced: its body begins after it was called';
const MODULE = 'the code of a module cannot be replaced: it has run when its place is known';
const KEPT: Readonly<Record<number, string>> = {
  [FUNCTION_KIND.generator]: GENERATOR,
  [FUNCTION_KIND['async-generator']]: GENERATOR,
  [FUNCTION_KIND.module]: MODULE,
  [FUNCTION_KIND['async-module']]: MODULE,
  [FUNCTION_KIND['derived-constructor']]:
    'the constructor of a derived class cannot be replaced: it has no `this` when it begins',
};

/** Breakpoints are hit at returns, and the end of an async call is no return of V8's. */
const LOADED_BEFORE_UNHEARD = 'it was loaded before fentry, and suspends: its end is not seen';

/** The function of a text as the rest of fentry sees it. */
export const textFunction = (
  { reason, hasThis, statements, ...one }: JsFunction,
  { parserError, isLoadedBefore }: Pick<JsText, 'parserError' | 'isLoadedBefore'> = {},
): TextFunction => ({
  ...one,
  ...(statements !== undefined && { statements: () => decodeStatements(statements) }),
  ...(!hasThis && { lacksThis: true }),
  ...((one.kind === FUNCTION_KIND.generator || one.kind === FUNCTION_KIND['async-generator']) && { yields: true }),
  ...(isLoadedBefore && isCoroutine(one.kind) && { unheard: LOADED_BEFORE_UNHEARD }),
  ...(KEPT[one.kind] && { kept: KEPT[one.kind]! }),
  ...(reason && { reason: parserError === undefined ? NO_SITE_REASONS[reason] : `${NO_SITE_REASONS[reason]}: ${parserError}` }),
});
