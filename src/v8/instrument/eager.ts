import type { AnyNode } from './parse.js';

/**
 * Whether V8 parses `func` together with the code around it, as it does for a function in parentheses or one that is called at
 * once. V8's error texts then say "(intermediate value)" once for each statement of its body, so that the sites may not add
 * one.
 */
export function isEager(func: AnyNode, parent: AnyNode | undefined): boolean {
  return parent?.type === 'ParenthesizedExpression' || (parent?.type === 'CallExpression' && parent.callee === func);
}
