import type { AnyNode } from './parse.js';

/** The identifiers that a pattern binds, in their order. */
export function boundNames(pattern: AnyNode | null): readonly AnyNode[] {
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern];
    case 'AssignmentPattern':
      return boundNames(pattern.left);
    case 'RestElement':
      return boundNames(pattern.argument);
    case 'ArrayPattern':
      return pattern.elements.flatMap(boundNames);
    case 'ObjectPattern':
      return pattern.properties.flatMap((property: AnyNode) => boundNames(property.value ?? property));
    default:
      return [];
  }
}
