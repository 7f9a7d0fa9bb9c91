/** Kinds of edges that a HeapGraph keeps, with V8's numbers for them. */
export const EDGE = { CONTEXT: 0, ELEMENT: 1, PROPERTY: 2, INTERNAL: 3, HIDDEN: 4, SHORTCUT: 5 } as const;
/** Kinds of nodes, with V8's numbers for them. */
export const NODE = {
  ARRAY: 1,
  STRING: 2,
  OBJECT: 3,
  CODE: 4,
  CLOSURE: 5,
  REGEXP: 6,
  SYNTHETIC: 9,
  CONCATENATED: 10,
  SLICED: 11,
  SHAPE: 14,
} as const;

/** Bits of an edge's word that are its kind. */
const KIND = 7;
/** How far its name is shifted. */
const NAME = 3;

/** Where the function of a closure, or of an object's constructor, is in its script: line and column from 0. */
export interface HeapLocation {
  /** V8's number of the script. */
  readonly script: number;
  readonly line: number;
  readonly column: number;
}

/** The arrays of a HeapGraph. */
export interface HeapArrays {
  readonly types: Uint8Array;
  /** Index of each node's name. */
  readonly names: Uint32Array;
  readonly ids: Uint32Array;
  /** The bytes of each node itself; empty if they were not kept. */
  readonly sizes: Float64Array;
  /** The first edge of each node, and the number of edges. */
  readonly firsts: Uint32Array;
  /** The kind of each edge in its lowest 3 bits, and its name, or its index, above them. */
  readonly edges: Uint32Array;
  readonly targets: Uint32Array;
  /** The nodes that have a location, sorted; and for each its script, its line and its column. */
  readonly located: Uint32Array;
  readonly locations: Uint32Array;
  string(index: number): string;
  hash(index: number): number;
  /** The indexes of well-known strings. */
  readonly known: ReadonlyMap<string, number>;
}

/** A heap of V8's as a snapshot has it: nodes are numbers from 0, of which 0 is the root; so are edges. */
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

  /** The index of a node's name. */
  nameIndexOf(node: number): number {
    return this.#arrays.names[node]!;
  }

  string(index: number): string {
    return this.#arrays.string(index);
  }

  /** A number that depends on the beginning of a string only, and not on its index. */
  hash(index: number): number {
    return this.#arrays.hash(index);
  }

  /** The index of a well-known string; -1: no node and no edge has it. */
  known(name: string): number {
    return this.#arrays.known.get(name) ?? -1;
  }

  /** The bytes of a node itself. */
  sizeOf(node: number): number {
    return this.#arrays.sizes[node]!;
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

  /** The first edge of a node; its last one stands before the first of the next node. */
  firstEdge(node: number): number {
    return this.#arrays.firsts[node]!;
  }

  get edgeCount(): number {
    return this.#arrays.firsts[this.size]!;
  }

  edgeKind(edge: number): number {
    return this.#arrays.edges[edge]! & KIND;
  }

  /** The index of the edge's name; of an element or of a hidden edge its own index. */
  edgeName(edge: number): number {
    return this.#arrays.edges[edge]! >>> NAME;
  }

  edgeTarget(edge: number): number {
    return this.#arrays.targets[edge]!;
  }

  locationOf(node: number): HeapLocation | undefined {
    const { located, locations } = this.#arrays;
    let [low, high] = [0, located.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (located[middle]! < node) low = middle + 1;
      else high = middle;
    }
    return located[low] === node
      ? { script: locations[3 * low]!, line: locations[3 * low + 1]!, column: locations[3 * low + 2]! }
      : undefined;
  }
}

/** The name of the text that has a function; '' if it has none. */
export function scriptOf(graph: HeapGraph, closure: number): string {
  const shared = graph.internal(closure, 'shared');
  const script = shared < 0 ? -1 : Math.max(graph.internal(shared, 'script'), graph.internal(shared, 'script_or_debug_info'));
  const name = script < 0 ? -1 : graph.internal(script, 'name');
  return name < 0 ? '' : graph.nameOf(name);
}

/** The word of an edge. */
export const edgeWord = (kind: number, name: number): number => ((name << NAME) | kind) >>> 0;
