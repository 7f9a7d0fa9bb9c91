import type { ScriptExpression, ScriptStatement } from '../program.js';

/** Anything in a program that has statements or expressions below it. */
type Node = ScriptStatement | ScriptExpression;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && ('op' in value || 'do' in value || Array.isArray(value));

/** Calls a function for every statement and expression in some of them. */
export function walk(nodes: readonly (Node | undefined)[], visit: (node: Node) => void): void {
  const left: unknown[] = [...nodes];
  for (let node = left.pop(); node !== undefined || left.length > 0; node = left.pop()) {
    if (!isNode(node)) continue;
    if (!Array.isArray(node)) visit(node);
    for (const part of Object.values(node)) if (isNode(part)) left.push(part);
  }
}
