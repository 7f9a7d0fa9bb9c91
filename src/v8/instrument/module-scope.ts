import type { ModuleScope } from '../../ftrace/text.js';
import { boundNames } from './bound-names.js';
import {
  childrenOf,
  declaredIn,
  declaredOutside,
  type FunctionSpan,
  isFunction,
  moduleVariables,
  namesIn,
  pathTo,
  readAs,
} from './declared-names.js';
import type { AnyNode } from './parse.js';

/**
 * The variables of a source's module, as the entry of one of its functions sees them. Undefined if the source cannot be read.
 * Pure; never throws.
 */
export function moduleScope(source: string, one: FunctionSpan): ModuleScope | undefined {
  const program = readAs(source);
  const path = program === undefined ? [] : pathTo(program, one);
  const func = path.at(-1);
  if (program === undefined || func === undefined) return undefined;
  const kept = moduleVariables(program).map(({ name, kind }) => ({ name, kind: kind.replace(/^module /, '') }));
  const keptNames = new Set(kept.map(({ name }) => name));
  return {
    variables: kept,
    unkept: declaredOutside(program).flatMap(({ name }) => (keptNames.has(name) ? [] : [name])),
    hidden: [...new Set([...path.flatMap(ownNames), ...blockNames(func)])],
    forget: forgetText(func),
  };
}

/** The names that a node declares for the code inside of it. */
const ownNames = (node: AnyNode): readonly string[] => [
  ...declaredIn(node).map(({ name }) => name),
  // The name of a declaration is in the scope around it.
  ...(['FunctionExpression', 'ClassExpression'].includes(node.type) && node.id ? [node.id.name as string] : []),
];

/** What a body declares for itself hides other variables from its first statement on. */
const blockNames = ({ body }: AnyNode): readonly string[] => declaredIn(body).map(({ name }) => name);

/**
 * Statements that let go of the values of a call, where a closure has kept them: its parameters, and its `arguments`. What the
 * function shares with code inside of it is left alone, because that would see the change.
 */
function forgetText(func: AnyNode): string {
  const shared = sharedNames(func);
  const names = func.params.flatMap(boundNames).map(({ name }: AnyNode): string => name);
  const own = shared.has('eval') ? [] : names.filter((name: string) => !shared.has(name));
  const parameters = own.length === 0 ? '' : `${own.join('=')}=void 0;`;
  // An object of its own, unless the function uses it; an arrow has that of the function around it.
  const hasOwn = func.type !== 'ArrowFunctionExpression' && !namesIn(func).has('arguments');
  return hasOwn ? `${parameters}for(const k in arguments)delete arguments[k];` : parameters;
}

/** The names that functions and classes inside of a function have; with `eval`, they may have any. */
function sharedNames(func: AnyNode): ReadonlySet<string> {
  const names = new Set(namesIn(func).has('eval') ? ['eval'] : []);
  const look = (node: AnyNode): void => {
    if (isFunction(node) || /^Class/.test(node.type)) for (const name of namesIn(node)) names.add(name);
    else for (const child of childrenOf(node)) look(child);
  };
  for (const child of childrenOf(func)) look(child);
  return names;
}
