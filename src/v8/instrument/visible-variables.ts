import type { VisibleVariable } from '../../ftrace/text.js';
import {
  childrenOf,
  declaredIn,
  type FunctionSpan,
  hoisted,
  isFunction,
  moduleVariables,
  namesIn,
  parametersOf,
  pathTo,
  readAs,
} from './declared-names.js';
import type { AnyNode } from './parse.js';

/**
 * The variables that a probe can read in a function of a source at an offset from its start; 0 is its entry, where only what the
 * call brought is there. Empty if the source cannot be read. Pure; never throws.
 */
export function visibleVariables(source: string, one: FunctionSpan, offset: number): readonly VisibleVariable[] {
  const program = readAs(source);
  if (program === undefined) return [];
  const at = one.start + offset;
  const path = pathTo(program, one);
  const func = path.at(-1);
  if (func === undefined) return [];
  const outer = path.slice(0, -1).reverse();
  const used = namesIn(func);
  const isArrow = func.type === 'ArrowFunctionExpression';
  const self: readonly VisibleVariable[] =
    isArrow && !used.has('this') ? [] : [{ name: 'this', kind: isArrow ? 'closure' : 'receiver' }];
  return unique([
    ...self,
    ...parametersOf(func),
    ...(offset === 0 ? [] : locals(func, at)),
    ...outer.flatMap(declaredIn).flatMap(({ name }): VisibleVariable[] => (used.has(name) ? [{ name, kind: 'closure' }] : [])),
    ...moduleVariables(program),
  ]);
}

/** What the function's own code sees at a place: the innermost scope first. */
function locals(func: AnyNode, at: number): readonly VisibleVariable[] {
  const scopes: AnyNode[] = [];
  for (let node: AnyNode | undefined = func.body; node !== undefined; ) {
    scopes.unshift(node);
    node = childrenOf(node).find((child) => child.start <= at && at < child.end && !isFunction(child));
  }
  const own = scopes.flatMap(declaredIn).filter(({ until }) => until <= at);
  return [...own, ...hoisted(func.body)];
}

/** Names that an inner scope has hidden are left out. */
function unique(variables: readonly VisibleVariable[]): readonly VisibleVariable[] {
  const seen = new Set<string>();
  return variables.filter(({ name }) => !seen.has(name) && seen.add(name)).map(({ name, kind }) => ({ name, kind }));
}
