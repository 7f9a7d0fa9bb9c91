import { EXTRACTORS, type Extractor } from '../program.js';
import { parseExpression, parseIndexable, parseKeyList } from './parse-expression.js';
import type {
  Block,
  EmbeddedCode,
  ForeachStatement,
  HistogramExpression,
  StapExpression,
  StapPlace,
  Statement,
  SymbolExpression,
} from './syntax-tree.js';
import { isOperator, type StapToken } from './token.js';
import type { TokenCursor } from './token-cursor.js';

/** What a statement stands in: `return` belongs to functions. */
export type StatementContext = 'probe' | 'function';

type StatementParser = (cursor: TokenCursor, context: StatementContext, place: StapPlace) => Statement;

/** Statements by the keyword that begins them, behind which their parser starts. */
const STATEMENTS: Readonly<Record<string, StatementParser>> = {
  if: parseIf,
  while: parseWhile,
  for: parseFor,
  foreach: parseForeach,
  try: parseTry,
  return: parseReturn,
  delete: (cursor, _context, place) => ({ kind: 'delete', target: parseExpression(cursor), place }),
  break: (_cursor, _context, place) => ({ kind: 'break', place }),
  continue: (_cursor, _context, place) => ({ kind: 'continue', place }),
  next: (_cursor, _context, place) => ({ kind: 'next', place }),
};

/** `{ statements }`; its first token is the next one. */
export function parseBlock(cursor: TokenCursor, context: StatementContext): Block {
  const { place } = cursor.expect('{');
  const statements: Statement[] = [];
  while (!cursor.takes('}')) statements.push(parseStatement(cursor, context));
  return { kind: 'block', statements, place };
}

function parseStatement(cursor: TokenCursor, context: StatementContext): Statement {
  return cursor.nested(() => {
    const token = cursor.peek();
    if (isOperator(token, ';')) return { kind: 'empty', place: cursor.swallow().place };
    if (isOperator(token, '{')) return parseBlock(cursor, context);
    if (token?.kind === 'keyword' && Object.hasOwn(STATEMENTS, token.text)) {
      if (token.text === 'return' && context !== 'function') throw cursor.saw("found 'return' not in function context");
      cursor.next();
      return ended(cursor, STATEMENTS[token.text]!(cursor, context, token.place));
    }
    if (token?.kind === 'embedded-code' && cursor.isPrivileged) return parseEmbedded(cursor);
    return ended(cursor, parseExpressionStatement(cursor, 'expected statement'));
  });
}

const ENDED: ReadonlySet<Statement['kind']> = new Set(['expression', 'return', 'delete', 'break', 'continue', 'next'] as const);

/** A statement with the `;` that may stand behind it. */
function ended(cursor: TokenCursor, statement: Statement): Statement {
  if (ENDED.has(statement.kind)) cursor.takes(';');
  return statement;
}

/** `%{ text %}` */
export function parseEmbedded(cursor: TokenCursor): EmbeddedCode {
  const { text, place } = cursor.swallow();
  return { kind: 'embedded', text, place };
}

const EXPRESSION_KINDS: ReadonlySet<string> = new Set(['operator', 'identifier', 'string', 'number', 'embedded-code']);

function parseExpressionStatement(cursor: TokenCursor, message: string): Statement {
  const token = cursor.peek();
  if (token === undefined || !EXPRESSION_KINDS.has(token.kind)) throw cursor.saw(message);
  return { kind: 'expression', expression: parseExpression(cursor), place: token.place };
}

function parseCondition(cursor: TokenCursor): StapExpression {
  cursor.expect('(');
  const condition = parseExpression(cursor);
  cursor.expect(')');
  return condition;
}

function parseIf(cursor: TokenCursor, context: StatementContext, place: StapPlace): Statement {
  const condition = parseCondition(cursor);
  const yes = parseStatement(cursor, context);
  if (!cursor.seesKeyword('else')) return { kind: 'if', condition, yes, place };
  cursor.swallow();
  return { kind: 'if', condition, yes, no: parseStatement(cursor, context), place };
}

function parseWhile(cursor: TokenCursor, context: StatementContext, place: StapPlace): Statement {
  return { kind: 'while', condition: parseCondition(cursor), body: parseStatement(cursor, context), place };
}

function parseFor(cursor: TokenCursor, context: StatementContext, place: StapPlace): Statement {
  cursor.expect('(');
  let init: StapExpression | undefined;
  if (!cursor.takes(';')) {
    const first = parseExpressionStatement(cursor, 'expression statement expected');
    if (first.kind === 'expression') init = first.expression;
    cursor.expect(';');
  }
  let condition: StapExpression | undefined;
  if (!cursor.takes(';')) {
    condition = parseExpression(cursor);
    cursor.expect(';');
  }
  let step: StapExpression | undefined;
  if (!cursor.takes(')')) {
    const last = parseExpressionStatement(cursor, 'expression statement expected');
    if (last.kind === 'expression') step = last.expression;
    cursor.expect(')');
  }
  const body = parseStatement(cursor, context);
  return { kind: 'for', ...(init && { init }), ...(condition && { condition }), ...(step && { step }), body, place };
}

function parseReturn(cursor: TokenCursor, _context: StatementContext, place: StapPlace): Statement {
  if (cursor.sees(';') || cursor.sees('}')) return { kind: 'return', place };
  return { kind: 'return', value: parseExpression(cursor), place };
}

function parseTry(cursor: TokenCursor, context: StatementContext, place: StapPlace): Statement {
  const body = parseBlock(cursor, context);
  cursor.expectKeyword('catch');
  let caught: SymbolExpression | undefined;
  if (cursor.takes('(')) {
    caught = symbolOf(cursor.expectName());
    cursor.expect(')');
  }
  return { kind: 'try', body, ...(caught && { caught }), handler: parseBlock(cursor, context), place };
}

// ------------------------------------------------------------------------------------------------------------ foreach

interface Order {
  by: number;
  extract?: Extractor;
  isDescending: boolean;
}

function parseForeach(cursor: TokenCursor, context: StatementContext, place: StapPlace): Statement {
  cursor.expect('(');
  const orders: Order[] = [];
  const sortBy = (by: number, extract?: Extractor): boolean => {
    const token = cursor.peek();
    if (!isOperator(token, '+') && !isOperator(token, '-')) return false;
    if (orders.length > 0) throw cursor.saw('multiple sort directives');
    cursor.swallow();
    orders.push({ by, ...(extract && { extract }), isDescending: token.text === '-' });
    return true;
  };

  let value: SymbolExpression | undefined;
  let keys: SymbolExpression[] | undefined;
  if (!cursor.sees('[')) {
    const first = symbolOf(cursor.expectName());
    const isSorted = sortBy(0);
    if (cursor.takes('=')) value = first;
    else {
      keys = [first];
      // The sign was behind the only key.
      if (isSorted) orders[0]!.by = 1;
    }
  }
  keys ??= parseForeachKeys(cursor, sortBy);
  cursor.expectKeyword('in');
  const over = parseIndexable(cursor);
  const slice = cursor.sees('[') ? parseKeyList(cursor, () => parseExpression(cursor), "expected ',' or ']'") : undefined;
  const extract = parseSortExtract(cursor);
  if (!sortBy(0, extract) && extract !== undefined) {
    cursor.next();
    throw cursor.saw('expected sort directive');
  }
  let limit: StapExpression | undefined;
  if (cursor.seesKeyword('limit')) {
    cursor.swallow();
    limit = parseExpression(cursor);
  }
  cursor.expect(')');
  const body = parseStatement(cursor, context);
  const head = foreachHead(value, keys, over, slice, orders[0]);
  return { ...head, ...(limit && { limit }), body, place };
}

function foreachHead(
  value: SymbolExpression | undefined,
  keys: readonly SymbolExpression[],
  over: SymbolExpression | HistogramExpression,
  slice: ForeachStatement['slice'],
  order: Order | undefined,
): Pick<ForeachStatement, 'kind' | 'value' | 'keys' | 'over' | 'slice' | 'order'> {
  return { kind: 'foreach', ...(value && { value }), keys, over, ...(slice && { slice }), ...(order && { order }) };
}

/** `name`, or `[name, name]`, each with its sign. */
function parseForeachKeys(cursor: TokenCursor, sortBy: (by: number) => boolean): SymbolExpression[] {
  if (!cursor.takes('[')) {
    const only = symbolOf(cursor.expectName());
    sortBy(1);
    return [only];
  }
  const keys: SymbolExpression[] = [];
  for (;;) {
    keys.push(symbolOf(cursor.expectName()));
    sortBy(keys.length);
    if (cursor.takes(']')) return keys;
    if (!cursor.takes(',')) throw cursor.saw("expected ',' or ']'");
  }
}

/** `@sum` behind the array. */
function parseSortExtract(cursor: TokenCursor): Extractor | undefined {
  const token = cursor.peek();
  if (token?.kind !== 'operator' || !token.text.startsWith('@')) return undefined;
  const extract = EXTRACTORS.find((name) => `@${name}` === token.text);
  if (extract === undefined || extract === 'variance') throw cursor.saw('expected statistical operation');
  cursor.swallow();
  return extract;
}

function symbolOf({ text: name, place }: StapToken): SymbolExpression {
  return { kind: 'symbol', name, place };
}
