import { EXTRACTORS, type Extractor } from '../program.js';
import { parseAccesses, parseTarget, withAddress } from './parse-access.js';
import { parseLiteral, parseNumber, parseString } from './parse-literal.js';
import { PRINT_NAMES, parsePrint } from './parse-print.js';
import type {
  AssignExpression,
  BinaryExpression,
  HistogramExpression,
  IndexExpression,
  StapExpression,
  SymbolExpression,
  UnaryExpression,
} from './syntax-tree.js';
import { isOperator, type StapToken } from './token.js';
import type { TokenCursor } from './token-cursor.js';

const ASSIGNMENTS: ReadonlySet<string> = new Set<AssignExpression['operator']>([
  '=',
  '<<<',
  '.=',
  '+=',
  '-=',
  '*=',
  '/=',
  '%=',
  '&=',
  '|=',
  '^=',
  '<<=',
  '>>=',
]);

type Operator = BinaryExpression['operator'];
type Precedences = ReadonlyMap<string, number>;
const precedences = (...levels: readonly (readonly Operator[])[]): Precedences =>
  new Map(levels.flatMap((level, precedence) => level.map((operator) => [operator, precedence] as const)));
/** Operators by how tight they bind, the loosest first. `in` binds tighter than the first ones, and the second ones tighter. */
const LOOSE = precedences(['||'], ['&&'], ['|'], ['^'], ['&']);
const TIGHT = precedences(['<<', '>>', '>>>'], ['.'], ['+', '-'], ['*', '/', '%']);
const COMPARING = precedences(['>', '<', '==', '!=', '<=', '>=']);

export function parseExpression(cursor: TokenCursor): StapExpression {
  return cursor.nested(() => {
    const target = parseTernary(cursor);
    const token = cursor.peek();
    if (token?.kind !== 'operator' || !ASSIGNMENTS.has(token.text)) return target;
    cursor.swallow();
    const value = parseExpression(cursor);
    return { kind: 'assign', operator: token.text as AssignExpression['operator'], target, value, place: token.place };
  });
}

function parseTernary(cursor: TokenCursor): StapExpression {
  const condition = parseChain(cursor, LOOSE, parseIn);
  const { place } = condition;
  if (!cursor.takes('?')) return condition;
  const yes = parseExpression(cursor);
  cursor.expect(':');
  const no = cursor.nested(() => parseTernary(cursor));
  return { kind: 'ternary', condition, yes, no, place };
}

/** Operands with operators of a table between them, which bind from the left. */
function parseChain(
  cursor: TokenCursor,
  table: Precedences,
  operand: (cursor: TokenCursor) => StapExpression,
  least = 0,
): StapExpression {
  return continueChain(cursor, table, operand, least, operand(cursor));
}

function continueChain(
  cursor: TokenCursor,
  table: Precedences,
  operand: (cursor: TokenCursor) => StapExpression,
  least: number,
  first: StapExpression,
): StapExpression {
  let left = first;
  for (let length = 1; ; length++) {
    const token = cursor.peek();
    const precedence = token?.kind === 'operator' ? table.get(token.text) : undefined;
    if (token === undefined || precedence === undefined || precedence < least) return left;
    cursor.swallow();
    cursor.checkDepth(length);
    const right = parseChain(cursor, table, operand, precedence + 1);
    left = { kind: 'binary', operator: token.text as Operator, left, right, place: token.place };
  }
}

/** `key in array`, `[key, *] in array`. */
function parseIn(cursor: TokenCursor): StapExpression {
  const first = cursor.peek();
  const keys = cursor.sees('[')
    ? parseKeyList(cursor, () => parseComparison(cursor), "expected ',' or ']'")
    : [parseComparison(cursor)];
  const token = cursor.peek();
  if (token?.kind !== 'keyword' || token.text !== 'in') {
    const [only] = keys;
    if (keys.length > 1 || only === undefined) throw cursor.saw('unexpected comma-separated expression list');
    return only;
  }
  cursor.swallow();
  return { kind: 'in', keys, over: parseIndexable(cursor), place: first!.place };
}

/** `[a, *]`; undefined: `*`. */
export function parseKeyList(
  cursor: TokenCursor,
  parseKey: () => StapExpression,
  message?: string,
): (StapExpression | undefined)[] {
  cursor.swallow();
  const keys: (StapExpression | undefined)[] = [];
  for (;;) {
    keys.push(cursor.takes('*') ? undefined : parseKey());
    if (message === undefined) {
      if (cursor.expectOneOf(']', ',').text === ']') return keys;
    } else if (cursor.takes(']')) return keys;
    else if (!cursor.takes(',')) throw cursor.saw(message);
  }
}

/** What `in`, `foreach` and `[ ]` go over: a name, or `@hist_log(x)`. */
export function parseIndexable(cursor: TokenCursor): SymbolExpression | HistogramExpression {
  const token = cursor.next();
  if (token.kind === 'identifier') return { kind: 'symbol', name: token.text, place: token.place };
  if (token.kind === 'operator' && token.text.startsWith('@')) {
    if (isHistogram(token)) return parseHistogram(cursor, token);
  }
  throw cursor.saw('expected identifier or statistical operation');
}

function parseComparison(cursor: TokenCursor): StapExpression {
  const of = parseTight(cursor);
  const token = cursor.peek();
  if (isOperator(token, '=~') || isOperator(token, '!~')) {
    cursor.swallow();
    return { kind: 'match', isNegated: token.text === '!~', of, pattern: parseString(cursor), place: token.place };
  }
  return continueChain(cursor, COMPARING, parseTight, 0, of);
}

function parseTight(cursor: TokenCursor): StapExpression {
  return parseChain(cursor, TIGHT, parseUnary);
}

const UNARY: ReadonlySet<string> = new Set<UnaryExpression['operator']>(['+', '-', '!', '~']);

function parseUnary(cursor: TokenCursor): StapExpression {
  const token = cursor.peek();
  if (token?.kind === 'operator' && UNARY.has(token.text)) {
    cursor.swallow();
    const of = cursor.nested(() => parseUnary(cursor));
    return { kind: 'unary', operator: token.text as UnaryExpression['operator'], of, place: token.place };
  }
  if (isOperator(token, '&')) {
    cursor.swallow();
    return withAddress(parseAccessed(cursor), token.place);
  }
  return parseStep(cursor);
}

function parseStep(cursor: TokenCursor): StapExpression {
  const before = cursor.peek();
  if (isOperator(before, '++') || isOperator(before, '--')) {
    cursor.swallow();
    return {
      kind: 'step',
      operator: before.text as '++' | '--',
      isPost: false,
      target: parseAccessed(cursor),
      place: before.place,
    };
  }
  const target = parseAccessed(cursor);
  const token = cursor.peek();
  if (!isOperator(token, '++') && !isOperator(token, '--')) return target;
  cursor.swallow();
  return { kind: 'step', operator: token.text as '++' | '--', isPost: true, target, place: token.place };
}

/** A value, and what of it is reached by `->` and `[ ]`. */
function parseAccessed(cursor: TokenCursor): StapExpression {
  const of = parseValue(cursor);
  if (of.kind === 'target' || of.kind === 'cast') return of;
  const { place } = of;
  const { accesses, shown } = parseAccesses(cursor, parseExpression);
  if (accesses.length === 0 && shown === undefined) return of;
  return { kind: 'member', of, accesses, ...(shown !== undefined && { shown }), isAddress: false, place };
}

function parseValue(cursor: TokenCursor): StapExpression {
  const token = cursor.peek();
  if (token === undefined) throw cursor.saw('expected value');
  if (token.kind === 'embedded-code') {
    if (!cursor.isPrivileged) {
      throw cursor.saw('embedded expression code in unprivileged script; need stap -g', 'embedded expression', false);
    }
    cursor.swallow();
    return { kind: 'embedded expression', text: token.text, place: token.place };
  }
  if (isOperator(token, '(')) {
    cursor.swallow();
    const inside = parseExpression(cursor);
    cursor.expect(')');
    return inside;
  }
  if (token.kind === 'identifier') return parseSymbol(cursor);
  if (token.kind === 'operator' && token.text.startsWith('@')) return parseAtOperator(cursor);
  if (isOperator(token, '-')) {
    cursor.next();
    throw cursor.saw('expected literal string or number');
  }
  return parseLiteral(cursor);
}

function parseSymbol(cursor: TokenCursor): StapExpression {
  const { text: name, place } = cursor.next();
  if (name.startsWith('$')) return parseTarget(cursor, name, place, parseExpression);
  if (PRINT_NAMES.has(name)) return parsePrint(cursor, name, place, PRINT_ARGUMENTS);
  if (cursor.takes('(')) return { kind: 'call', name, args: parseArguments(cursor), place };
  const symbol: SymbolExpression = { kind: 'symbol', name, place };
  return cursor.sees('[') ? parseIndex(cursor, symbol) : symbol;
}

function parseIndex(cursor: TokenCursor, of: IndexExpression['of']): IndexExpression {
  return { kind: 'index', of, keys: parseKeyList(cursor, () => parseExpression(cursor)), place: of.place };
}

function parseArguments(cursor: TokenCursor): StapExpression[] {
  if (cursor.takes(')')) return [];
  const args: StapExpression[] = [];
  for (;;) {
    args.push(parseExpression(cursor));
    if (cursor.expectOneOf(')', ',').text === ')') return args;
  }
}

/** What `print` takes besides expressions: a histogram. A bucket of one stands first, and then nothing is done with it. */
const PRINT_ARGUMENTS = {
  expression: parseExpression,
  histogram: (cursor: TokenCursor): HistogramExpression | IndexExpression | undefined => {
    const token = cursor.peek();
    if (!isHistogram(token)) return undefined;
    cursor.swallow();
    const histogram = parseHistogram(cursor, token);
    if (!cursor.takes('[')) return histogram;
    const keys = [parseExpression(cursor)];
    cursor.expect(']');
    return { kind: 'index', of: histogram, keys, place: histogram.place };
  },
};

// ---------------------------------------------------------------------------------------- operators that start with @

function isHistogram(token: StapToken | undefined): token is StapToken & { readonly kind: 'operator' } {
  return isOperator(token, '@hist_log') || isOperator(token, '@hist_linear');
}

/** Behind `@hist_log` or `@hist_linear`. */
function parseHistogram(cursor: TokenCursor, token: StapToken): HistogramExpression {
  cursor.expect('(');
  const of = parseExpression(cursor);
  if (token.text === '@hist_log') {
    cursor.expect(')');
    return { kind: 'histogram', of, shape: { kind: 'log' }, place: token.place };
  }
  const parameters: bigint[] = [];
  for (let count = 0; count < 3; count++) {
    cursor.expect(',');
    parameters.push(parseNumber(cursor));
  }
  cursor.expect(')');
  return { kind: 'histogram', of, shape: { kind: 'linear', parameters }, place: token.place };
}

type AtParser = (cursor: TokenCursor, token: StapToken) => StapExpression;

const AT_PARSERS: Readonly<Record<string, AtParser>> = {
  '@defined': (cursor, { place }) => ({ kind: 'defined', of: inParens(cursor, parseExpression), place }),
  '@entry': (cursor, { place }) => ({ kind: 'entry', of: inParens(cursor, parseExpression), place }),
  '@probewrite': (cursor, { place }) => ({ kind: 'probewrite', of: inParens(cursor, parseSymbolOnly), place }),
  '@perf': (cursor, { place }) => ({ kind: 'perf', counter: inParens(cursor, parseString).value, place }),
  '@cast': parseCast,
  '@var': parseVar,
  '@const': (cursor, token) => {
    needPrivilege(cursor, token);
    // What stap knows of a constant: it may be read at any time, by anybody.
    const text = `/* pure */ /* unprivileged */ /* stable */ ${inParens(cursor, parseString).value}`;
    return { kind: 'embedded expression', text, place: token.place };
  },
  '@kderef': parseMemory(2),
  '@uderef': parseMemory(2),
  '@kregister': parseMemory(1),
  '@uregister': parseMemory(1),
  '@hist_log': parseHistogramElement,
  '@hist_linear': parseHistogramElement,
  ...Object.fromEntries(EXTRACTORS.map((extract) => [`@${extract}`, parseStat(extract)])),
};

function parseAtOperator(cursor: TokenCursor): StapExpression {
  const token = cursor.next();
  const parse = Object.hasOwn(AT_PARSERS, token.text) ? AT_PARSERS[token.text] : undefined;
  if (parse === undefined) throw cursor.saw(`unknown operator ${token.text}`, 'unknown operator');
  return parse(cursor, token);
}

function inParens<T>(cursor: TokenCursor, parse: (cursor: TokenCursor) => T): T {
  cursor.expect('(');
  const inside = parse(cursor);
  cursor.expect(')');
  return inside;
}

function parseSymbolOnly(cursor: TokenCursor): StapExpression {
  const token = cursor.peek();
  if (token?.kind === 'operator' && token.text.startsWith('@')) return parseAtOperator(cursor);
  if (token?.kind === 'identifier') return parseSymbol(cursor);
  cursor.expectName();
  throw cursor.saw('expected identifier');
}

function parseCast(cursor: TokenCursor, { place }: StapToken): StapExpression {
  cursor.expect('(');
  const of = parseExpression(cursor);
  cursor.expect(',');
  const type = parseString(cursor, 'expected string').value;
  const module = parseModule(cursor);
  const { accesses, shown } = parseAccesses(cursor, parseExpression);
  const isShown = shown === undefined ? {} : { shown };
  return { kind: 'cast', of, type, ...(module !== undefined && { module }), accesses, ...isShown, isAddress: false, place };
}

function parseVar(cursor: TokenCursor, { place }: StapToken): StapExpression {
  cursor.expect('(');
  const name = parseString(cursor, 'expected string').value;
  const module = parseModule(cursor);
  const { accesses, shown } = parseAccesses(cursor, parseExpression);
  const isShown = shown === undefined ? {} : { shown };
  return {
    kind: 'target',
    name,
    isVar: true,
    ...(module !== undefined && { module }),
    accesses,
    ...isShown,
    isAddress: false,
    place,
  };
}

/** `, "module")` or `)` */
function parseModule(cursor: TokenCursor): string | undefined {
  const module = cursor.takes(',') ? parseString(cursor, 'expected string').value : undefined;
  cursor.expect(')');
  return module;
}

function needPrivilege(cursor: TokenCursor, token: StapToken): void {
  if (cursor.isPrivileged) return;
  throw cursor.saw(`using ${token.text} operator not permitted; need stap -g`, token.text, false);
}

function parseMemory(count: number): AtParser {
  return (cursor, token) => {
    needPrivilege(cursor, token);
    cursor.expect('(');
    const args = [parseExpression(cursor)];
    while (args.length < count) {
      cursor.expect(',');
      args.push(parseExpression(cursor));
    }
    cursor.expect(')');
    return { kind: 'memory', operator: token.text as '@kderef', args, place: token.place };
  };
}

/** `@count(x)`, `@variance(x, bits)`. */
function parseStat(extract: Extractor): AtParser {
  const most = extract === 'variance' ? 2 : 1;
  return (cursor, { place }) => {
    cursor.expect('(');
    const of = parseExpression(cursor);
    let bits: bigint | undefined;
    for (let count = 1; ; count++) {
      const token = cursor.next();
      if (isOperator(token, ')')) return { kind: 'stat', extract, of, ...(bits !== undefined && { bits }), place };
      if (!isOperator(token, ',')) throw cursor.saw('unexpected end-of-file', 'stat');
      if (count === most) throw cursor.at(`not more than ${most} parameter${most === 1 ? '' : 's'} allowed`, token);
      bits = parseNumber(cursor);
    }
  };
}

function parseHistogramElement(cursor: TokenCursor, token: StapToken): StapExpression {
  const histogram = parseHistogram(cursor, token);
  if (cursor.sees('[')) return parseIndex(cursor, histogram);
  // `1 in @hist_log(x)` and the like are read elsewhere.
  throw cursor.at('base histogram operator where expression expected', token);
}
