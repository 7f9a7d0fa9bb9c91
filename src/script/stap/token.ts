import type { SourceText } from './source-text.js';
import type { StapPlace } from './syntax-tree.js';

export const TOKEN_KINDS = ['identifier', 'keyword', 'operator', 'string', 'number', 'embedded-code', 'junk'] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];

/** A token of a script. Its text is in bytes: each character is one. */
export interface StapToken {
  readonly kind: TokenKind;
  /** A string's without its quotes, with the escapes that mean something as they are written; embedded code's without `%{ %}`. */
  readonly text: string;
  readonly source: SourceText;
  readonly place: StapPlace;
  /** The use of the macro that gave it. */
  readonly usedAt?: StapToken;
  /** Junk: what is wrong with it, unless it is for the parser to say. */
  readonly problem?: string;
}

/** Words that are no names. */
export const STAP_KEYWORDS: ReadonlySet<string> = new Set([
  'probe',
  'global',
  'private',
  'function',
  'if',
  'else',
  'for',
  'foreach',
  'in',
  'limit',
  'return',
  'delete',
  'while',
  'break',
  'continue',
  'next',
  'string',
  'long',
  'try',
  'catch',
]);

/** Operators that end at the longest match; what is none of these is one of a single character. */
export const LONG_TOKENS: readonly string[] = [
  '<<<',
  '<<=',
  '>>=',
  '>>>',
  '++',
  '--',
  '+=',
  '-=',
  '*=',
  '/=',
  '%=',
  '&=',
  '|=',
  '^=',
  '.=',
  '==',
  '!=',
  '<=',
  '>=',
  '<<',
  '>>',
  '&&',
  '||',
  '->',
  '=~',
  '!~',
  '%(',
  '%?',
  '%:',
  '%)',
  '%{',
];

interface TokenOf<Kind extends TokenKind> extends StapToken {
  readonly kind: Kind;
}
export function isOperator(token: StapToken | undefined, text: string): token is TokenOf<'operator'> {
  return token?.kind === 'operator' && token.text === text;
}
export function isKeyword(token: StapToken | undefined, text: string): token is TokenOf<'keyword'> {
  return token?.kind === 'keyword' && token.text === text;
}
