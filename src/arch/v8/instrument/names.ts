import type { AnyNode } from './parse.js';
import type { Walk } from './walk.js';

/** The symbol of a function, and whether it is only a place, which needs the line to be told from others. */
export function nameFunction(_walk: Walk, node: AnyNode, _definition: AnyNode | undefined): { name: string; placed: boolean } {
  return node.id ? { name: node.id.name, placed: false } : { name: 'anonymous', placed: true };
}
