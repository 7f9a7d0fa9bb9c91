import { C_TYPES, type CType } from '../c-types.js';
import type { EventFormat } from '../define.js';
import { type FieldArray, fieldAccess, type RecordBytes } from '../read-fields.js';
import { type Argument, HELPERS } from './helpers.js';
import { AND_RANK, binary, conditional, logical, OPERATORS, OR_RANK, unary } from './operators.js';
import { type Token, tokensOf } from './tokens.js';
import {
  type Expression,
  INT,
  type IntegerType,
  integerOf,
  type PrintDialect,
  UNSIGNED_LONG,
  type Value,
  wrap,
} from './values.js';

/** A print format, read: its text and the expressions that fill it in. */
export interface ParsedPrint {
  readonly format: string;
  readonly args: readonly Expression[];
}

/** Words that begin a type in a cast. */
const TYPE_WORD = /^(const|struct|union|enum|unsigned|signed|void|bool|\w+_t|[us](8|16|32|64)|__[usl]e?\d+|char|short|int|long)$/;
/** Other names of C's types that kernels' formats use. */
const ALIASES: Readonly<Record<string, CType>> = { unsigned: 'unsigned int', bool: 'u8', size_t: 'u64', pid_t: 's32' };

const constant = (type: IntegerType, value: number | bigint): Expression => ({ type, value: () => value });

/** Reads `"format" , argument, argument ...` by recursive descent. */
class PrintParser {
  readonly #fields: EventFormat['fields'];
  readonly #tokens: readonly Token[];
  readonly #dialect: PrintDialect;
  #at = 0;

  constructor({ fields, print }: Pick<EventFormat, 'fields' | 'print'>, dialect: PrintDialect) {
    this.#fields = fields;
    this.#dialect = dialect;
    this.#tokens = tokensOf(print);
  }

  parse(): ParsedPrint {
    const format = this.#texts();
    const args: Expression[] = [];
    while (this.#takes(',')) args.push(this.#expression());
    if (this.#at < this.#tokens.length) this.#fail();
    return { format, args };
  }

  get #next(): Token | undefined {
    return this.#tokens[this.#at];
  }

  #fail(): never {
    throw new Error(`the print format has ${this.#next?.text ?? 'its end'} in a place that is not understood`);
  }

  #is(sign: string, ahead = 0): boolean {
    const token = this.#tokens[this.#at + ahead];
    return token?.kind === 'sign' && token.text === sign;
  }

  #takes(sign: string): boolean {
    if (!this.#is(sign)) return false;
    this.#at++;
    return true;
  }

  #expect(sign: string): void {
    if (!this.#takes(sign)) this.#fail();
  }

  #word(): string {
    if (this.#next?.kind !== 'word') this.#fail();
    return this.#tokens[this.#at++]!.text;
  }

  /** Texts that stand side by side are one. */
  #texts(): string {
    if (this.#next?.kind !== 'text') this.#fail();
    let text = '';
    for (; this.#next?.kind === 'text'; this.#at++) text += this.#next.text;
    return text;
  }

  #expression(): Expression {
    const condition = this.#binary(OR_RANK);
    if (!this.#takes('?')) return condition;
    const yes = this.#expression();
    this.#expect(':');
    return conditional(condition, yes, this.#expression());
  }

  /** Operators of at least `rank`, by precedence. */
  #binary(rank: number): Expression {
    let left = this.#unary();
    for (;;) {
      const sign = this.#next?.kind === 'sign' ? this.#next.text : '';
      const isAnd = sign === '&&';
      const ownRank = isAnd ? AND_RANK : sign === '||' ? OR_RANK : (OPERATORS[sign]?.rank ?? 0);
      if (ownRank === 0 || ownRank < rank) return left;
      this.#at++;
      const right = this.#binary(ownRank + 1);
      left = isAnd || sign === '||' ? logical(isAnd, left, right) : binary(OPERATORS[sign]!, left, right);
    }
  }

  #unary(): Expression {
    if (this.#takes('&')) return this.#unary();
    for (const sign of ['!', '-', '~', '+']) if (this.#takes(sign)) return unary(sign, this.#unary())!;
    if (this.#is('(') && this.#isCast()) return this.#cast();
    return this.#postfix(this.#primary());
  }

  #isCast(): boolean {
    const token = this.#tokens[this.#at + 1];
    return token?.kind === 'word' && TYPE_WORD.test(token.text);
  }

  #cast(): Expression {
    this.#expect('(');
    const type = this.#type();
    this.#expect(')');
    const operand = this.#unary();
    if (type === undefined) return operand;
    return {
      type,
      value(record) {
        const value = operand.value(record);
        return typeof value === 'object' ? value : wrap(integerOf(value), type);
      },
    };
  }

  /**
   * The type up to a closing parenthesis; undefined for one that leaves a value what it is: a pointer, or a name that only its
   * maker knows.
   */
  #type(): IntegerType | undefined {
    const words: string[] = [];
    while (this.#next?.kind === 'word') words.push(this.#word());
    let isPointer = false;
    while (this.#takes('*')) isPointer = true;
    if (isPointer) return undefined;
    const name = words.filter((word) => word !== 'const').join(' ');
    const type = C_TYPES[(ALIASES[name] ?? name.replace(/^__(?=[us]\d)/, '')) as CType];
    return type && { bits: type.size * 8, signed: type.signed };
  }

  #primary(): Expression {
    const token = this.#next;
    if (token?.kind === 'number') {
      this.#at++;
      return numberOf(token.text);
    }
    if (token?.kind === 'text') {
      const text = this.#texts();
      return { type: UNSIGNED_LONG, value: () => text };
    }
    if (this.#takes('(')) {
      if (this.#is(')', 1) && this.#takesRecord()) {
        this.#expect(')');
        return this.#member();
      }
      const inside = this.#expression();
      this.#expect(')');
      return inside;
    }
    if (this.#takesRecord()) return this.#member();
    const word = this.#word();
    return this.#is('(') ? this.#call(word) : this.#field(word);
  }

  #takesRecord(): boolean {
    const isRecord = this.#next?.kind === 'word' && this.#next.text === 'REC';
    if (isRecord) this.#at++;
    return isRecord;
  }

  #member(): Expression {
    this.#expect('->');
    return this.#field(this.#word());
  }

  #field(name: string): Expression {
    const field = Object.hasOwn(this.#fields, name) ? this.#fields[name] : undefined;
    if (field === undefined) throw new Error(`the print format names ${name}, which is no field`);
    const { number, array } = fieldAccess(field);
    const type = { bits: (array?.elementSize ?? field.size) * 8, signed: field.signed };
    return array === undefined ? { type, value: number } : { type, value: (record) => ({ record, array }) };
  }

  /** `[index]` behind an array. */
  #postfix(expression: Expression): Expression {
    if (!this.#takes('[')) return expression;
    const index = this.#expression();
    this.#expect(']');
    return {
      type: expression.type,
      value(record) {
        const value = expression.value(record);
        if (typeof value !== 'object') return 0;
        const { array } = value;
        if (array.texts !== undefined) return textValue(record, array.texts[Number(integerOf(index.value(record)))]);
        return array.element(record, array.range(record)[0] + Number(integerOf(index.value(record))) * array.elementSize);
      },
    };
  }

  #call(name: string): Expression {
    const helper = Object.hasOwn(HELPERS, name) ? HELPERS[name] : undefined;
    if (helper === undefined) throw new Error(`the print format calls ${name}, which is not known`);
    this.#expect('(');
    const args: Argument[] = [];
    while (!this.#takes(')')) {
      args.push(this.#argument());
      if (!this.#is(')')) this.#expect(',');
    }
    return helper(args, this.#dialect);
  }

  #argument(): Argument {
    if (!this.#takes('{')) return { expression: this.#expression() };
    const expression = this.#expression();
    this.#expect(',');
    const name = this.#expression();
    this.#expect('}');
    return { expression, name };
  }
}

/** One text of an array of them; none if it has not so many. */
const textValue = (record: RecordBytes, array: FieldArray | undefined): Value => (array === undefined ? '' : { record, array });

/** A number of C: its suffixes and its size give its type. */
function numberOf(text: string): Expression {
  const value = BigInt(text.replace(/[uUlL]+$/, ''));
  const isLong = /l/i.test(text) || value > 0xffffffffn;
  const signed = !/u/i.test(text) && value < (isLong ? 1n << 63n : 1n << 31n);
  const type = isLong ? { bits: 64, signed } : signed ? INT : { bits: 32, signed };
  return constant(type, wrap(value, type));
}

/** Reads the text after `print fmt: `. Throws an Error that says what it does not understand. */
export const parsePrint = (event: Pick<EventFormat, 'fields' | 'print'>, dialect: PrintDialect): ParsedPrint =>
  new PrintParser(event, dialect).parse();
