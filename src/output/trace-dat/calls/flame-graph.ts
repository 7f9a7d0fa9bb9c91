import type { Call, CallVisitor, Frame, Leave } from './call-visitor.js';
import type { CalledFunction } from './called-functions.js';
import type { IsShown } from './function-filter.js';

/**
 * The most frames of a stack. Each line has a whole stack, so the output for a recursion would grow with the square of its
 * depth.
 */
const MAX_FRAMES = 512;

/** A function below all its callers. */
class StackNode {
  readonly name: string;
  /** Frames above it. */
  readonly depth: number;
  /** ns on top of the stack. */
  self = 0;
  readonly callees = new Map<CalledFunction, StackNode>();

  constructor(name: string, depth: number) {
    this.name = name;
    this.depth = depth;
  }
}

/**
 * The time of each different stack, for flame graphs: flamegraph.pl, speedscope and others read its lines. A stack begins with
 * the process's name. Time deeper than 512 frames counts as that of the last frame. Memory grows with the number of different
 * stacks.
 */
export class FlameGraph implements CallVisitor<StackNode> {
  readonly #roots = new Map<string, StackNode>();
  readonly #isShown: IsShown;

  /** @param isShown of which functions there are frames; what the others do is time of the frame that called them, if any */
  constructor(isShown: IsShown) {
    this.#isShown = isShown;
  }

  begin({ func, track }: Call, parent: Frame<StackNode> | undefined): StackNode {
    const above = parent?.place ?? this.#root(track.process.name);
    if (above.depth >= MAX_FRAMES || !this.#isShown(func)) return above;
    const { callees } = above;
    let node = callees.get(func);
    if (node === undefined) {
      // Semicolons separate the frames, and the last blank separates the count.
      node = new StackNode(func.name.replaceAll(';', ','), above.depth + 1);
      callees.set(func, node);
    }
    return node;
  }

  end({ place }: Frame<StackNode>, { self }: Leave): void {
    place.self += self;
  }

  /** `node;handle;find 1234`: the nanoseconds that a stack was on top. */
  *lines(): Generator<string> {
    const open = [...this.#roots.values()].map((node) => ({ node, path: node.name }));
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { node, path } = next;
      if (node.self > 0 && node.depth > 0) yield `${path} ${Math.round(node.self)}\n`;
      for (const callee of node.callees.values()) open.push({ node: callee, path: `${path};${callee.name}` });
    }
  }

  #root(process: string): StackNode {
    let root = this.#roots.get(process);
    if (root === undefined) {
      root = new StackNode(process.replaceAll(';', ','), 0);
      this.#roots.set(process, root);
    }
    return root;
  }
}
