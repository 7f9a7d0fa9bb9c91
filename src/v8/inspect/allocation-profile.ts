import type { AllocatingFunction, AllocationStack } from '../../answers/allocations/allocations-answer.js';
import type { Frame } from '../../answers/place.js';
import type { AuthorFrames } from './author-frames.js';

/** A node of V8's sampling heap profile: a function as others have called it. */
export interface ProfileNode {
  /** The function. Its place is where its parameters begin; line and column are from 0. */
  readonly callFrame: {
    readonly functionName: string;
    /** '0' for what is built in. */
    readonly scriptId: string;
    /** '' for code of `eval`, and for a text that has gone meanwhile. */
    readonly url: string;
    readonly lineNumber: number;
    readonly columnNumber: number;
  };
  /** The bytes that were allocated in it: an estimate. */
  readonly selfSize: number;
  readonly children: readonly ProfileNode[];
}

/** The times that are measured one after the other. */
export type Window = 'allocated' | 'kept';

/** The deepest stack; what is deeper counts for its last call. */
const DEEPEST = 200;
/** The script of functions that are no script's. */
const BUILT_IN = '0';
/** What parts the numbers of functions in the key of a stack. */
const PART = ' ';

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

/** Joins the profiles of both windows into functions and stacks. */
export class AllocationProfile {
  readonly #frames: AuthorFrames;
  readonly #indexes = new Map<string, number>();
  readonly #functions: Mutable<AllocatingFunction>[] = [];
  readonly #stacks = new Map<string, Mutable<AllocationStack>>();

  constructor(frames: AuthorFrames) {
    this.#frames = frames;
  }

  add(window: Window, head: ProfileNode): void {
    const open: (readonly [node: ProfileNode, stack: readonly number[]])[] = [[head, []]];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const [node, outer] = next;
      const stack = this.#with(outer, node);
      if (node.selfSize > 0) this.#count(window, node.selfSize, stack.length > 0 ? stack : [this.#indexOf(node)]);
      for (const child of node.children) open.push([child, stack]);
    }
  }

  /** The functions, the largest first, and the stacks. */
  result(): { readonly functions: readonly AllocatingFunction[]; readonly stacks: readonly AllocationStack[] } {
    const order = this.#functions.map((_, index) => index);
    const of = (index: number): AllocatingFunction => this.#functions[index]!;
    order.sort((a, b) => of(b).allocated - of(a).allocated || of(b).kept - of(a).kept);
    const places = new Map(order.map((index, place) => [index, place]));
    const stacks = [...this.#stacks.values()].map((stack) => ({
      ...stack,
      functions: stack.functions.map((index) => places.get(index)!),
    }));
    return { functions: order.map(of), stacks: stacks.sort((a, b) => b.allocated - a.allocated || b.kept - a.kept) };
  }

  /** The stack with a call on it. The root is no function, and what is built in counts for its caller. */
  #with(outer: readonly number[], node: ProfileNode): readonly number[] {
    const { scriptId, functionName } = node.callFrame;
    const isCounted = scriptId !== BUILT_IN || (outer.length === 0 && functionName !== '(root)');
    return isCounted && outer.length < DEEPEST ? [...outer, this.#indexOf(node)] : outer;
  }

  #count(window: Window, bytes: number, stack: readonly number[]): void {
    this.#functions[stack.at(-1)!]![window] += bytes;
    const key = stack.join(PART);
    let known = this.#stacks.get(key);
    if (known === undefined) this.#stacks.set(key, (known = { functions: stack, allocated: 0, kept: 0 }));
    known[window] += bytes;
  }

  #indexOf({ callFrame: { functionName, scriptId, url, lineNumber, columnNumber } }: ProfileNode): number {
    const key = [url === '' ? scriptId : url, lineNumber, columnNumber, functionName].join('\n');
    const known = this.#indexes.get(key);
    if (known !== undefined) return known;
    const isUnknown = url === '' && scriptId !== BUILT_IN;
    const frame = isUnknown
      ? unplaced(functionName)
      : this.#frames.frame({ name: functionName, url, line: lineNumber + 1, column: columnNumber + 1, isAsync: false });
    this.#indexes.set(key, this.#functions.length);
    this.#functions.push({ ...named(frame), allocated: 0, kept: 0 });
    return this.#functions.length - 1;
  }
}

/** A function whose text has no name: it is not Node's, whose texts all have one. */
const unplaced = (name: string): Frame => ({ name: name === '' ? '<anonymous>' : name, isOwn: true });

/** V8 gives a module's code outside of functions no name. */
const named = (frame: Frame): Frame =>
  frame.name === '<anonymous>' && frame.place?.line === 1 && frame.place.column === 1 ? { ...frame, name: '<module>' } : frame;
