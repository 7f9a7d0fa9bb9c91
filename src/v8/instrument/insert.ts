import type { PieceName } from '../text/pieces.js';
import type { AnyNode } from './parse.js';
import { isSeparated, lastStatement } from './statements.js';
import type { Walk } from './walk.js';

/** Inserts a piece that is a block before the `}` of `block`, and ends the statement before it if necessary. */
export function insertAtEnd(walk: Walk, block: AnyNode, piece: PieceName, first = 0, second = 0): void {
  const at = block.end - 1;
  const last = lastStatement(block);
  if (last && last.directive === undefined && !isSeparated(walk.source, last, at)) walk.insert(at, 'semicolon');
  walk.insert(at, piece, first, second);
}

/** Visits an expression that a site assigns: a list with commas gets parentheses. */
export function visitValue(walk: Walk, value: AnyNode): void {
  const isList = value.type === 'SequenceExpression';
  if (isList) walk.insert(value.start, 'listOpen');
  walk.visit(value);
  if (isList) walk.insert(value.end, 'listClose');
}
