import { BpfLexer, type BpfToken } from './lexer.js';
import { readPoint } from './parse-points.js';
import { preprocess } from './preprocess.js';
import { BpftraceError, type Problem, type ScriptSource, type Span } from './problem.js';
import { skipDefinition } from './skip-definition.js';
import type {
  AttachPoint,
  BinaryOperator,
  BpfExpression,
  BpfStatement,
  CastType,
  MapNode,
  ProbeNode,
  ScriptTree,
} from './syntax-tree.js';

/** How deep a tree may be: expressions in expressions, and blocks in blocks. */
const DEEPEST = 300;

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
const ASSIGNS = ['+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '<<=', '>>='];
const TYPES = /^u?int(?:8|16|32|64)$/;
const KEYWORDS = ['if', 'else', 'while', 'for', 'unroll', 'break', 'continue', 'return', 'struct', 'union', 'enum', 'sizeof'];

/**
 * Parses a script: pass one.
 * @param args what stands for `$1` and the following
 * @throws BpftraceError
 */
export function parseScript(source: ScriptSource, args: readonly string[] = []): ScriptTree {
  return new Parser(source, args).script();
}

/** Ends the parser; the problem has been noted. */
class Stop extends Error {}

class Parser {
  readonly #source: ScriptSource;
  readonly #args: readonly string[];
  readonly #text: string;
  readonly #lexer: BpfLexer;
  readonly #includes: readonly string[];
  readonly #problems: Problem[];
  readonly #constants = new Map<string, bigint>();
  readonly #heights = new WeakMap<object, number>();
  #depth = 0;
  #last: Span = { from: 0, to: 0 };

  constructor(source: ScriptSource, args: readonly string[]) {
    const { text, macros, includes, problems } = preprocess(source.text);
    this.#source = source;
    this.#args = args;
    this.#text = text;
    this.#includes = includes;
    this.#lexer = new BpfLexer(text, macros);
    this.#problems = this.#lexer.problems;
    this.#problems.push(...problems);
  }

  script(): ScriptTree {
    const probes: ProbeNode[] = [];
    try {
      for (let at = this.#lexer.offset; at < this.#text.length; at = this.#lexer.offset) {
        const end = skipDefinition(this.#text, at, this.#constants);
        if (end !== undefined && probes.length === 0) this.#lexer.skipTo(end);
        else probes.push(this.#probe());
      }
      if (probes.length === 0) this.#fail(this.#wholeText(), 'unexpected end of file, expected {');
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
    }
    if (this.#problems.length > 0) throw new BpftraceError(this.#source, this.#problems);
    return { probes, constants: this.#constants, includes: this.#includes };
  }

  #wholeText(): Span {
    return { from: 0, to: this.#source.text.length };
  }

  #fail(at: Span, message: string): never {
    this.#problems.push({ at, message });
    throw new Stop();
  }

  #unexpected(token: BpfToken, expecting?: string): never {
    const what = nameOf(token);
    this.#fail(token.at, `syntax error, unexpected ${what}${expecting === undefined ? '' : `, expecting ${expecting}`}`);
  }

  #next(): BpfToken {
    if (this.#problems.length > 0) throw new Stop();
    const token = this.#lexer.next();
    this.#last = token.at;
    return token;
  }

  /** Whether the next token is this sign or word; then it is taken. */
  #takes(text: string): boolean {
    const token = this.#lexer.peek();
    if (token.text !== text || (token.kind !== 'sign' && token.kind !== 'name')) return false;
    this.#next();
    return true;
  }

  #expect(text: string, expecting = text): BpfToken {
    const token = this.#lexer.peek();
    if (token.text !== text || (token.kind !== 'sign' && token.kind !== 'name')) this.#unexpected(this.#next(), expecting);
    return this.#next();
  }

  /** Runs a part of the parser one level deeper. */
  #deeper<T>(parse: () => T): T {
    if (++this.#depth > DEEPEST) this.#fail(this.#lexer.peek().at, `more than ${DEEPEST} levels of parentheses and blocks`);
    const result = parse();
    this.#depth--;
    return result;
  }

  /** Notes how deep a tree of expressions has become. */
  #grown(node: BpfExpression, ...parts: readonly BpfExpression[]): BpfExpression {
    const height = 1 + Math.max(0, ...parts.map((part) => this.#heights.get(part) ?? 0));
    if (height > DEEPEST) this.#fail(node.at, `an expression of more than ${DEEPEST} levels`);
    this.#heights.set(node, height);
    return node;
  }

  #probe(): ProbeNode {
    const points: AttachPoint[] = [];
    for (;;) {
      const start = this.#lexer.offset;
      const { point, end } = readPoint(this.#text, start, (index) => this.#args[index - 1] ?? '0');
      if (end === start && start >= this.#text.length) {
        this.#fail({ from: points[0]?.at.from ?? 0, to: this.#text.length }, 'unexpected end of file, expected {');
      }
      if (end === start && !'{/'.includes(this.#text[start]!) && this.#text[start] !== ',') {
        this.#lexer.skipTo(start);
        this.#unexpected(this.#next(), '{');
      }
      if (end > start) points.push(point);
      this.#lexer.skipTo(end);
      const next = this.#lexer.offset;
      if (this.#text[next] === ',') this.#lexer.skipTo(next + 1);
      else if (end === start || '{/'.includes(this.#text[next] ?? '{')) break;
      else if (/[{}"]/.test(this.#text[next]!)) this.#unexpected(this.#next(), '{');
      else this.#fail({ from: next, to: readPoint(this.#text, next, () => '').end }, 'two probes without a comma between them');
    }
    if (this.#text[this.#lexer.offset] === undefined) {
      this.#fail({ from: points[0]?.at.from ?? 0, to: this.#text.length }, 'unexpected end of file, expected {');
    }
    if (points.length === 0) {
      const at = this.#lexer.offset;
      this.#fail({ from: at, to: at + 1 }, 'No attach points for probe');
    }
    const predicate = this.#text[this.#lexer.offset] === '/' ? this.#predicate() : undefined;
    const body = this.#block();
    return { points, ...(predicate === undefined ? {} : { predicate }), body };
  }

  #predicate(): { readonly condition: BpfExpression; readonly at: Span } {
    const { at } = this.#next();
    const condition = this.#expression();
    const end = this.#next();
    if (end.kind !== 'end predicate') this.#unexpected(end, 'end predicate');
    return { condition, at: { from: at.from, to: end.at.to } };
  }

  #block(): readonly BpfStatement[] {
    return this.#deeper(() => {
      this.#expect('{');
      const statements: BpfStatement[] = [];
      for (;;) {
        if (this.#takes('}')) return statements;
        const statement = this.#statement();
        statements.push(statement);
        const isBlock = statement.do === 'if' || statement.do === 'while' || statement.do === 'unroll';
        if (!isBlock && !this.#takes(';')) {
          this.#expect('}');
          return statements;
        }
        const next = this.#lexer.peek();
        if (next.kind === 'end' || next.text === ';') this.#unexpected(this.#next(), '}');
      }
    });
  }

  #statement(): BpfStatement {
    const token = this.#lexer.peek();
    if (token.kind === 'end') this.#unexpected(this.#next(), '}');
    if (token.kind === 'name') {
      if (token.text === 'if') return this.#if();
      if (token.text === 'while') return this.#while();
      if (token.text === 'unroll') return this.#unroll();
      if (token.text === 'break' || token.text === 'continue' || token.text === 'return') {
        return { do: token.text, at: this.#next().at };
      }
      if (KEYWORDS.includes(token.text) && token.text !== 'sizeof') this.#unexpected(this.#next(), '}');
    }
    const expression = this.#expression();
    const next = this.#lexer.peek();
    if (next.kind !== 'sign' || (expression.node !== 'map' && expression.node !== 'variable')) {
      return { do: 'expression', expression };
    }
    if (next.text !== '=' && !ASSIGNS.includes(next.text)) return { do: 'expression', expression };
    const { at } = this.#next();
    const value = this.#expression();
    if (next.text === '=') return { do: 'assign', to: expression, value, at };
    return { do: 'assign', to: expression, operator: next.text.slice(0, -1) as '+', value, at };
  }

  #if(): BpfStatement {
    this.#next();
    this.#expect('(');
    const condition = this.#expression();
    this.#expect(')');
    const yes = this.#block();
    if (!this.#takes('else')) return { do: 'if', condition, yes, no: [] };
    if (this.#lexer.peek().text === 'if') return { do: 'if', condition, yes, no: [this.#deeper(() => this.#if())] };
    return { do: 'if', condition, yes, no: this.#block() };
  }

  #while(): BpfStatement {
    const { at } = this.#next();
    this.#expect('(');
    const condition = this.#expression();
    this.#expect(')');
    return { do: 'while', condition, body: this.#block(), at };
  }

  #unroll(): BpfStatement {
    const { at } = this.#next();
    this.#expect('(');
    const isNegative = this.#takes('-');
    const token = this.#next();
    if (token.kind !== 'integer' && token.kind !== 'parameter') {
      this.#unexpected(token, '$# or - or positional parameter or integer');
    }
    const count = this.#primaryOf(token);
    const { at: end } = this.#expect(')');
    const whole = { from: at.from, to: end.to };
    const body = this.#block();
    return { do: 'unroll', count: isNegative ? { node: 'unary', operator: '-', of: count, at } : count, body, at: whole };
  }

  #expression(): BpfExpression {
    return this.#deeper(() => {
      const condition = this.#binary(0);
      if (!this.#takes('?')) return condition;
      const yes = this.#expression();
      this.#expect(':');
      const no = this.#expression();
      return this.#grown({ node: 'choice', condition, yes, no, at: this.#from(condition) }, condition, yes, no);
    });
  }

  /** From an expression's start to the last token. */
  #from(expression: BpfExpression): Span {
    return { from: startOf(expression), to: this.#last.to };
  }

  #binary(weakest: number): BpfExpression {
    let left = this.#unary();
    for (;;) {
      const token = this.#lexer.peek();
      const strength = token.kind === 'sign' ? STRENGTH.get(token.text) : undefined;
      if (strength === undefined || strength < weakest) return left;
      const { at } = this.#next();
      const right = this.#binary(strength + 1);
      left = this.#grown({ node: 'binary', operator: token.text as BinaryOperator, left, right, at }, left, right);
    }
  }

  #unary(): BpfExpression {
    const token = this.#lexer.peek();
    if (token.kind !== 'sign') return this.#postfix();
    const operator = token.text;
    if (operator === '-' || operator === '~' || operator === '!' || operator === '*') {
      const { at } = this.#next();
      const number = this.#lexer.peek();
      if (operator === '-' && number.kind === 'integer') return this.#negative(at);
      const of = this.#deeper(() => this.#unary());
      return this.#grown({ node: 'unary', operator, of, at }, of);
    }
    if (operator === '++' || operator === '--') {
      const { at } = this.#next();
      const of = this.#deeper(() => this.#unary());
      if (of.node !== 'map' && of.node !== 'variable') this.#fail(at, `${operator} changes maps and variables only`);
      return { node: 'step', operator, isPost: false, of, at };
    }
    if (operator === '(') return this.#parentheses();
    return this.#postfix();
  }

  /** `-5` is a number of its own: -9223372036854775808 has no positive one. */
  #negative(minus: Span): BpfExpression {
    const { value, at } = this.#next();
    return this.#suffixes({ node: 'integer', value: BigInt.asIntN(64, -value!), at: { from: minus.from, to: at.to } });
  }

  /** A cast, a tuple, or an expression in parentheses. */
  #parentheses(): BpfExpression {
    const open = this.#next();
    const type = this.#type();
    if (type !== undefined) {
      const { at } = this.#expect(')');
      const of = this.#deeper(() => this.#unary());
      const whole = { from: open.at.from, to: at.to };
      return this.#grown({ node: 'cast', type: { ...type, at: whole }, of, at: whole }, of);
    }
    const first = this.#expression();
    if (this.#takes(')')) return this.#suffixes(first);
    const elements = [first];
    while (this.#takes(',')) elements.push(this.#expression());
    const { at } = this.#expect(')', elements.length === 1 ? ') or ","' : ') or ","');
    return this.#suffixes(this.#grown({ node: 'tuple', elements, at: { from: open.at.from, to: at.to } }, ...elements));
  }

  /** A type behind an opening parenthesis; nothing is taken if there is none. */
  #type(): CastType | undefined {
    const token = this.#lexer.peek();
    if (token.kind !== 'name') return undefined;
    const isKind = ['struct', 'union', 'enum'].includes(token.text);
    if (!isKind && !TYPES.test(token.text) && !this.#isTypeName()) return undefined;
    this.#next();
    let name = token.text;
    if (isKind) {
      const tag = this.#next();
      if (tag.kind !== 'name') this.#unexpected(tag, 'identifier');
      name = `${token.text} ${tag.text}`;
    }
    let isPointer = false;
    while (this.#takes('*')) isPointer = true;
    if (this.#takes('[')) {
      if (this.#next().kind !== 'integer') this.#unexpected(this.#lexer.peek(), 'integer');
      this.#expect(']');
      isPointer = true;
    }
    return { node: 'type', name, isPointer, at: token.at };
  }

  /** Whether `NAME)` or `NAME *)` follows with what can be cast behind it: `(foo)5`, but not `(pid) - 1`. */
  #isTypeName(): boolean {
    const name = this.#lexer.next();
    const after: BpfToken[] = [];
    do after.push(this.#lexer.next());
    while (after.at(-1)!.text === '*' && after.at(-1)!.kind === 'sign' && after.length < DEEPEST);
    const closes = after.at(-1)!.kind === 'sign' && after.at(-1)!.text === ')';
    const behind = this.#lexer.peek();
    const isOperand = behind.kind !== 'sign' && behind.kind !== 'end' && behind.kind !== 'end predicate';
    for (const token of after.reverse()) this.#lexer.unread(token);
    this.#lexer.unread(name);
    return closes && (after.length > 1 || isOperand);
  }

  #postfix(): BpfExpression {
    const token = this.#next();
    return this.#suffixes(this.#primaryOf(token));
  }

  #primaryOf(token: BpfToken): BpfExpression {
    const { at, text } = token;
    if (token.kind === 'integer') return { node: 'integer', value: BigInt.asIntN(64, token.value!), at };
    if (token.kind === 'string') return { node: 'string', value: text, at };
    if (token.kind === 'parameter') return this.#parameter(token);
    if (token.kind === 'variable') return { node: 'variable', name: text, at };
    if (token.kind === 'map') return this.#map(token);
    if (token.kind === 'sign' && text === '(') {
      this.#lexer.unread(token);
      return this.#parentheses();
    }
    if (token.kind !== 'name') this.#unexpected(token);
    if (text === 'sizeof') return this.#size(token);
    if (KEYWORDS.includes(text)) this.#unexpected(token);
    if (this.#lexer.peek().text !== '(' || this.#lexer.peek().kind !== 'sign') return { node: 'name', name: text, at };
    this.#next();
    const args = this.#takes(')') ? [] : this.#list(')');
    const call: BpfExpression = { node: 'call', name: text, args, nameAt: at, at: { from: at.from, to: this.#last.to } };
    return this.#grown(call, ...args);
  }

  #parameter({ text, at }: BpfToken): BpfExpression {
    if (text === '$#') return { node: 'parameter', index: 0, at };
    const index = Number(text.slice(1));
    if (!Number.isInteger(index)) this.#fail(at, `param ${text} is no number`);
    if (index < 1 || index > Number.MAX_SAFE_INTEGER) {
      this.#fail(at, `param ${text} is out of integer range [1, 9223372036854775807]`);
    }
    return { node: 'parameter', index, at };
  }

  #map({ text, at }: BpfToken): MapNode {
    if (!this.#takes('[')) return { node: 'map', name: text, at };
    const keys = this.#list(']');
    const map: MapNode = { node: 'map', name: text, keys, at: { from: at.from, to: this.#last.to } };
    this.#grown(map, ...keys);
    return map;
  }

  /** Expressions with commas between them, and what closes them. */
  #list(close: string): readonly BpfExpression[] {
    const list = [this.#expression()];
    while (this.#takes(',')) list.push(this.#expression());
    this.#expect(close, `${close} or ","`);
    return list;
  }

  #size({ at }: BpfToken): BpfExpression {
    this.#expect('(');
    const of = this.#type() ?? this.#expression();
    this.#expect(')');
    return { node: 'size', of, at: { from: at.from, to: this.#last.to } };
  }

  #suffixes(first: BpfExpression): BpfExpression {
    let of = first;
    for (;;) {
      const token = this.#lexer.peek();
      if (token.kind !== 'sign') return of;
      if (token.text === '.' || token.text === '->') {
        const { at } = this.#next();
        const name = this.#next();
        if (name.kind === 'name') {
          const node: BpfExpression = { node: 'field', of, name: name.text, at: token.text === '.' ? at : this.#from(of) };
          of = this.#grown(node, of);
        } else if (name.kind === 'integer' && token.text === '.') {
          of = this.#grown({ node: 'element', of, index: Number(name.value), at: this.#from(of) }, of);
        } else this.#unexpected(name, token.text === '.' ? 'integer or identifier' : 'identifier');
      } else if (token.text === '[' && of.node !== 'map') {
        const { at } = this.#next();
        const index = this.#expression();
        const { at: end } = this.#expect(']');
        of = this.#grown({ node: 'subscript', of, index, at: { from: at.from, to: end.to } }, of, index);
      } else if ((token.text === '++' || token.text === '--') && (of.node === 'map' || of.node === 'variable')) {
        of = { node: 'step', operator: token.text, isPost: true, of, at: this.#next().at };
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

/** What bpftrace calls a token in its messages. */
function nameOf({ kind, text }: BpfToken): string {
  if (kind === 'end') return 'end of file';
  if (kind === 'sign') return text === ',' ? '","' : text;
  if (kind === 'parameter') return text === '$#' ? '$#' : 'positional parameter';
  if (kind === 'name') return KEYWORDS.includes(text) ? text : 'identifier';
  return kind;
}
