import type { BpfToken } from './lexer.js';
import type { Span } from './problem.js';
import type { BinaryOperator, BpfExpression, CastType, MapNode } from './syntax-tree.js';
import { DEEPEST, KEYWORDS, type TokenReader } from './token-reader.js';

/** The weakest first. */
const BINARY: readonly (readonly BinaryOperator[])[] = [
  ['||'],
  ['&&'],
  ['|'],
  ['^'],
  ['&'],
  ['==', '!='],
  ['<', '<=', '>', '>='],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '%'],
];
const STRENGTH: ReadonlyMap<string, number> = new Map(BINARY.flatMap((row, i) => row.map((operator) => [operator, i] as const)));
const TYPES = /^u?int(?:8|16|32|64)$/;

/** The part of the parser that reads expressions. */
export class ExpressionParser {
  readonly #tokens: TokenReader;

  constructor(tokens: TokenReader) {
    this.#tokens = tokens;
  }

  expression(): BpfExpression {
    return this.#tokens.deeper(() => {
      const condition = this.#binary(0);
      if (!this.#tokens.takes('?')) return condition;
      const yes = this.expression();
      this.#tokens.expect(':');
      const no = this.expression();
      return this.#tokens.grown({ node: 'choice', condition, yes, no, at: this.#from(condition) }, condition, yes, no);
    });
  }

  /** From an expression's start to the last token. */
  #from(expression: BpfExpression): Span {
    return { from: startOf(expression), to: this.#tokens.last.to };
  }

  #binary(weakest: number): BpfExpression {
    let left = this.#unary();
    for (;;) {
      const token = this.#tokens.lexer.peek();
      const strength = token.kind === 'sign' ? STRENGTH.get(token.text) : undefined;
      if (strength === undefined || strength < weakest) return left;
      const { at } = this.#tokens.next();
      const right = this.#binary(strength + 1);
      left = this.#tokens.grown({ node: 'binary', operator: token.text as BinaryOperator, left, right, at }, left, right);
    }
  }

  #unary(): BpfExpression {
    const token = this.#tokens.lexer.peek();
    if (token.kind !== 'sign') return this.#postfix();
    const operator = token.text;
    if (operator === '-' || operator === '~' || operator === '!' || operator === '*') {
      const { at } = this.#tokens.next();
      const number = this.#tokens.lexer.peek();
      if (operator === '-' && number.kind === 'integer') return this.#negative(at);
      const of = this.#tokens.deeper(() => this.#unary());
      return this.#tokens.grown({ node: 'unary', operator, of, at }, of);
    }
    if (operator === '++' || operator === '--') {
      const { at } = this.#tokens.next();
      const of = this.#tokens.deeper(() => this.#unary());
      if (of.node !== 'map' && of.node !== 'variable') this.#tokens.fail(at, `${operator} changes maps and variables only`);
      return { node: 'step', operator, isPost: false, of, at };
    }
    if (operator === '(') return this.#parentheses();
    return this.#postfix();
  }

  /** `-5` is a number of its own: -9223372036854775808 has no positive one. */
  #negative(minus: Span): BpfExpression {
    const { value, at } = this.#tokens.next();
    return this.#suffixes({ node: 'integer', value: BigInt.asIntN(64, -value!), at: { from: minus.from, to: at.to } });
  }

  /** A cast, a tuple, or an expression in parentheses. */
  #parentheses(): BpfExpression {
    const open = this.#tokens.next();
    const type = this.#type();
    if (type !== undefined) {
      const { at } = this.#tokens.expect(')');
      const of = this.#tokens.deeper(() => this.#unary());
      const whole = { from: open.at.from, to: at.to };
      return this.#tokens.grown({ node: 'cast', type: { ...type, at: whole }, of, at: whole }, of);
    }
    const first = this.expression();
    if (this.#tokens.takes(')')) return this.#suffixes(first);
    const elements = [first];
    while (this.#tokens.takes(',')) elements.push(this.expression());
    const { at } = this.#tokens.expect(')', elements.length === 1 ? ') or ","' : ') or ","');
    return this.#suffixes(this.#tokens.grown({ node: 'tuple', elements, at: { from: open.at.from, to: at.to } }, ...elements));
  }

  /** A type behind an opening parenthesis; nothing is taken if there is none. */
  #type(): CastType | undefined {
    const token = this.#tokens.lexer.peek();
    if (token.kind !== 'name') return undefined;
    const isKind = ['struct', 'union', 'enum'].includes(token.text);
    if (!isKind && !TYPES.test(token.text) && !this.#isTypeName()) return undefined;
    this.#tokens.next();
    let name = token.text;
    if (isKind) {
      const tag = this.#tokens.next();
      if (tag.kind !== 'name') this.#tokens.unexpected(tag, 'identifier');
      name = `${token.text} ${tag.text}`;
    }
    let isPointer = false;
    while (this.#tokens.takes('*')) isPointer = true;
    if (this.#tokens.takes('[')) {
      if (this.#tokens.next().kind !== 'integer') this.#tokens.unexpected(this.#tokens.lexer.peek(), 'integer');
      this.#tokens.expect(']');
      isPointer = true;
    }
    return { node: 'type', name, isPointer, at: token.at };
  }

  /** Whether `NAME)` or `NAME *)` follows with what can be cast behind it: `(foo)5`, but not `(pid) - 1`. */
  #isTypeName(): boolean {
    const name = this.#tokens.lexer.next();
    const after: BpfToken[] = [];
    do after.push(this.#tokens.lexer.next());
    while (after.at(-1)!.text === '*' && after.at(-1)!.kind === 'sign' && after.length < DEEPEST);
    const closes = after.at(-1)!.kind === 'sign' && after.at(-1)!.text === ')';
    const behind = this.#tokens.lexer.peek();
    const isOperand = behind.kind !== 'sign' && behind.kind !== 'end' && behind.kind !== 'end predicate';
    for (const token of after.reverse()) this.#tokens.lexer.unread(token);
    this.#tokens.lexer.unread(name);
    return closes && (after.length > 1 || isOperand);
  }

  #postfix(): BpfExpression {
    const token = this.#tokens.next();
    return this.#suffixes(this.primaryOf(token));
  }

  primaryOf(token: BpfToken): BpfExpression {
    const { at, text } = token;
    if (token.kind === 'integer') return { node: 'integer', value: BigInt.asIntN(64, token.value!), at };
    if (token.kind === 'string') return { node: 'string', value: text, at };
    if (token.kind === 'parameter') return this.#parameter(token);
    if (token.kind === 'variable') return { node: 'variable', name: text, at };
    if (token.kind === 'map') return this.#map(token);
    if (token.kind === 'sign' && text === '(') {
      this.#tokens.lexer.unread(token);
      return this.#parentheses();
    }
    if (token.kind !== 'name') this.#tokens.unexpected(token);
    if (text === 'sizeof') return this.#size(token);
    if (KEYWORDS.includes(text)) this.#tokens.unexpected(token);
    if (this.#tokens.lexer.peek().text !== '(' || this.#tokens.lexer.peek().kind !== 'sign')
      return { node: 'name', name: text, at };
    this.#tokens.next();
    const args = this.#tokens.takes(')') ? [] : this.#list(')');
    const call: BpfExpression = { node: 'call', name: text, args, nameAt: at, at: { from: at.from, to: this.#tokens.last.to } };
    return this.#tokens.grown(call, ...args);
  }

  #parameter({ text, at }: BpfToken): BpfExpression {
    if (text === '$#') return { node: 'parameter', index: 0, at };
    const index = Number(text.slice(1));
    if (!Number.isInteger(index)) this.#tokens.fail(at, `param ${text} is no number`);
    if (index < 1 || index > Number.MAX_SAFE_INTEGER) {
      this.#tokens.fail(at, `param ${text} is out of integer range [1, 9223372036854775807]`);
    }
    return { node: 'parameter', index, at };
  }

  #map({ text, at }: BpfToken): MapNode {
    if (!this.#tokens.takes('[')) return { node: 'map', name: text, at };
    const keys = this.#list(']');
    const map: MapNode = { node: 'map', name: text, keys, at: { from: at.from, to: this.#tokens.last.to } };
    this.#tokens.grown(map, ...keys);
    return map;
  }

  /** Expressions with commas between them, and what closes them. */
  #list(close: string): readonly BpfExpression[] {
    const list = [this.expression()];
    while (this.#tokens.takes(',')) list.push(this.expression());
    this.#tokens.expect(close, `${close} or ","`);
    return list;
  }

  #size({ at }: BpfToken): BpfExpression {
    this.#tokens.expect('(');
    const of = this.#type() ?? this.expression();
    this.#tokens.expect(')');
    return { node: 'size', of, at: { from: at.from, to: this.#tokens.last.to } };
  }

  #suffixes(first: BpfExpression): BpfExpression {
    let of = first;
    for (;;) {
      const token = this.#tokens.lexer.peek();
      if (token.kind !== 'sign') return of;
      if (token.text === '.' || token.text === '->') {
        const { at } = this.#tokens.next();
        const name = this.#tokens.next();
        if (name.kind === 'name') {
          const node: BpfExpression = { node: 'field', of, name: name.text, at: token.text === '.' ? at : this.#from(of) };
          of = this.#tokens.grown(node, of);
        } else if (name.kind === 'integer' && token.text === '.') {
          of = this.#tokens.grown({ node: 'element', of, index: Number(name.value), at: this.#from(of) }, of);
        } else this.#tokens.unexpected(name, token.text === '.' ? 'integer or identifier' : 'identifier');
      } else if (token.text === '[' && of.node !== 'map') {
        const { at } = this.#tokens.next();
        const index = this.expression();
        const { at: end } = this.#tokens.expect(']');
        of = this.#tokens.grown({ node: 'subscript', of, index, at: { from: at.from, to: end.to } }, of, index);
      } else if ((token.text === '++' || token.text === '--') && (of.node === 'map' || of.node === 'variable')) {
        of = { node: 'step', operator: token.text, isPost: true, of, at: this.#tokens.next().at };
      } else return of;
    }
  }
}

/** Where the first token of an expression stands. */
function startOf(expression: BpfExpression): number {
  if (expression.node === 'binary') return startOf(expression.left);
  if (expression.node === 'field' || expression.node === 'element' || expression.node === 'subscript')
    return startOf(expression.of);
  if (expression.node === 'step' && expression.isPost) return expression.of.at.from;
  return expression.at.from;
}
