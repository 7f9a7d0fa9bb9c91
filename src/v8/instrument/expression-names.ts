import type { AnyNode } from './parse.js';
import { joinSymbol, symbolPart } from './symbol-text.js';

/** The names that stand for a module's exports: they are left out of a path. */
const EXPORTS = new Set(['exports', 'module.exports', 'globalThis']);
/** Vite's names for the exports of an imported module. */
const IMPORTED = /^__vite_ssr_import_\d+__$/;

const standsForExports = (path: string): boolean => EXPORTS.has(path) || IMPORTED.test(path);

/**
 * The path of an expression: `app.handle` of `app.handle`, `Foo.bar` of `Foo.prototype.bar`, `parse` of `exports.parse`; '' if
 * it has none. `self` is the path of `this`.
 */
export function pathOf(expression: AnyNode, self: string): string {
  const path = rawPath(expression, self);
  return standsForExports(path) ? '' : path;
}

function rawPath(expression: AnyNode, self: string): string {
  const read = PATHS[expression.type];
  return read ? read(expression, self) : '';
}

const PATHS: Readonly<Record<string, (node: AnyNode, self: string) => string>> = {
  Identifier: (node) => symbolPart(node.name),
  ThisExpression: (_, self) => self,
  ParenthesizedExpression: (node, self) => rawPath(node.expression, self),
  ChainExpression: (node, self) => rawPath(node.expression, self),
  AssignmentExpression: (node, self) => rawPath(node.left, self),
  SequenceExpression: (node, self) => rawPath(node.expressions.at(-1), self),
  AwaitExpression: (node, self) => rawPath(node.argument, self),
  CallExpression: (node, self) => (node.callee.name === 'require' ? '' : rawPath(node.callee, self)),
  NewExpression: (node, self) => rawPath(node.callee, self),
  TaggedTemplateExpression: (node, self) => rawPath(node.tag, self),
  MemberExpression: (node, self) => {
    const object = rawPath(node.object, self);
    const key = keyName(node.property, node.computed);
    if (key === 'prototype') return object;
    if (object === 'module' && key === 'exports') return 'module.exports';
    return joinSymbol(standsForExports(object) ? '' : object, key);
  },
};

/** The name of a property's key: `@@iterator` of `[Symbol.iterator]`, `private.x` of `#x`. */
export function keyName(key: AnyNode, computed: boolean): string {
  if (key.type === 'PrivateIdentifier') return `private.${symbolPart(key.name)}`;
  if (key.type === 'Literal') return symbolPart(String(key.value ?? key.raw));
  if (key.type === 'TemplateLiteral' && key.quasis.length === 1) return symbolPart(key.quasis[0].value.cooked ?? '');
  const path = rawPath(key, '');
  return computed && path.startsWith('Symbol.') ? `@@${path.slice('Symbol.'.length)}` : path || 'computed';
}

/** The last name of a path: the name of a method, whatever its object is. */
export function lastName(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}
