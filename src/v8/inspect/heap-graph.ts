/** Kinds of edges that a HeapGraph keeps, with V8's numbers for them. */
export const EDGE = { CONTEXT: 0, ELEMENT: 1, INTERNAL: 3, HIDDEN: 4 } as const;
/** Kinds of nodes, with V8's numbers for them. */
export const NODE = { OBJECT: 3, CLOSURE: 5 } as const;

/** Bits of an edge's word that are its kind. */
const KIND = 7;
/** How far its name is shifted. */
const NAME = 3;

/** Where the function of a closure, or of an object's constructor, is in its script: both numbers from 0. */
export interface HeapLocation {
  readonly line: number;
  readonly column: number;
}

/** The arrays of a HeapGraph. */
export interface HeapArrays {
  readonly types: Uint8Array;
  /** Index of each node's name. */
  readonly names: Uint32Array;
  readonly ids: Uint32Array;
  /** The first edge of each node, and the number of edges. */
  readonly firsts: Uint32Array;
  /** The kind of each edge in its lowest 3 bits, and its name, or its index, above them. */
  readonly edges: Uint32Array;
  readonly targets: Uint32Array;
  /** The nodes that have a location, sorted; and for each its line and its column. */
  readonly located: Uint32Array;
  readonly locations: Uint32Array;
  string(index: number): string;
  /** The indexes of well-known strings. */
  readonly known: ReadonlyMap<string, number>;
}

/** A heap of V8's as a snapshot has it, without its properties: nodes are numbers from 0. */
export class HeapGraph {
  readonly #arrays: HeapArrays;

  constructor(arrays: HeapArrays) {
    this.#arrays = arrays;
  }

  get size(): number {
    return this.#arrays.types.length;
  }

  typeOf(node: number): number {
    return this.#arrays.types[node]!;
  }

  nameOf(node: number): string {
    return this.#arrays.string(this.#arrays.names[node]!);
  }

  /** Whether a node has this name, which is one of the well-known ones. */
  isNamed(node: number, name: string): boolean {
    return this.#arrays.names[node] === this.#arrays.known.get(name);
  }

  /** The number by which V8 knows the object while it lives. */
  idOf(node: number): number {
    return this.#arrays.ids[node]!;
  }

  /** The first node that has this id; -1: none has. */
  withId(id: number): number {
    return this.#arrays.ids.indexOf(id);
  }

  /** The target of a node's internal edge, whose name is one of the well-known ones; -1: it has none. */
  internal(node: number, name: string): number {
    const { firsts, edges, targets, known } = this.#arrays;
    const index = known.get(name);
    if (index === undefined) return -1;
    const word = ((index << NAME) | EDGE.INTERNAL) >>> 0;
    for (let at = firsts[node]!; at < firsts[node + 1]!; at++) if (edges[at] === word) return targets[at]!;
    return -1;
  }

  /** Calls `each` for each edge of a node. `name` is the index of an element or of a hidden edge. */
  forEdges(node: number, each: (target: number, kind: number, name: number) => void): void {
    const { firsts, edges, targets } = this.#arrays;
    for (let at = firsts[node]!; at < firsts[node + 1]!; at++) each(targets[at]!, edges[at]! & KIND, edges[at]! >>> NAME);
  }

  locationOf(node: number): HeapLocation | undefined {
    const { located, locations } = this.#arrays;
    let [low, high] = [0, located.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (located[middle]! < node) low = middle + 1;
      else high = middle;
    }
    return located[low] === node ? { line: locations[2 * low]!, column: locations[2 * low + 1]! } : undefined;
  }
}

/** The word of an edge. */
export const edgeWord = (kind: number, name: number): number => ((name << NAME) | kind) >>> 0;
