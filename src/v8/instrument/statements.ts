import type { AnyNode } from './parse.js';

const LINE_BREAK = /[\n\r\u2028\u2029]/;
const BLANK = /\s|\ufeff/;

/** The offset of the first token at or after `offset`; comments are skipped. */
export function nextToken(source: string, offset: number): number {
  let at = offset;
  for (;;) {
    const character = source[at] ?? '';
    if (character === '') return at;
    if (BLANK.test(character)) at++;
    else if (source.startsWith('/*', at)) at = endOf(source, '*/', at + 2);
    else if (source.startsWith('//', at) || source.startsWith('<!--', at) || source.startsWith('-->', at)) {
      while (at < source.length && !LINE_BREAK.test(source[at] as string)) at++;
    } else return at;
  }
}

function endOf(source: string, mark: string, from: number): number {
  const at = source.indexOf(mark, from);
  return at < 0 ? source.length : at + mark.length;
}

/** The beginnings of lines between two statements, outside of comments. */
export function lineStartsBetween(source: string, from: number, to: number): number[] {
  const found: number[] = [];
  for (let at = from; at < to; ) {
    if (source.startsWith('/*', at)) at = endOf(source, '*/', at + 2);
    else if (source.startsWith('//', at)) {
      while (at < to && !LINE_BREAK.test(source[at] as string)) at++;
    } else {
      if (source.startsWith('\r\n', at)) at++;
      if (LINE_BREAK.test(source[at++] as string)) found.push(at);
    }
  }
  return found;
}

/**
 * Whether the token after `offset` could continue an expression that ends there with `)`, where the expression of
 * the source was ended by the line break alone.
 */
export function couldContinue(source: string, offset: number): boolean {
  return /[^\w$\\"'{};@#\u0080-\uffff]/.test(source[nextToken(source, offset)] ?? '');
}

const ALWAYS_ENDED = new Set([
  'BlockStatement',
  'FunctionDeclaration',
  'ClassDeclaration',
  'TryStatement',
  'SwitchStatement',
  'DoWhileStatement',
]);

/** Whether `statement` ends by itself, so that anything may follow it on the same line. */
export function isEnded(source: string, statement: AnyNode): boolean {
  if (ALWAYS_ENDED.has(statement.type)) return true;
  const tail = statement.type === 'IfStatement' ? (statement.alternate ?? statement.consequent) : statement.body;
  if (tail?.type && statement.type !== 'ClassExpression') return isEnded(source, tail);
  return source[statement.end - 1] === ';';
}

/** Whether a `{` at `offset`, directly after `statement`, starts a new statement. */
export function isSeparated(source: string, statement: AnyNode, offset: number): boolean {
  if (isEnded(source, statement)) return true;
  return LINE_BREAK.test(source.slice(statement.end, offset)) && !source.endsWith('let', statement.end);
}

/** Whether control can reach the end of these statements, judged by their syntax. */
export function canComplete(statements: readonly AnyNode[]): boolean {
  const last = statements.findLast(({ type }) => type !== 'FunctionDeclaration');
  return last === undefined || completes(last);
}

/** Whether control can reach the end of a block. */
export function canReachEnd(block: AnyNode): boolean {
  const last = lastStatement(block);
  return last?.type === 'FunctionDeclaration' ? canComplete(block.body) : last === undefined || completes(last);
}

function completes(one: AnyNode): boolean {
  if (one.type === 'ReturnStatement' || one.type === 'ThrowStatement') return false;
  if (one.type === 'BlockStatement') return canReachEnd(one);
  if (one.type === 'IfStatement') return !one.alternate || completes(one.consequent) || completes(one.alternate);
  return true;
}

/** The last statement of a block, without the list of all where the tree knows it. */
export function lastStatement(block: AnyNode): AnyNode | undefined {
  const { last } = block;
  return last === undefined ? block.body.at(-1) : (last ?? undefined);
}
