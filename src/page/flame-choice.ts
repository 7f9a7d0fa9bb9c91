import { signal } from '@preact/signals';
import type { StackNode } from '../timeline/stacks.js';
import type { Theme } from './colours.js';
import { colourAmong, pixelOf } from './colours.js';
import { chosenFunction, functionName, message, recording } from './state.js';
import { countText, timeText } from './time-text.js';

/** A node of a flame graph, with the nodes from the root to it. */
export interface FlamePath {
  readonly nodes: readonly StackNode[];
}

/** How a node is painted: a pixel's colour, and whether a bar stands at its upper or lower edge. */
export interface FlamePaint {
  readonly colour: number;
  readonly bar?: 'upper' | 'lower';
}

/** What a flame graph says of its nodes, and does with them. */
export interface FlameNodes {
  /** The function's name; the root is called `all`. */
  nameOf(func: number): string;
  /** What stands behind the name, where there is room. */
  noteOf(node: StackNode): string;
  /** A node in words. `whole` is the time of what is shown. */
  textOf(node: StackNode, whole: number): string;
  paintOf(node: StackNode, theme: Theme): FlamePaint;
  /** Whether a search has found the function. */
  isFound(func: number, hits: ReadonlySet<number>): boolean;
  choose(func: number): void;
}

const nameOf = (func: number): string => (func < 0 ? 'all' : functionName(func));

/** A node's name, calls and times. */
export function nodeText({ func, total, self, count }: StackNode, whole: number): string {
  const part = whole > 0 ? `, ${((100 * total) / whole).toFixed(1)} % of what is shown` : '';
  return `${nameOf(func)}: ${countText(count)} calls, total ${timeText(total)}, self ${timeText(self)}${part}`;
}

const colours: { isDark?: boolean; of?: unknown; pixels: number[] } = { pixels: [] };

/** The nodes of the shown recording. */
export const PLAIN_NODES: FlameNodes = {
  nameOf,
  noteOf: ({ total }) => timeText(total),
  textOf: nodeText,
  paintOf({ func }, { isDark }) {
    const { functions } = recording.value!;
    if (colours.isDark !== isDark || colours.of !== functions) Object.assign(colours, { isDark, of: functions, pixels: [] });
    return { colour: (colours.pixels[func + 1] ??= pixelOf(colourAmong(functions, func, isDark))) };
  },
  isFound: (func, hits) => hits.has(func),
  choose(func) {
    chosenFunction.value = func;
  },
};

/** The tree that is shown, what its nodes are, and the chosen node of it. */
export const flameRoot = signal<StackNode | undefined>(undefined);
export const flameNodes = signal<FlameNodes>(PLAIN_NODES);
export const flamePath = signal<FlamePath | undefined>(undefined);

/** The node that has the whole width, with the way to it; undefined: the root. */
export const widest = signal<readonly StackNode[] | undefined>(undefined);

/** Gives the chosen node the whole width. */
export function widen(): void {
  if (flamePath.value === undefined) message.value = 'nothing is chosen';
  else widest.value = flamePath.value.nodes;
}

/** Chooses a node by the way to it. */
export function chooseNode(nodes: readonly StackNode[]): void {
  const node = nodes.at(-1)!;
  flamePath.value = { nodes };
  if (node.func >= 0) flameNodes.value.choose(node.func);
  message.value = flameNodes.value.textOf(node, flameRoot.value?.total ?? 0);
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
