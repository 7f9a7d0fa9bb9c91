import type { AnyNode } from './parse.js';

/** Parameters of the functions that module systems put around a module's text. */
const MODULE_PARAMETERS = new Set(['exports', 'require', 'module', '__vite_ssr_import__', '__vite_ssr_exports__']);

const withoutParentheses = (node: AnyNode | undefined): AnyNode | undefined =>
  node?.type === 'ParenthesizedExpression' ? withoutParentheses(node.expression) : node;

/**
 * The function that a program has put around a module before it compiled it as a script: the only statement, besides
 * directives, is a nameless function with a module system's parameters, or an object with one (jest). It is not in the original
 * source, and gets no site.
 */
export function wrapperOf(program: AnyNode): AnyNode | undefined {
  const statements = program.body.filter(
    (statement: AnyNode) => statement.directive === undefined && statement.type !== 'EmptyStatement',
  );
  const [only, another] = statements as AnyNode[];
  if (only?.type !== 'ExpressionStatement' || another !== undefined) return undefined;
  let value = withoutParentheses(only.expression);
  if (value?.type === 'ObjectExpression' && value.properties.length === 1) value = withoutParentheses(value.properties[0].value);
  if (value?.type !== 'ArrowFunctionExpression' && (value?.type !== 'FunctionExpression' || value.id)) return undefined;
  if (value.generator || value.body.type !== 'BlockStatement') return undefined;
  return value.params.some((param: AnyNode) => MODULE_PARAMETERS.has(param.name)) ? value : undefined;
}

/**
 * Whether a function is a getter that Vite has put into a module: an argument of `__vite_ssr_exportName__`, or a property of
 * the descriptor that is defined on `__vite_ssr_exports__`. `parent` is the node around it, `definition` the third around it.
 */
export function isExportGetter(parent: AnyNode | undefined, definition: AnyNode | undefined): boolean {
  if (parent?.type === 'CallExpression') return parent.callee.name === '__vite_ssr_exportName__';
  return (
    parent?.type === 'Property' &&
    definition?.type === 'CallExpression' &&
    definition.arguments[0]?.name === '__vite_ssr_exports__'
  );
}
