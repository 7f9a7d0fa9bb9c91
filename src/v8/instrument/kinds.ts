import type { FunctionKind } from '../js-text.js';
import { flowOf } from './code-scope.js';
import type { AnyNode } from './parse.js';

const METHOD_KINDS = { get: 'getter', set: 'setter', method: 'method', init: 'method' } as const;

/** What `func` is; `definition` is its method definition or property, `heritage` the class's superclass. */
export function kindOf(func: AnyNode, definition: AnyNode | undefined, heritage: AnyNode | null | undefined): FunctionKind {
  const flow = flowOf(func);
  if (flow !== 'sync') return flow;
  if (func.type === 'ArrowFunctionExpression') return 'arrow';
  if (!definition) return 'function';
  if (definition.kind === 'constructor') return heritage ? 'derived-constructor' : 'constructor';
  return METHOD_KINDS[definition.kind as keyof typeof METHOD_KINDS];
}

/** The method definition or property that `func` is the body of, when `parent` is one. */
export function definitionOf(func: AnyNode, parent: AnyNode | undefined): AnyNode | undefined {
  if (!parent || parent.value !== func) return undefined;
  if (parent.type === 'MethodDefinition') return parent;
  if (parent.type === 'Property' && (parent.method || parent.kind !== 'init')) return parent;
  return undefined;
}
