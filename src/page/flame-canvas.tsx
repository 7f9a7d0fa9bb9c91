import { useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import { placedChildren, type StackNode } from '../timeline/stacks.js';
import { pixelOfText } from './colours.js';
import { chooseNode, type FlameNodes, flamePath } from './flame-choice.js';
import { Pixels } from './pixels.js';
import { found, recording } from './state.js';
import { useCanvas } from './use-canvas.js';

const ROW = 18;
const NAMED_WIDTH = 26;
/** The height of the bar at an edge. */
const BAR = 2;
/** The width of most letters. */
const LETTER = 7;
/** Deeper stacks would make a canvas that no browser has. */
const MOST_DEPTH = 800;

/** What a flame graph shows. */
export interface FlameProps {
  /** The node that has the whole width. */
  readonly root: StackNode;
  /** The nodes from the tree's root to it. */
  readonly above: readonly StackNode[];
  readonly kind: FlameNodes;
  /** Whether the root is at the bottom: callers stand above what they call. */
  readonly isUpward?: boolean;
  readonly label: string;
  readonly id: string;
}

/** Narrower nodes are not drawn, CSS pixels. */
const NARROWEST = 0.5;
/** The room that a graph has at least, when it is not known yet how much it has. */
const LEAST_WIDTH = 1000;

/** How many rows a tree has, of what can be seen. */
function depthOf(root: StackNode): number {
  const least = (root.total * NARROWEST) / Math.max(LEAST_WIDTH, window.innerWidth);
  let deepest = 0;
  const open: [StackNode, number][] = [[root, 1]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [node, depth] = next;
    deepest = Math.max(deepest, depth);
    if (depth >= MOST_DEPTH) continue;
    for (const { node: child } of placedChildren(node, least)) open.push([child, depth + 1]);
  }
  return deepest;
}

/** A drawn node. */
interface Box {
  readonly node: StackNode;
  /** The box of its parent; undefined at the bottom of what is shown. */
  readonly below: Box | undefined;
  readonly depth: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** The boxes of a tree in a room. */
interface FlameBoxes {
  readonly root: StackNode;
  readonly width: number;
  readonly height: number;
  readonly all: readonly Box[];
}

/** The nodes from the tree's root to that of a box. */
function pathOf(above: readonly StackNode[], box: Box): readonly StackNode[] {
  const nodes: StackNode[] = [];
  for (let at: Box | undefined = box; at !== undefined; at = at.below) nodes.push(at.node);
  return [...above, ...nodes.reverse()];
}

/** A flame graph on a canvas. */
export function FlameCanvas({ root, above, kind, isUpward = false, label, id }: FlameProps) {
  const boxes = useRef<FlameBoxes>(undefined);
  const pixels = useRef(new Pixels());
  const shownRoot = useSignal(root);
  shownRoot.value = root;
  const rows = useMemo(() => depthOf(root), [root]);
  const canvas = useCanvas(
    () => ({ root: shownRoot.value, all: recording.value, path: flamePath.value, hits: found.value?.functions }),
    ({ context, width, height, scale, theme }, { root: shownNow, path, hits }) => {
      const [wide, tall] = [width / scale, height / scale];
      const known = boxes.current;
      const shown =
        known?.root === shownNow && known.width === wide && known.height === tall
          ? known
          : boxesOf(shownNow, wide, tall, isUpward);
      boxes.current = shown;
      const picture = pixels.current;
      picture.clear(width, height, pixelOfText(theme.background));
      const faint = pixelOfText(theme.lane);
      const bar = Math.max(2, Math.round(BAR * scale));
      const chosenNode = path?.nodes.at(-1);
      const isFaint = (func: number): boolean => hits !== undefined && hits.size > 0 && !kind.isFound(func, hits);
      for (const { node, x, y, width: w } of shown.all) {
        const left = Math.round(x * scale);
        const wide = Math.max(1, Math.round((x + w) * scale) - left);
        const top = Math.round(y * scale);
        const paint = node.func < 0 || isFaint(node.func) ? { colour: faint } : kind.paintOf(node, theme);
        const { colour } = paint;
        const tall = Math.round(ROW * scale) - 1;
        if (node === chosenNode) {
          picture.fill(left, top, wide, tall, pixelOfText(theme.accent));
          picture.fill(left + 2, top + 2, wide - 4, tall - 4, colour);
        } else picture.fill(left, top, wide > 3 ? wide - 1 : wide, tall, colour);
        if (paint.bar !== undefined) {
          const at = paint.bar === 'upper' ? top : top + tall - bar;
          picture.fill(left, at, wide > 3 ? wide - 1 : wide, bar, pixelOfText(theme.text));
        }
      }
      picture.draw(context);
      context.font = `${12 * scale}px system-ui, sans-serif`;
      context.textBaseline = 'top';
      context.fillStyle = theme.text;
      for (const { node, x, y, width: w } of shown.all) {
        if (w < NAMED_WIDTH) continue;
        const name = kind.nameOf(node.func);
        const note = kind.noteOf(node);
        const most = Math.floor((w - 8) / LETTER);
        const text = name.length + note.length + 2 < most ? `${name}  ${note}` : name;
        context.fillText(
          text.length <= most ? text : `${text.slice(0, Math.max(0, most - 1))}…`,
          (x + 4) * scale,
          (y + 2) * scale,
        );
      }
    },
  );
  const find = (event: MouseEvent): Box | undefined =>
    boxes.current?.all.find(
      ({ x, y, width }) =>
        event.offsetX >= x && event.offsetX < x + Math.max(width, 1) && event.offsetY >= y && event.offsetY < y + ROW,
    );
  return (
    <div class="flame" role="application">
      <canvas
        ref={canvas}
        id={id}
        style={{ height: `${Math.min(rows, MOST_DEPTH) * ROW}px` }}
        tabIndex={0}
        aria-label={`${label}. Arrow keys choose a function; what is chosen is said below. The view Functions has the numbers as a table.`}
        onClick={(event) => {
          const box = find(event);
          if (box !== undefined) chooseNode(pathOf(above, box));
        }}
      />
    </div>
  );
}

/** The boxes that are at least half a pixel wide. */
function boxesOf(root: StackNode, width: number, height: number, isUpward: boolean): FlameBoxes {
  const all: Box[] = [];
  const yOf = (depth: number): number => (isUpward ? height - (depth + 1) * ROW : depth * ROW);
  const perPixel = root.total / width;
  const open: Box[] = root.total <= 0 ? [] : [{ node: root, below: undefined, depth: 0, x: 0, y: yOf(0), width }];
  for (let box = open.pop(); box !== undefined; box = open.pop()) {
    all.push(box);
    const { node, x, depth } = box;
    if (depth + 1 >= MOST_DEPTH) continue;
    for (const { node: child, before } of placedChildren(node, perPixel * NARROWEST))
      open.push({
        node: child,
        below: box,
        depth: depth + 1,
        x: x + before / perPixel,
        y: yOf(depth + 1),
        width: child.total / perPixel,
      });
  }
  return { root, width, height, all };
}
