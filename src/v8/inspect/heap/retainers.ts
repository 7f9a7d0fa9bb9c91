import { EDGE, type HeapGraph, NODE } from '../heap-graph.js';

/** What keeps each node of a heap alive: the tree of the ways from the root that say most to a person. */
export interface Retainers {
  /** The nodes that the root holds, each behind what holds it. */
  readonly order: Uint32Array;
  /** The edge by which a node is held, by its number. */
  readonly edges: Uint32Array;
  /** The node that has that edge. */
  readonly holders: Uint32Array;
}

/** What an edge adds to the length of a way. The shortest ways are taken. */
const COST = {
  /** What a program sees: a property, an element, a variable, an entry. */
  SEEN: 1,
  /** V8's inside that belongs to a value. */
  INSIDE: 2,
  UNKNOWN: 4,
  /** Node's native objects. */
  NATIVE: 6,
  /** What code, shapes and prototypes hold: a value that has another way is not meant there. */
  META: 14,
  /** What holds a value for a moment only. */
  MOMENT: 20,
  /** Tables of strings, and caches. */
  TABLE: 40,
  /** A way back in a list or a tree. */
  BACK: -1,
} as const;
/** A power of two above the largest cost. */
const BUCKETS = 64;

/** Internal edges that lead from a value to its content. */
const CONTENT: ReadonlySet<string> = new Set([
  'backing_store',
  'buffer',
  'context',
  'elements',
  'extension',
  'global_object',
  'parameters_and_registers',
  'previous',
  'properties',
  'table',
]);
/** Internal edges that lead into V8's own. */
const META: ReadonlySet<string> = new Set([
  'code',
  'constructor',
  'dependent_code',
  'feedback_cell',
  'initial_map',
  'map',
  'native_context',
  'prototype',
  'scope_info',
  'script',
  'script_or_debug_info',
  'shared',
]);
/** Properties of lists and trees that lead back: SnapshotReader knows them. */
const BACK = ['_idlePrev', '_parent', '_prev', 'owner', 'parent', 'parentNode', 'prev', 'previous'] as const;
/** Variables that fentry has put into a text (text/prefix.ts). */
const HIDDEN_VARIABLE = /^\$f\$*[a-z]+\d*$/;

const ROOT_TABLES = /string|cache|compilation|debugger/i;
const ROOT_MOMENTS = /stack|handle scope|relocatable/i;

/** The costs of the edges of one heap. */
class EdgeCosts {
  readonly #graph: HeapGraph;
  readonly #byName = new Map<number, number>();
  readonly #back: ReadonlySet<number>;

  constructor(graph: HeapGraph) {
    this.#graph = graph;
    this.#back = new Set(BACK.map((name) => graph.known(name)));
  }

  of(holder: number, edge: number): number {
    const graph = this.#graph;
    const type = graph.typeOf(holder);
    const kind = graph.edgeKind(edge);
    if (type === NODE.SYNTHETIC) return kind === EDGE.SHORTCUT ? COST.SEEN : this.#ofRoot(graph.edgeTarget(edge));
    if (type === NODE.CODE || type === NODE.SHAPE) return COST.META;
    if (kind === EDGE.ELEMENT || kind === EDGE.SHORTCUT) return COST.SEEN;
    if (kind === EDGE.HIDDEN) return COST.INSIDE;
    // The entries of tables and of the lists behind arrays have numbers as names.
    if (type === NODE.ARRAY && kind === EDGE.INTERNAL) return COST.SEEN;
    return this.#ofName(kind, graph.edgeName(edge));
  }

  #ofRoot(target: number): number {
    const graph = this.#graph;
    if (graph.typeOf(target) !== NODE.SYNTHETIC) return COST.NATIVE;
    const name = graph.nameOf(target);
    return ROOT_TABLES.test(name) ? COST.TABLE : ROOT_MOMENTS.test(name) ? COST.MOMENT : COST.NATIVE;
  }

  #ofName(kind: number, name: number): number {
    if (kind === EDGE.PROPERTY) {
      return this.#back.has(name) ? COST.BACK : name === this.#graph.known('__proto__') ? COST.META : COST.SEEN;
    }
    const key = kind === EDGE.CONTEXT ? -name - 1 : name;
    let cost = this.#byName.get(key);
    if (cost === undefined) {
      const text = this.#graph.string(name);
      if (kind === EDGE.CONTEXT) cost = HIDDEN_VARIABLE.test(text) ? COST.META : COST.SEEN;
      else cost = CONTENT.has(text) || /^\d/.test(text) ? COST.SEEN : META.has(text) ? COST.META : COST.UNKNOWN;
      this.#byName.set(key, cost);
    }
    return cost;
  }
}

const UNKNOWN = 0xffff_ffff;

/** The hash of a way by an edge, which is the same in each snapshot: indexes, and places in tables, are not. */
function wayHash(graph: HeapGraph, holder: number, edge: number, hash: number): number {
  const kind = graph.edgeKind(edge);
  const isNamed = kind !== EDGE.ELEMENT && kind !== EDGE.HIDDEN && graph.typeOf(holder) !== NODE.ARRAY;
  return (Math.imul(hash, 31) + kind + (isNamed ? graph.hash(graph.edgeName(edge)) : 0)) >>> 0;
}

/**
 * Finds for each node of a heap the shortest way from the root, with buckets of nodes by their distance: no recursion, and as
 * many steps as there are edges. Of ways of one length always the same is taken, whatever the order of nodes is. Ways back are
 * taken only to what has no other one.
 */
export function retainersOf(graph: HeapGraph): Retainers {
  const search = new Search(graph);
  if (graph.size > 0) search.begin();
  while (search.goBack());
  return search.result();
}

class Search {
  readonly #graph: HeapGraph;
  readonly #costs: EdgeCosts;
  readonly #distances: Uint32Array;
  readonly #hashes: Uint32Array;
  readonly #edges: Uint32Array;
  readonly #holders: Uint32Array;
  readonly #order: Uint32Array;
  readonly #isSettled: Uint8Array;
  readonly #buckets: number[][] = Array.from({ length: BUCKETS }, () => []);
  /** Edges that lead back, each behind the node that has it. */
  #backward: number[] = [];
  #settled = 0;
  #distance = 0;

  constructor(graph: HeapGraph) {
    const { size } = graph;
    this.#graph = graph;
    this.#costs = new EdgeCosts(graph);
    this.#distances = new Uint32Array(size).fill(UNKNOWN);
    this.#hashes = new Uint32Array(size);
    this.#edges = new Uint32Array(size);
    this.#holders = new Uint32Array(size);
    this.#order = new Uint32Array(size);
    this.#isSettled = new Uint8Array(size);
  }

  begin(): void {
    this.#distances[0] = 0;
    this.#buckets[0]!.push(0);
    this.#go();
  }

  /** Takes the ways back to what was not found, and goes on from there. @returns whether there were any */
  goBack(): boolean {
    const backward = this.#backward;
    this.#backward = [];
    let isAny = false;
    for (let i = 0; i < backward.length; i += 2) {
      if (this.#isSettled[this.#graph.edgeTarget(backward[i + 1]!)] === 1) continue;
      isAny = true;
      this.#take(backward[i]!, backward[i + 1]!, this.#distance + COST.SEEN);
    }
    if (isAny) this.#go();
    return isAny;
  }

  result(): Retainers {
    return { order: this.#order.subarray(0, this.#settled), edges: this.#edges, holders: this.#holders };
  }

  #go(): void {
    for (let empty = 0; empty < BUCKETS; this.#distance++) {
      const bucket = this.#buckets[this.#distance % BUCKETS]!;
      empty = bucket.length === 0 ? empty + 1 : 0;
      // No edge is free, so that none is added to this bucket.
      for (const node of bucket) if (this.#isSettled[node] === 0) this.#settle(node);
      bucket.length = 0;
    }
  }

  #settle(node: number): void {
    const graph = this.#graph;
    this.#isSettled[node] = 1;
    this.#order[this.#settled++] = node;
    for (let edge = graph.firstEdge(node), end = graph.firstEdge(node + 1); edge < end; edge++) {
      if (this.#isSettled[graph.edgeTarget(edge)] === 1) continue;
      const cost = this.#costs.of(node, edge);
      if (cost < 0) this.#backward.push(node, edge);
      else this.#take(node, edge, this.#distance + cost);
    }
  }

  #take(node: number, edge: number, length: number): void {
    const target = this.#graph.edgeTarget(edge);
    const known = this.#distances[target]!;
    if (length > known) return;
    const hash = wayHash(this.#graph, node, edge, this.#hashes[node]!);
    if (length === known && hash >= this.#hashes[target]!) return;
    this.#distances[target] = length;
    this.#hashes[target] = hash;
    this.#edges[target] = edge;
    this.#holders[target] = node;
    if (length < known) this.#buckets[length % BUCKETS]!.push(target);
  }
}
