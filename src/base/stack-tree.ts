const FIRST_SIZE = 1024;
/** No node: what a node without such a node has, and an empty slot of the table. */
const NONE = -1;

const grown = <Words extends Int32Array | Float64Array>(words: Words, make: (size: number) => Words): Words => {
  const larger = make(words.length * 2);
  larger.set(words);
  return larger;
};
const int32 = (size: number): Int32Array => new Int32Array(size);
const float64 = (size: number): Float64Array => new Float64Array(size);

/**
 * The different stacks of a recording as a tree: a node is a key (a function, or at the bottom a process) above another node.
 * Nodes are numbers from 0. They are kept in arrays, because a recording can have millions; an object and a map of each took
 * twice the time of a report.
 */
export class StackTree {
  #size = 0;
  #parent = int32(FIRST_SIZE);
  #key = int32(FIRST_SIZE);
  #depth = int32(FIRST_SIZE);
  /** The node above it that came last, and the one above the same node that came before it. */
  #newest = int32(FIRST_SIZE);
  #older = int32(FIRST_SIZE);
  #time = float64(FIRST_SIZE);
  /** The nodes by parent and key: open addressing, twice as many slots as nodes. */
  #slots = int32(FIRST_SIZE * 2).fill(NONE);

  /** A node at the bottom. */
  addRoot(key: number): number {
    return this.#add(NONE, key);
  }

  /** The node of a key above another node. */
  above(parent: number, key: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = hash(parent, key) & mask; ; slot = (slot + 1) & mask) {
      const node = slots[slot]!;
      if (node === NONE) break;
      if (this.#parent[node] === parent && this.#key[node] === key) return node;
    }
    return this.#add(parent, key);
  }

  /** How many nodes are below it. */
  depth(node: number): number {
    return this.#depth[node]!;
  }

  /** The node below it; -1 for a root. */
  parent(node: number): number {
    return this.#parent[node]!;
  }

  addTime(node: number, time: number): void {
    this.#time[node]! += time;
  }

  time(node: number): number {
    return this.#time[node]!;
  }

  key(node: number): number {
    return this.#key[node]!;
  }

  /** The nodes directly above a node, the oldest first. */
  directlyAbove(node: number): readonly number[] {
    const nodes: number[] = [];
    for (let at = this.#newest[node]!; at !== NONE; at = this.#older[at]!) nodes.push(at);
    return nodes.reverse();
  }

  /** All nodes over a root: each before those above it, the newest first. */
  *over(root: number): Generator<number> {
    for (let node = this.#newest[root]!; node !== NONE; ) {
      yield node;
      let next = this.#newest[node]!;
      for (let at = node; next === NONE && at !== root; at = this.#parent[at]!) next = this.#older[at]!;
      node = next;
    }
  }

  #add(parent: number, key: number): number {
    if (this.#size === this.#parent.length) this.#grow();
    const node = this.#size++;
    this.#parent[node] = parent;
    this.#key[node] = key;
    this.#newest[node] = NONE;
    this.#older[node] = NONE;
    if (parent === NONE) return node;
    this.#depth[node] = this.#depth[parent]! + 1;
    this.#older[node] = this.#newest[parent]!;
    this.#newest[parent] = node;
    this.#enter(node);
    return node;
  }

  #enter(node: number): void {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = hash(this.#parent[node]!, this.#key[node]!) & mask;
    while (slots[slot] !== NONE) slot = (slot + 1) & mask;
    slots[slot] = node;
  }

  #grow(): void {
    this.#parent = grown(this.#parent, int32);
    this.#key = grown(this.#key, int32);
    this.#depth = grown(this.#depth, int32);
    this.#newest = grown(this.#newest, int32);
    this.#older = grown(this.#older, int32);
    this.#time = grown(this.#time, float64);
    this.#slots = int32(this.#slots.length * 2).fill(NONE);
    for (let node = 0; node < this.#size; node++) if (this.#parent[node] !== NONE) this.#enter(node);
  }
}

function hash(parent: number, key: number): number {
  const mixed = Math.imul(parent, 0x9e3779b1) ^ Math.imul(key, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}
