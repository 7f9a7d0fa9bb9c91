import type { AnyNode } from './parse.js';
import type { Handler, Walk } from './walk.js';

const GLOBALS = ['globalThis', 'global', 'self', 'window'];

const unwrapped = (node: AnyNode): AnyNode => (node.type === 'ParenthesizedExpression' ? unwrapped(node.expression) : node);

/** Whether an identifier `eval` or `Function` stands where its value goes nowhere, or is another's property. */
const isHarmless = (node: AnyNode, parent: AnyNode | undefined): boolean => {
  if (parent?.type === 'MemberExpression') {
    if (parent.object === node) return !parent.computed && parent.property.name === 'prototype';
    return !parent.computed && !GLOBALS.includes(unwrapped(parent.object).name);
  }
  if (parent?.type === 'Property') return !parent.computed && parent.key === node && !parent.shorthand;
  if (parent?.type === 'MethodDefinition' || parent?.type === 'PropertyDefinition')
    return parent.key === node && !parent.computed;
  return parent?.type === 'BinaryExpression' && parent.operator === 'instanceof';
};

/** The constructor of async functions or generators has no name; programs take it from one of them, or from its prototype. */
const isConstructorOfFunctions = (parent: AnyNode | undefined): boolean =>
  /Function|Call/.test(unwrapped(parent?.type === 'MemberExpression' ? parent.object : { type: '' }).type);

/** Notes whether `import()` may run in the name of the text: written in it, or in code that it makes of strings. */
export const enterIdentifier: Handler = (walk: Walk, node: AnyNode) => {
  const { name } = node;
  if (name === 'eval' || name === 'Function') walk.mayImport ||= !isHarmless(node, walk.parent());
  else if (name === 'constructor') walk.mayImport ||= isConstructorOfFunctions(walk.parent());
};

export const enterImport: Handler = (walk: Walk, node: AnyNode) => {
  walk.mayImport = true;
  walk.hasImport = true;
  walk.visitChildren(node);
};
