import { BpfLexer } from './lexer.js';
import { ExpressionParser } from './parse-expression.js';
import { readPoint } from './parse-points.js';
import { preprocess } from './preprocess.js';
import { BpftraceError, type ScriptSource, type Span } from './problem.js';
import { skipDefinition } from './skip-definition.js';
import type { AttachPoint, BpfExpression, BpfStatement, ProbeNode, ScriptTree } from './syntax-tree.js';
import { KEYWORDS, Stop, TokenReader } from './token-reader.js';

const ASSIGNS = ['+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '<<=', '>>='];

/**
 * Parses a script: pass one.
 * @param args what stands for `$1` and the following
 * @throws BpftraceError
 */
export function parseScript(source: ScriptSource, args: readonly string[] = []): ScriptTree {
  return new Parser(source, args).script();
}

class Parser {
  readonly #source: ScriptSource;
  readonly #args: readonly string[];
  readonly #text: string;
  readonly #includes: readonly string[];
  readonly #tokens: TokenReader;
  readonly #expressions: ExpressionParser;
  readonly #constants = new Map<string, bigint>();

  constructor(source: ScriptSource, args: readonly string[]) {
    const { text, macros, includes, problems } = preprocess(source.text);
    this.#source = source;
    this.#args = args;
    this.#text = text;
    this.#includes = includes;
    this.#tokens = new TokenReader(new BpfLexer(text, macros));
    this.#expressions = new ExpressionParser(this.#tokens);
    this.#tokens.problems.push(...problems);
  }

  script(): ScriptTree {
    const probes: ProbeNode[] = [];
    try {
      for (let at = this.#tokens.lexer.offset; at < this.#text.length; at = this.#tokens.lexer.offset) {
        const end = skipDefinition(this.#text, at, this.#constants);
        if (end !== undefined && probes.length === 0) this.#tokens.lexer.skipTo(end);
        else probes.push(this.#probe());
      }
      if (probes.length === 0) this.#tokens.fail(this.#wholeText(), 'unexpected end of file, expected {');
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
    }
    if (this.#tokens.problems.length > 0) throw new BpftraceError(this.#source, this.#tokens.problems);
    return { probes, constants: this.#constants, includes: this.#includes };
  }

  #wholeText(): Span {
    return { from: 0, to: this.#source.text.length };
  }

  #probe(): ProbeNode {
    const points: AttachPoint[] = [];
    for (;;) {
      const start = this.#tokens.lexer.offset;
      const { point, end } = readPoint(this.#text, start, (index) => this.#args[index - 1] ?? '0');
      if (end === start && start >= this.#text.length) {
        this.#tokens.fail({ from: points[0]?.at.from ?? 0, to: this.#text.length }, 'unexpected end of file, expected {');
      }
      if (end === start && !'{/'.includes(this.#text[start]!) && this.#text[start] !== ',') {
        this.#tokens.lexer.skipTo(start);
        this.#tokens.unexpected(this.#tokens.next(), '{');
      }
      if (end > start) points.push(point);
      this.#tokens.lexer.skipTo(end);
      const next = this.#tokens.lexer.offset;
      if (this.#text[next] === ',') this.#tokens.lexer.skipTo(next + 1);
      else if (end === start || '{/'.includes(this.#text[next] ?? '{')) break;
      else if (/[{}"]/.test(this.#text[next]!)) this.#tokens.unexpected(this.#tokens.next(), '{');
      else
        this.#tokens.fail(
          { from: next, to: readPoint(this.#text, next, () => '').end },
          'two probes without a comma between them',
        );
    }
    if (this.#text[this.#tokens.lexer.offset] === undefined) {
      this.#tokens.fail({ from: points[0]?.at.from ?? 0, to: this.#text.length }, 'unexpected end of file, expected {');
    }
    if (points.length === 0) {
      const at = this.#tokens.lexer.offset;
      this.#tokens.fail({ from: at, to: at + 1 }, 'No attach points for probe');
    }
    const predicate = this.#text[this.#tokens.lexer.offset] === '/' ? this.#predicate() : undefined;
    const body = this.#block();
    return { points, ...(predicate === undefined ? {} : { predicate }), body };
  }

  #predicate(): { readonly condition: BpfExpression; readonly at: Span } {
    const { at } = this.#tokens.next();
    const condition = this.#expressions.expression();
    const end = this.#tokens.next();
    if (end.kind !== 'end predicate') this.#tokens.unexpected(end, 'end predicate');
    return { condition, at: { from: at.from, to: end.at.to } };
  }

  #block(): readonly BpfStatement[] {
    return this.#tokens.deeper(() => {
      this.#tokens.expect('{');
      const statements: BpfStatement[] = [];
      for (;;) {
        if (this.#tokens.takes('}')) return statements;
        const statement = this.#statement();
        statements.push(statement);
        const isBlock = statement.do === 'if' || statement.do === 'while' || statement.do === 'unroll';
        if (!isBlock && !this.#tokens.takes(';')) {
          this.#tokens.expect('}');
          return statements;
        }
        const next = this.#tokens.lexer.peek();
        if (next.kind === 'end' || next.text === ';') this.#tokens.unexpected(this.#tokens.next(), '}');
      }
    });
  }

  #statement(): BpfStatement {
    const token = this.#tokens.lexer.peek();
    if (token.kind === 'end') this.#tokens.unexpected(this.#tokens.next(), '}');
    if (token.kind === 'name') {
      if (token.text === 'if') return this.#if();
      if (token.text === 'while') return this.#while();
      if (token.text === 'unroll') return this.#unroll();
      if (token.text === 'break' || token.text === 'continue' || token.text === 'return') {
        return { do: token.text, at: this.#tokens.next().at };
      }
      if (KEYWORDS.includes(token.text) && token.text !== 'sizeof') this.#tokens.unexpected(this.#tokens.next(), '}');
    }
    const expression = this.#expressions.expression();
    const next = this.#tokens.lexer.peek();
    if (next.kind !== 'sign' || (expression.node !== 'map' && expression.node !== 'variable')) {
      return { do: 'expression', expression };
    }
    if (next.text !== '=' && !ASSIGNS.includes(next.text)) return { do: 'expression', expression };
    const { at } = this.#tokens.next();
    const value = this.#expressions.expression();
    if (next.text === '=') return { do: 'assign', to: expression, value, at };
    return { do: 'assign', to: expression, operator: next.text.slice(0, -1) as '+', value, at };
  }

  #if(): BpfStatement {
    this.#tokens.next();
    this.#tokens.expect('(');
    const condition = this.#expressions.expression();
    this.#tokens.expect(')');
    const yes = this.#block();
    if (!this.#tokens.takes('else')) return { do: 'if', condition, yes, no: [] };
    if (this.#tokens.lexer.peek().text === 'if') return { do: 'if', condition, yes, no: [this.#tokens.deeper(() => this.#if())] };
    return { do: 'if', condition, yes, no: this.#block() };
  }

  #while(): BpfStatement {
    const { at } = this.#tokens.next();
    this.#tokens.expect('(');
    const condition = this.#expressions.expression();
    this.#tokens.expect(')');
    return { do: 'while', condition, body: this.#block(), at };
  }

  #unroll(): BpfStatement {
    const { at } = this.#tokens.next();
    this.#tokens.expect('(');
    const isNegative = this.#tokens.takes('-');
    const token = this.#tokens.next();
    if (token.kind !== 'integer' && token.kind !== 'parameter') {
      this.#tokens.unexpected(token, '$# or - or positional parameter or integer');
    }
    const count = this.#expressions.primaryOf(token);
    const { at: end } = this.#tokens.expect(')');
    const whole = { from: at.from, to: end.to };
    const body = this.#block();
    return { do: 'unroll', count: isNegative ? { node: 'unary', operator: '-', of: count, at } : count, body, at: whole };
  }
}
