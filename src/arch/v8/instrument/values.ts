import type { AnyNode } from './parse.js';
import type { Walk } from './walk.js';

/** Visits an expression that a site assigns: a list with commas gets parentheses. */
export function visitValue(walk: Walk, value: AnyNode): void {
  const isList = value.type === 'SequenceExpression';
  if (isList) walk.insert(value.start, 'listOpen');
  walk.visit(value);
  if (isList) walk.insert(value.end, 'listClose');
}
