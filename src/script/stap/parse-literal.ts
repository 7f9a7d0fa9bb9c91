import { numberValue, stringValue } from './lexer.js';
import type { LongLiteral, StringLiteral } from './syntax-tree.js';
import type { StapToken } from './token.js';
import type { TokenCursor } from './token-cursor.js';

/** A string or a number, which can have a sign. */
export function parseLiteral(cursor: TokenCursor): LongLiteral | StringLiteral {
  const token = cursor.next();
  if (token.kind === 'string') return stringOf(cursor, token);
  if (token.kind === 'operator' && token.text === '-') {
    const number = cursor.next();
    if (number.kind === 'number') return { kind: 'long', value: -literalValue(cursor, number), place: token.place };
  }
  if (token.kind === 'number') return { kind: 'long', value: literalValue(cursor, token), place: token.place };
  throw cursor.saw('expected literal string or number');
}

/** A string literal; neighbours are one. */
export function parseString(cursor: TokenCursor, message = 'expected literal string'): StringLiteral {
  const token = cursor.next();
  if (token.kind !== 'string') throw cursor.saw(message);
  return stringOf(cursor, token);
}

/** A number without anything around it, and its sign. */
export function parseNumber(cursor: TokenCursor, message = 'expected number'): bigint {
  const isNegative = cursor.takes('-');
  const token = cursor.next();
  if (token.kind !== 'number') throw cursor.saw(message);
  const value = literalValue(cursor, token);
  return isNegative ? -value : value;
}

function stringOf(cursor: TokenCursor, first: StapToken): StringLiteral {
  let written = first.text;
  let value = stringValue(first.text);
  while (cursor.peek()?.kind === 'string') {
    const token = cursor.next();
    written += token.text;
    value += stringValue(token.text);
  }
  return { kind: 'string', value, written, place: first.place };
}

function literalValue(cursor: TokenCursor, token: StapToken): bigint {
  const value = numberValue(token.text);
  if (value === undefined) throw cursor.saw('number invalid or out of range');
  return value;
}
