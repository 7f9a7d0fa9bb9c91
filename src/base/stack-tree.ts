import { doubled } from './doubled.js';

const FIRST_SIZE = 1024;
/** No node: what a node without such a node has, and an empty slot of the table. */
const NONE = -1;

/** What stands in `#nodes` of a node, side by side: a lookup reads one line of the cache, not four. */
const PARENT = 0;
const KEY = 1;
/** The node above it that came last, and the one above the same node that came before it. */
const NEWEST = 2;
const OLDER = 3;
const DEPTH = 4;
const WORDS = 8;
/** A node's time stands in its last two words, as one number of 64 bits. */
const TIME = 3;
const NUMBERS = WORDS / 2;

/** A node with fewer nodes directly above it has them in its list alone, which is shorter to look through than the table. */
const IN_TABLE = 8;

/**
 * The different stacks of a recording as a tree: a node is a key (a function, or at the bottom a process) above another node.
 * Nodes are numbers from 0. They are kept in arrays, because a recording can have millions; an object and a map of each took
 * twice the time of a report.
 */
export class StackTree {
  #size = 0;
  #nodes = new Int32Array(FIRST_SIZE * WORDS);
  /** Nodes as numbers of 64 bits, for their times: the same memory. */
  #numbers = new Float64Array(this.#nodes.buffer);
  /** Nodes by parent and key, of parents with many: open addressing, twice as many slots as nodes. */
  #slots = new Int32Array(FIRST_SIZE * 2).fill(NONE);
  #entered = 0;

  /** How many nodes there are. */
  get size(): number {
    return this.#size;
  }

  /** A node at the bottom. */
  addRoot(key: number): number {
    return this.#add(NONE, key);
  }

  /** The node of a key above another node. */
  above(parent: number, key: number): number {
    const nodes = this.#nodes;
    let count = 0;
    for (let at = nodes[parent * WORDS + NEWEST]!; at !== NONE; at = nodes[at * WORDS + OLDER]!) {
      if (nodes[at * WORDS + KEY] === key) return at;
      if (++count === IN_TABLE) return this.#found(parent, key) ?? this.#enter(this.#add(parent, key));
    }
    const node = this.#add(parent, key);
    if (count + 1 === IN_TABLE) for (let at = node; at !== NONE; at = this.older(at)) this.#enter(at);
    return node;
  }

  /** How many nodes are below it. */
  depth(node: number): number {
    return this.#nodes[node * WORDS + DEPTH]!;
  }

  /** The node below it; -1 for a root. */
  parent(node: number): number {
    return this.#nodes[node * WORDS + PARENT]!;
  }

  addTime(node: number, time: number): void {
    this.#numbers[node * NUMBERS + TIME]! += time;
  }

  time(node: number): number {
    return this.#numbers[node * NUMBERS + TIME]!;
  }

  key(node: number): number {
    return this.#nodes[node * WORDS + KEY]!;
  }

  /** The node directly above a node that came last; -1 if there is none. `older` goes on from there. */
  newest(node: number): number {
    return this.#nodes[node * WORDS + NEWEST]!;
  }

  /** The node above the same node that came before it; -1 if there is none. */
  older(node: number): number {
    return this.#nodes[node * WORDS + OLDER]!;
  }

  /** The nodes directly above a node, the oldest first. */
  directlyAbove(node: number): readonly number[] {
    const above: number[] = [];
    for (let at = this.newest(node); at !== NONE; at = this.older(at)) above.push(at);
    return above.reverse();
  }

  /** All nodes over a root: each before those above it, the newest first. */
  *over(root: number): Generator<number> {
    for (let node = this.newest(root); node !== NONE; node = this.after(node, root)) yield node;
  }

  /** The node that follows one in `over(root)`; -1 behind the last. */
  after(node: number, root: number): number {
    let next = this.newest(node);
    for (let at = node; next === NONE && at !== root; at = this.parent(at)) next = this.older(at);
    return next;
  }

  /** A node that the table has. */
  #found(parent: number, key: number): number | undefined {
    const slots = this.#slots;
    const nodes = this.#nodes;
    const mask = slots.length - 1;
    for (let slot = hash(parent, key) & mask; ; slot = (slot + 1) & mask) {
      const node = slots[slot]!;
      if (node === NONE) return undefined;
      const at = node * WORDS;
      if (nodes[at + PARENT] === parent && nodes[at + KEY] === key) return node;
    }
  }

  #add(parent: number, key: number): number {
    if (this.#size * WORDS === this.#nodes.length) this.#grow();
    const node = this.#size++;
    const nodes = this.#nodes;
    const at = node * WORDS;
    nodes[at + PARENT] = parent;
    nodes[at + KEY] = key;
    nodes[at + NEWEST] = NONE;
    nodes[at + OLDER] = NONE;
    if (parent === NONE) return node;
    nodes[at + DEPTH] = nodes[parent * WORDS + DEPTH]! + 1;
    nodes[at + OLDER] = nodes[parent * WORDS + NEWEST]!;
    nodes[parent * WORDS + NEWEST] = node;
    return node;
  }

  /** Puts a node into the table. */
  #enter(node: number): number {
    if (++this.#entered * 2 > this.#slots.length) this.#growTable();
    enter(this.#slots, this.#nodes, node);
    return node;
  }

  #grow(): void {
    this.#nodes = doubled(this.#nodes);
    this.#numbers = new Float64Array(this.#nodes.buffer);
  }

  #growTable(): void {
    const slots = new Int32Array(this.#slots.length * 2).fill(NONE);
    for (const node of this.#slots) if (node !== NONE) enter(slots, this.#nodes, node);
    this.#slots = slots;
  }
}

function enter(slots: Int32Array, nodes: Int32Array, node: number): void {
  const mask = slots.length - 1;
  let slot = hash(nodes[node * WORDS + PARENT]!, nodes[node * WORDS + KEY]!) & mask;
  while (slots[slot] !== NONE) slot = (slot + 1) & mask;
  slots[slot] = node;
}

function hash(parent: number, key: number): number {
  const mixed = Math.imul(parent, 0x9e3779b1) ^ Math.imul(key, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}
