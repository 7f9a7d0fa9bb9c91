import type { BpfLexer, BpfToken } from './lexer.js';
import type { Problem, Span } from './problem.js';
import type { BpfExpression } from './syntax-tree.js';

/** How deep a tree may be: expressions in expressions, and blocks in blocks. */
export const DEEPEST = 300;

export const KEYWORDS = [
  'if',
  'else',
  'while',
  'for',
  'unroll',
  'break',
  'continue',
  'return',
  'struct',
  'union',
  'enum',
  'sizeof',
];

/** Ends the parser; the problem has been noted. */
export class Stop extends Error {}

/** Reads tokens for the parser, and notes problems and how deep it is. Its methods throw Stop where the script is wrong. */
export class TokenReader {
  readonly lexer: BpfLexer;
  readonly problems: Problem[];
  /** Where the last token stands. */
  last: Span = { from: 0, to: 0 };
  readonly #heights = new WeakMap<object, number>();
  #depth = 0;

  constructor(lexer: BpfLexer) {
    this.lexer = lexer;
    this.problems = lexer.problems;
  }

  fail(at: Span, message: string): never {
    this.problems.push({ at, message });
    throw new Stop();
  }

  unexpected(token: BpfToken, expecting?: string): never {
    const what = nameOf(token);
    this.fail(token.at, `syntax error, unexpected ${what}${expecting === undefined ? '' : `, expecting ${expecting}`}`);
  }

  next(): BpfToken {
    if (this.problems.length > 0) throw new Stop();
    const token = this.lexer.next();
    this.last = token.at;
    return token;
  }

  /** Whether the next token is this sign or word; then it is taken. */
  takes(text: string): boolean {
    const token = this.lexer.peek();
    if (token.text !== text || (token.kind !== 'sign' && token.kind !== 'name')) return false;
    this.next();
    return true;
  }

  expect(text: string, expecting = text): BpfToken {
    const token = this.lexer.peek();
    if (token.text !== text || (token.kind !== 'sign' && token.kind !== 'name')) this.unexpected(this.next(), expecting);
    return this.next();
  }

  /** Runs a part of the parser one level deeper. */
  deeper<T>(parse: () => T): T {
    if (++this.#depth > DEEPEST) this.fail(this.lexer.peek().at, `more than ${DEEPEST} levels of parentheses and blocks`);
    const result = parse();
    this.#depth--;
    return result;
  }

  /** Notes how deep a tree of expressions has become. */
  grown(node: BpfExpression, ...parts: readonly BpfExpression[]): BpfExpression {
    const height = 1 + Math.max(0, ...parts.map((part) => this.#heights.get(part) ?? 0));
    if (height > DEEPEST) this.fail(node.at, `an expression of more than ${DEEPEST} levels`);
    this.#heights.set(node, height);
    return node;
  }
}

/** What bpftrace calls a token in its messages. */
function nameOf({ kind, text }: BpfToken): string {
  if (kind === 'end') return 'end of file';
  if (kind === 'sign') return text === ',' ? '","' : text;
  if (kind === 'parameter') return text === '$#' ? '$#' : 'positional parameter';
  if (kind === 'name') return KEYWORDS.includes(text) ? text : 'identifier';
  return kind;
}
