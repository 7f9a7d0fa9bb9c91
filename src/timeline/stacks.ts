import { doubled } from '../base/doubled.js';
import { StackTree } from '../base/stack-tree.js';
import { callAround } from './call-around.js';
import { type CallRow, NONE } from './call-row.js';
import type { TimelineRecording, TrackColumns } from './timeline-recording.js';

/** A part of a recording's time, ns of its clock. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** A function in a tree of stacks, with all calls that have equal callers. Times are ns. */
export interface StackNode {
  /** The function; NONE at the root. */
  readonly func: number;
  readonly total: number;
  readonly self: number;
  readonly count: number;
  readonly children: readonly StackNode[];
  /**
   * The children that take at least so long, in their order, and the time of those before each: the others are not made, which
   * can be millions. Absent: `children` are there.
   */
  childrenOver?(least: number): readonly PlacedNode[];
}

/** A node, and the time of its siblings before it. */
export interface PlacedNode {
  readonly node: StackNode;
  readonly before: number;
}

/** The children of a node that take at least so long. */
export function placedChildren(node: StackNode, least: number): readonly PlacedNode[] {
  if (node.childrenOver !== undefined) return node.childrenOver(least);
  const placed: PlacedNode[] = [];
  let before = 0;
  for (const child of node.children) {
    if (child.total >= least) placed.push({ node: child, before });
    before += child.total;
  }
  return placed;
}

/** The orders of the callees of one function. `time` is how they came first, `heavy` has the longest first. */
export const STACK_ORDERS = ['time', 'heavy', 'name'] as const;
export type StackOrder = (typeof STACK_ORDERS)[number];

const FIRST_SIZE = 1024;
const TOTAL = 0;
const SELF = 1;
const COUNT = 2;
const SUMS = 3;

/** A tree of nodes in an order, as far as it was asked for. */
interface NodeTree {
  readonly sorter: ((a: StackNode, b: StackNode) => number) | undefined;
  /** By the node's number. */
  readonly made: Map<number, StackNode>;
}

/** The nodes of calls of a row, from the first on that is in the range. */
interface RowNodes {
  readonly first: number;
  readonly nodes: Int32Array;
}

/** The stacks of a part of a recording, equal ones as one. */
export class MergedStacks {
  readonly #tree = new StackTree();
  readonly #root = this.#tree.addRoot(NONE);
  /** By node: its total, its self time, its calls, side by side. */
  #sums = new Float64Array(FIRST_SIZE * SUMS);
  readonly #range: TimeRange;

  /**
   * @param range calls are counted as far as they lie in it; a call of no time, if it lies in it
   * @param tracks only these; all when left out
   */
  constructor({ tracks }: TimelineRecording, range: TimeRange, isTaken: (track: TrackColumns) => boolean = () => true) {
    this.#range = range;
    for (const track of tracks) if (isTaken(track)) this.#addTrack(track);
    for (let node = this.#tree.newest(this.#root); node !== NONE; node = this.#tree.older(node))
      this.#sums[this.#root * SUMS + TOTAL]! += this.#sums[node * SUMS + TOTAL]!;
  }

  /** The tree from the root on. A node's children are made when they are asked for: there can be millions. */
  root(order: StackOrder, nameOf: (func: number) => string): StackNode {
    const sorters: Record<StackOrder, ((a: StackNode, b: StackNode) => number) | undefined> = {
      time: undefined,
      heavy: (a, b) => b.total - a.total,
      name: (a, b) => (nameOf(a.func) < nameOf(b.func) ? -1 : 1),
    };
    return this.#node(this.#root, { sorter: sorters[order], made: new Map() });
  }

  /**
   * What a function called, and what called it: `callees` begins with the function, `callers` too, and goes from callee to
   * caller. Of calls inside of the function's own calls, the outermost count.
   */
  around(func: number): { readonly callees: StackNode; readonly callers: StackNode } {
    const callees = emptyNode(func);
    const callers = emptyNode(func);
    for (let outermost = 0; outermost < this.#tree.size; outermost++) {
      if (this.#tree.key(outermost) !== func || this.#isInside(this.#tree.parent(outermost), func)) continue;
      this.#mergeCallees(callees, outermost);
      let into = callers;
      for (let at = outermost; at !== this.#root; at = this.#tree.parent(at)) {
        if (at !== outermost) into = childOf(into, this.#tree.key(at));
        into.total += this.#sums[outermost * SUMS + TOTAL]!;
        into.count += this.#sums[outermost * SUMS + COUNT]!;
      }
    }
    sortDeep(callees);
    sortDeep(callers);
    return { callees, callers };
  }

  /** The node of a tree; each is made once, so that it is the same wherever it is asked for. */
  #node(at: number, tree: NodeTree): StackNode {
    const known = tree.made.get(at);
    if (known !== undefined) return known;
    const make = (): readonly StackNode[] => {
      const nodes = this.#tree.directlyAbove(at).map((one) => this.#node(one, tree));
      return tree.sorter === undefined ? nodes : nodes.sort(tree.sorter);
    };
    let children: readonly StackNode[] | undefined;
    const node: StackNode = {
      func: this.#tree.key(at),
      total: this.#sums[at * SUMS + TOTAL]!,
      self: this.#sums[at * SUMS + SELF]!,
      count: this.#sums[at * SUMS + COUNT]!,
      get children() {
        return (children ??= make());
      },
      childrenOver: (least) => this.#childrenOver(at, least, tree),
    };
    tree.made.set(at, node);
    return node;
  }

  /** In the order of time, those that are left out keep their room; in other orders it is behind the others. */
  #childrenOver(parent: number, least: number, tree: NodeTree): readonly PlacedNode[] {
    const found: { at: number; behind: number }[] = [];
    let behind = 0;
    for (let at = this.#tree.newest(parent); at !== NONE; at = this.#tree.older(at)) {
      const total = this.#sums[at * SUMS + TOTAL]!;
      behind += total;
      if (total >= least) found.push({ at, behind });
    }
    if (tree.sorter === undefined)
      return found.reverse().map((one) => ({ node: this.#node(one.at, tree), before: behind - one.behind }));
    let before = 0;
    return found
      .map((one) => this.#node(one.at, tree))
      .sort(tree.sorter)
      .map((node) => {
        const placed = { node, before };
        before += node.total;
        return placed;
      });
  }

  /** Adds a node and all above it to a tree. */
  #mergeCallees(root: MutableNode, from: number): void {
    const open: [MutableNode, number][] = [[root, from]];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const [into, at] = next;
      into.total += this.#sums[at * SUMS + TOTAL]!;
      into.self += this.#sums[at * SUMS + SELF]!;
      into.count += this.#sums[at * SUMS + COUNT]!;
      for (const child of this.#tree.directlyAbove(at)) open.push([childOf(into, this.#tree.key(child)), child]);
    }
  }

  #isInside(node: number, func: number): boolean {
    for (let at = node; at !== NONE; at = this.#tree.parent(at)) if (this.#tree.key(at) === func) return true;
    return false;
  }

  #addTrack({ rows }: TrackColumns): void {
    const { from, to } = this.#range;
    const all: RowNodes[] = [];
    for (const row of rows) {
      const { depth, starts, durations, functions, callers } = row;
      const [first, end] = row.between(from, to);
      const below = all[depth - 1];
      const nodes = new Int32Array(end - first);
      all.push({ first, nodes });
      for (let at = first; at < end; at++) {
        const caller = callers[at]!;
        const start = starts[at]!;
        const duration = durations[at]!;
        const parent =
          caller === NONE ? this.#nodeAround(rows, all, row, at) : (below!.nodes[caller - below!.first] ?? this.#root);
        const node = this.#add(parent, functions[at]!);
        nodes[at - first] = node;
        const sums = this.#sums;
        sums[node * SUMS + COUNT]!++;
        if (start >= from && start + duration <= to) {
          sums[node * SUMS + TOTAL]! += duration;
          sums[node * SUMS + SELF]! += row.self(at);
        } else {
          const cut = Math.min(start + duration, to) - Math.max(start, from);
          sums[node * SUMS + TOTAL]! += cut;
          sums[node * SUMS + SELF]! += Math.max(0, cut - insideOf(rows, depth, at, this.#range));
        }
      }
    }
  }

  /** The node of the call around another one whose direct caller was lost. */
  #nodeAround(rows: TrackColumns['rows'], nodes: readonly RowNodes[], row: CallRow, call: number): number {
    const around = callAround(rows, row.depth, call);
    return around === undefined
      ? this.#root
      : (nodes[around.depth]!.nodes[around.index - nodes[around.depth]!.first] ?? this.#root);
  }

  #add(parent: number, func: number): number {
    const node = this.#tree.above(parent, func);
    if (node * SUMS === this.#sums.length) this.#sums = doubled(this.#sums);
    return node;
  }
}

/** The time in a range that the callees of a call take. */
function insideOf(rows: TrackColumns['rows'], depth: number, call: number, { from, to }: TimeRange): number {
  const row = rows[depth]!;
  const above = rows[depth + 1];
  if (above === undefined) return 0;
  const [start, end] = [Math.max(row.starts[call]!, from), Math.min(row.end(call), to)];
  let sum = 0;
  for (let at = above.firstEndingAfter(start); at < above.count && above.starts[at]! < end; at++)
    sum += Math.min(above.end(at), end) - Math.max(above.starts[at]!, start);
  return sum;
}

interface MutableNode extends StackNode {
  total: number;
  self: number;
  count: number;
  children: MutableNode[];
}

const emptyNode = (func: number): MutableNode => ({ func, total: 0, self: 0, count: 0, children: [] });

function childOf({ children }: MutableNode, func: number): MutableNode {
  const known = children.find((child) => child.func === func);
  if (known !== undefined) return known;
  const child = emptyNode(func);
  children.push(child);
  return child;
}

function sortDeep(root: MutableNode): void {
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    node.children.sort((a, b) => b.total - a.total);
    open.push(...node.children);
  }
}
