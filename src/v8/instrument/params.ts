import { boundNames } from './bound-names.js';
import type { AnyNode } from './parse.js';

/** The most values of an entry: a reader does not read more in one line of a trace. */
const MOST = 16;

/**
 * The names bound by a function's parameters, in order, each once, whose values an entry site may pass: not those
 * that a function of the body replaces, nor `arguments` and `eval`, nor names written with escapes.
 */
export function parameterNames(func: AnyNode): AnyNode[] {
  const names: AnyNode[] = func.params.flatMap(boundNames);
  if (names.length === 0) return names;
  const seen = new Set(['arguments', 'eval', ...bodyFunctions(func.body)]);
  return names
    .filter((id) => {
      if (seen.has(id.name) || id.end - id.start !== id.name.length) return false;
      seen.add(id.name);
      return true;
    })
    .slice(0, MOST);
}

function bodyFunctions(body: AnyNode): string[] {
  if (body.type !== 'BlockStatement') return [];
  return body.body.map((statement: AnyNode) => {
    let inner = statement;
    while (inner.type === 'LabeledStatement') inner = inner.body;
    return inner.type === 'FunctionDeclaration' ? inner.id.name : '';
  });
}
