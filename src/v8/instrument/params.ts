import { Most } from '../parser/kinds.js';
import { boundNames } from './bound-names.js';
import type { AnyNode } from './parse.js';

/**
 * The names bound by a function's parameters, in order, each once, whose values an entry site may pass: not those
 * that a function of the body replaces, nor `arguments` and `eval`, nor names written with escapes.
 */
export function parameterNames(func: AnyNode): readonly AnyNode[] {
  const params = func['params'] as readonly AnyNode[];
  return func['isSimple'] === true || params.length === 0 ? params : passedNames(params, func['body']);
}

function passedNames(params: readonly AnyNode[], body: AnyNode): readonly AnyNode[] {
  const names = params.every(({ type }) => type === 'Identifier') ? params : params.flatMap(boundNames);
  const hidden = bodyFunctions(body);
  const passed: AnyNode[] = [];
  const seen: string[] = [];
  for (const id of names) {
    const name = id['name'] as string;
    if (name === 'arguments' || name === 'eval' || seen.includes(name) || hidden.includes(name)) continue;
    if (id.end - id.start !== name.length) continue;
    seen.push(name);
    passed.push(id);
    if (passed.length === Most.Names) break;
  }
  return passed;
}

function bodyFunctions(body: AnyNode): readonly string[] {
  if (body.type !== 'BlockStatement') return [];
  const names: string[] = [];
  for (const statement of body['body'] as readonly AnyNode[]) {
    let inner = statement;
    while (inner.type === 'LabeledStatement') inner = inner['body'];
    if (inner.type === 'FunctionDeclaration') names.push(inner['id'].name);
  }
  return names;
}
