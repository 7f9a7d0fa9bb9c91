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
}

/** The orders of the callees of one function. `time` is how they came first, `heavy` has the longest first. */
export const STACK_ORDERS = ['time', 'heavy', 'name'] as const;
export type StackOrder = (typeof STACK_ORDERS)[number];

/** The nodes of calls of a row, from the first on that is in the range. */
interface RowNodes {
  readonly first: number;
  readonly nodes: Int32Array;
}

/** The stacks of a part of a recording, equal ones as one. */
export class MergedStacks {
  readonly #tree = new StackTree();
  readonly #root = this.#tree.addRoot(NONE);
  /** By node. */
  readonly #totals: number[] = [0];
  readonly #selves: number[] = [0];
  readonly #counts: number[] = [0];
  readonly #parents: number[] = [NONE];
  readonly #range: TimeRange;

  /**
   * @param range calls are counted as far as they lie in it; a call of no time, if it lies in it
   * @param tracks only these; all when left out
   */
  constructor({ tracks }: TimelineRecording, range: TimeRange, isTaken: (track: TrackColumns) => boolean = () => true) {
    this.#range = range;
    for (const track of tracks) if (isTaken(track)) this.#addTrack(track);
    for (let node = this.#totals.length - 1; node > 0; node--)
      if (this.#parents[node] === this.#root) this.#totals[this.#root]! += this.#totals[node]!;
  }

  /** The tree from the root on. A node's children are made when they are asked for: there can be millions. */
  root(order: StackOrder, nameOf: (func: number) => string): StackNode {
    const sorters: Record<StackOrder, ((a: StackNode, b: StackNode) => number) | undefined> = {
      time: undefined,
      heavy: (a, b) => b.total - a.total,
      name: (a, b) => (nameOf(a.func) < nameOf(b.func) ? -1 : 1),
    };
    return this.#node(this.#root, sorters[order]);
  }

  /**
   * What a function called, and what called it: `callees` begins with the function, `callers` too, and goes from callee to
   * caller. Of calls inside of the function's own calls, the outermost count.
   */
  around(func: number): { readonly callees: StackNode; readonly callers: StackNode } {
    const callees = emptyNode(func);
    const callers = emptyNode(func);
    for (let outermost = 0; outermost < this.#totals.length; outermost++) {
      if (this.#tree.key(outermost) !== func || this.#isInside(this.#parents[outermost]!, func)) continue;
      this.#mergeCallees(callees, outermost);
      let into = callers;
      for (let at = outermost; at !== this.#root; at = this.#parents[at]!) {
        if (at !== outermost) into = childOf(into, this.#tree.key(at));
        into.total += this.#totals[outermost]!;
        into.count += this.#counts[outermost]!;
      }
    }
    sortDeep(callees);
    sortDeep(callers);
    return { callees, callers };
  }

  #node(at: number, sorter: ((a: StackNode, b: StackNode) => number) | undefined): StackNode {
    const make = (): readonly StackNode[] => {
      const nodes = this.#tree.directlyAbove(at).map((one) => this.#node(one, sorter));
      return sorter === undefined ? nodes : nodes.sort(sorter);
    };
    let children: readonly StackNode[] | undefined;
    return {
      func: this.#tree.key(at),
      total: this.#totals[at]!,
      self: this.#selves[at]!,
      count: this.#counts[at]!,
      get children() {
        return (children ??= make());
      },
    };
  }

  /** Adds a node and all above it to a tree. */
  #mergeCallees(root: MutableNode, from: number): void {
    const open: [MutableNode, number][] = [[root, from]];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const [into, at] = next;
      into.total += this.#totals[at]!;
      into.self += this.#selves[at]!;
      into.count += this.#counts[at]!;
      for (const child of this.#tree.directlyAbove(at)) open.push([childOf(into, this.#tree.key(child)), child]);
    }
  }

  #isInside(node: number, func: number): boolean {
    for (let at = node; at !== NONE; at = this.#parents[at]!) if (this.#tree.key(at) === func) return true;
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
        this.#counts[node]!++;
        if (start >= from && start + duration <= to) {
          this.#totals[node]! += duration;
          this.#selves[node]! += row.self(at);
        } else {
          const cut = Math.min(start + duration, to) - Math.max(start, from);
          this.#totals[node]! += cut;
          this.#selves[node]! += Math.max(0, cut - insideOf(rows, depth, at, this.#range));
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
    if (node === this.#totals.length) {
      this.#totals.push(0);
      this.#selves.push(0);
      this.#counts.push(0);
      this.#parents.push(parent);
    }
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
