import { parameterNames } from './params.js';
import { type AnyNode, parse } from './parse.js';

/** No arguments would give the parameters these values. */
const IMPOSSIBLE = '';

class Impossible extends Error {}

/**
 * The arguments, as text, from which a function with the same parameter list gets the values of its parameters:
 * `{ a, b = 1 }, ...c` is `{a:a,b:b},...c`. Undefined if all parameters are plain names, whose values are the arguments
 * themselves.
 * @param passed what the entry site passes
 */
export function repackText(func: AnyNode, passed: readonly AnyNode[]): string | undefined {
  const params = func.params as AnyNode[];
  if (params.every(({ type }) => type === 'Identifier') && passed.length === params.length) return undefined;
  const names = new Set(passed.map(({ name }) => name));
  try {
    return params.map((param) => argument(param, names)).join(',');
  } catch (error) {
    if (error instanceof Impossible) return IMPOSSIBLE;
    throw error;
  }
}

function argument(pattern: AnyNode, names: ReadonlySet<string>): string {
  const inner = (one: AnyNode): string => argument(one, names);
  switch (pattern.type) {
    case 'Identifier':
      if (!names.has(pattern.name)) throw new Impossible();
      return pattern.name;
    case 'AssignmentPattern':
      return inner(pattern.left);
    case 'RestElement':
      return `...${inner(pattern.argument)}`;
    case 'ArrayPattern':
      return `[${pattern.elements.map((element: AnyNode | null) => (element === null ? '' : inner(element))).join(',')}]`;
    case 'ObjectPattern':
      return `{${pattern.properties.map((one: AnyNode) => (one.type === 'RestElement' ? inner(one) : property(one, inner))).join(',')}}`;
    default:
      throw new Impossible();
  }
}

function property(one: AnyNode, inner: (pattern: AnyNode) => string): string {
  const key = one.key.type === 'Identifier' ? one.key.name : one.key.raw;
  // As a key of a literal, `__proto__` is no property.
  if (one.computed || key === undefined || /__proto__|[\s,]/.test(key)) throw new Impossible();
  return `${key}:${inner(one.value)}`;
}

/**
 * The repack of a function's own text, as `Function.prototype.toString` gives it.
 * @throws Error if the text is no function's, as that of a class or a native function
 */
export function repackOf(text: string): string | undefined {
  const func = functionIn(`(${text})`) ?? functionIn(`({${text}})`) ?? functionIn(`(class{static ${text}})`);
  if (func === undefined) throw new Error('its text cannot be read as a function');
  return repackText(func, parameterNames(func));
}

function functionIn(source: string): AnyNode | undefined {
  try {
    const { expression } = (parse(source, 'script') as AnyNode).body[0];
    const inner = expression.type === 'ParenthesizedExpression' ? expression.expression : expression;
    const member = inner.properties?.[0] ?? inner.body?.body?.[0];
    const found = /Function/.test(inner.type) ? inner : member?.value;
    return found !== undefined && /Function/.test(found.type) ? found : undefined;
  } catch {
    return undefined;
  }
}
