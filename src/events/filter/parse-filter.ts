import { bytesOf, castTo, parseInteger, parsePattern, type TextPattern } from './constants.js';
import { FilterError } from './errors.js';
import { type FilteredEvent, findOperand, INTEGER_TYPES, type Operand, type OperandType } from './operand.js';
import { type FilterNode, type FilterProgram, OPERATORS, type Operator, type Predicate, programOf } from './predicate.js';

/** The longest text in bytes, quotes not counted (MAX_FILTER_STR_VAL). */
const MAX_TEXT = 255;
/** The longest number. */
const MAX_DIGITS = 23;

/**
 * Parses an event filter, such as `prev_prio < 10 && (next_comm ~ "node*" || !CPU == 0)`, as Linux 6.1 does
 * (kernel/trace/trace_events_filter.c); `&&` binds closer than `||`. Newer kernels also have `.function` and cpumasks, 6.1 does
 * not.
 * @throws FilterError whose position counts bytes
 */
export function parseFilter(event: FilteredEvent, written: string): FilterProgram {
  const text = bytesAsText(written);
  checkPairs(text);
  if (!/[^\s()]/.test(text)) throw new FilterError('empty', 0);
  return programOf(new FilterParser(event, text).parse());
}

/** A character a byte: the kernel's parser knows no others, and its characters' classes are those of Latin-1 (lib/ctype.c). */
const bytesAsText = (text: string): string => Buffer.from(text).toString('latin1');
const textOfBytes = (bytes: string): string => Buffer.from(bytes, 'latin1').toString();

/** The name of a field: letters are those of Latin-1, whatever character the bytes belong to. */
const NAME = /[\w\xc0-\xd6\xd8-\xf6\xf8-\xff]*/y;

/** Each parenthesis and each quote needs its other half, before anything else is looked at. */
function checkPairs(text: string): void {
  const open: number[] = [];
  let quoteAt = -1;
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    if (quoteAt >= 0) {
      if (char === text[quoteAt]) quoteAt = -1;
    } else if (char === '"' || char === "'") quoteAt = i;
    else if (char === '(') open.push(i);
    else if (char === ')' && open.pop() === undefined) throw new FilterError('tooFewOpen', i);
  }
  if (quoteAt >= 0) throw new FilterError('missingQuote', quoteAt);
  const unmatched = open.at(-1);
  if (unmatched !== undefined) throw new FilterError('tooManyOpen', unmatched);
}

/** What is open at a place of the text: the alternatives before the last `||`, and the terms of the one that goes on. */
interface Group {
  readonly not: boolean;
  readonly any: FilterNode[];
  all: FilterNode[];
}

const group = (not: boolean): Group => ({ not, any: [], all: [] });

const allOf = ({ all }: Group): FilterNode => (all.length === 1 ? all[0]! : { all, not: false });

function endOf(ended: Group): FilterNode {
  const last = allOf(ended);
  const node: FilterNode = ended.any.length === 0 ? last : { any: [...ended.any, last], not: false };
  return ended.not ? { ...node, not: !node.not } : node;
}

class FilterParser {
  readonly #event: FilteredEvent;
  readonly #text: string;
  #at = 0;

  constructor(event: FilteredEvent, text: string) {
    this.#event = event;
    this.#text = text;
  }

  /** Keeps its own stack: thousands of parentheses would be too deep for one of calls. */
  parse(): FilterNode {
    const groups = [group(false)];
    for (;;) {
      const not = this.#open(groups);
      groups.at(-1)!.all.push({ predicate: this.#predicate(), not });
      if (!this.#close(groups)) return endOf(groups[0]!);
    }
  }

  /** Takes `(` and `!` before a predicate; true if it is negated. */
  #open(groups: Group[]): boolean {
    let not = false;
    for (;;) {
      this.#skipSpace();
      const char = this.#text[this.#at];
      if (char === undefined) {
        const isEmpty = groups.length === 1 && groups[0]!.all.length === 0 && groups[0]!.any.length === 0;
        throw new FilterError(isEmpty ? 'noFilter' : 'meaningless', this.#at);
      }
      if (char === '(') {
        groups.push(group(not));
        not = false;
      } else if (char === '!' && !/[=~]/.test(this.#text[this.#at + 1] ?? '')) not = !not;
      else return not;
      this.#at++;
    }
  }

  /**
   * Takes what stands behind a predicate, up to where the next one is due; false at the end. Each `)` has its `(`: checkPairs().
   */
  #close(groups: Group[]): boolean {
    for (;;) {
      this.#skipSpace();
      const current = groups.at(-1)!;
      const rest = this.#text.slice(this.#at, this.#at + 2);
      if (rest === '') return false;
      if (rest.startsWith(')')) {
        groups.pop();
        groups.at(-1)!.all.push(endOf(current));
        this.#at++;
        continue;
      }
      if (rest !== '&&' && rest !== '||') throw new FilterError('tooManyTerms', this.#at);
      if (rest === '||') {
        current.any.push(allOf(current));
        current.all = [];
      }
      this.#at += 2;
      return true;
    }
  }

  #predicate(): Predicate {
    const name = this.#take(NAME);
    if (name === '') throw new FilterError('noField', 0);
    const found = findOperand(this.#event, name);
    if (found === undefined) throw this.#error('fieldNotFound');
    this.#take(/(?:\.ustring)?/y);
    this.#skipSpace();
    const operator = OPERATORS.find((one) => this.#text.startsWith(one, this.#at));
    if (operator === undefined) throw this.#error('invalidOperator');
    this.#at += operator.length;
    this.#skipSpace();
    const { operand, type } = found;
    const first = this.#text[this.#at] ?? '';
    if (first === '"' || first === "'") return textPredicate(operand, type, this.#quoted(operator, type, first));
    if (/[\d-]/.test(first)) return integerPredicate(operand, type, ...this.#number(operator, type));
    throw this.#error('invalidValue');
  }

  #quoted(operator: Operator, type: OperandType, quote: string): TextPattern {
    if (operator !== '==' && operator !== '!=' && operator !== '~') throw this.#error('illegalFieldOperator');
    if (type.is !== 'text') throw this.#error('expectDigit');
    const from = this.#at + 1;
    this.#at = this.#text.indexOf(quote, from);
    const bytes = this.#text.slice(from, this.#at);
    if (bytes.length > MAX_TEXT) throw this.#error('operandTooLong');
    this.#at++;
    const text = textOfBytes(bytes);
    return operator === '~' ? parsePattern(text) : { match: 'full', text, not: operator === '!=' };
  }

  #number(operator: Operator, type: OperandType): [operator: Exclude<Operator, '~'>, value: bigint] {
    if (type.is === 'text') throw this.#error('expectString');
    if (operator === '~') throw this.#error('illegalFieldOperator');
    const from = this.#at;
    const digits = this.#take(/-?[\da-z]*/iy);
    if (digits.length > MAX_DIGITS) throw this.#error('operandTooLong');
    const value = parseInteger(digits, type.is === 'opaque' ? type.signed : INTEGER_TYPES[type.type].signed);
    if (value !== undefined) return [operator, value];
    this.#at = from;
    throw this.#error('illegalInteger');
  }

  /** The kernel counts from one behind the first character of a predicate. */
  #error(kind: ConstructorParameters<typeof FilterError>[0]): FilterError {
    return new FilterError(kind, this.#at + 1);
  }

  #skipSpace(): void {
    this.#take(/\s*/y);
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const taken = pattern.exec(this.#text)![0];
    this.#at += taken.length;
    return taken;
  }
}

const constant = (value: boolean): Predicate => ({ test: 'constant', value });

function integerPredicate(operand: Operand, type: OperandType, operator: Exclude<Operator, '~'>, value: bigint): Predicate {
  // The kernel has no `&` for cpus: it is never true.
  if (type.is !== 'integer' || (operand.from === 'cpu' && operator === '&')) return constant(false);
  const elements = type.elements === undefined ? {} : { elements: type.elements };
  return { test: 'integer', operand, operator, type: type.type, value: castTo(type.type, value), ...elements };
}

/** A text that does not fit into the field is equal to nothing that a record holds. */
function textPredicate(operand: Operand, type: OperandType, { match, text, not }: TextPattern): Predicate {
  const { max = Infinity, isPointer } = type as Extract<OperandType, { is: 'text' }>;
  if (isPointer) return { test: 'text', operand, match, text, not, isPointer };
  if (text === '' && match !== 'full' && match !== 'glob') return constant(!not);
  if (match !== 'glob' && bytesOf(text) > max) return constant(not);
  return { test: 'text', operand, match, text, not };
}
