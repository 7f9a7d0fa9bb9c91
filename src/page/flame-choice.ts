import { signal } from '@preact/signals';
import type { StackNode } from '../timeline/stacks.js';
import { chosenFunction, functionName, message } from './state.js';
import { countText, timeText } from './time-text.js';

/** A node of a flame graph, with the nodes from the root to it. */
export interface FlamePath {
  readonly nodes: readonly StackNode[];
}

/** The tree that is shown, and the chosen node of it. */
export const flameRoot = signal<StackNode | undefined>(undefined);
export const flamePath = signal<FlamePath | undefined>(undefined);

/** Chooses a node by the way to it. */
export function chooseNode(nodes: readonly StackNode[]): void {
  const node = nodes.at(-1)!;
  flamePath.value = { nodes };
  if (node.func >= 0) chosenFunction.value = node.func;
  message.value = nodeText(node, flameRoot.value?.total ?? 0);
}

/** A node in words. */
export function nodeText({ func, total, self, count }: StackNode, whole: number): string {
  const part = whole > 0 ? `, ${((100 * total) / whole).toFixed(1)} % of what is shown` : '';
  return `${func < 0 ? 'all' : functionName(func)}: ${countText(count)} calls, total ${timeText(total)}, self ${timeText(self)}${part}`;
}

/** Chooses a neighbour of the chosen node. */
export function moveInFlame(direction: 'previous' | 'next' | 'up' | 'down'): void {
  const root = flameRoot.value;
  if (root === undefined) return;
  const nodes = flamePath.value?.nodes ?? [root];
  const node = nodes.at(-1)!;
  if (direction === 'up' && nodes.length > 1) chooseNode(nodes.slice(0, -1));
  if (direction === 'down' && node.children.length > 0) chooseNode([...nodes, node.children[0]!]);
  if ((direction !== 'previous' && direction !== 'next') || nodes.length < 2) return;
  const siblings = nodes.at(-2)!.children;
  const other = siblings[siblings.indexOf(node) + (direction === 'next' ? 1 : -1)];
  if (other !== undefined) chooseNode([...nodes.slice(0, -1), other]);
}
