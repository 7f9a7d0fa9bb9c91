import { EDGE, type HeapGraph, NODE } from '../heap-graph.js';
import { HeapContexts } from './heap-contexts.js';
import { HeapLabels, LabelNumbers } from './heap-labels.js';
import { ANY, PathTrie, ROOT } from './path-trie.js';
import { retainersOf } from './retainers.js';

/** Numbers of objects and bytes at both points, by the number of what they are counted for. */
export class Tally {
  readonly #counts: [number[], number[]] = [[], []];
  readonly #bytes: [number[], number[]] = [[], []];

  add(point: Point, number: number, count: number, bytes: number): void {
    const counts = this.#counts[point];
    const sizes = this.#bytes[point];
    counts[number] = (counts[number] ?? 0) + count;
    sizes[number] = (sizes[number] ?? 0) + bytes;
  }

  at(point: Point, number: number): { readonly count: number; readonly bytes: number } {
    return { count: this.#counts[point][number] ?? 0, bytes: this.#bytes[point][number] ?? 0 };
  }

  growth(number: number): { readonly count: number; readonly bytes: number } {
    const [before, after] = [this.at(0, number), this.at(1, number)];
    return { count: after.count - before.count, bytes: after.bytes - before.bytes };
  }
}

/** The first point in time, or the second one. */
export type Point = 0 | 1;

/** The number of everything, in the tally of the whole. */
const ALL = 0;

/** Counts the objects of a heap at two points, by what they are called by and by the way on which they are held. */
export class HeapCensus {
  readonly labels = new LabelNumbers();
  readonly paths = new PathTrie();
  readonly byLabel = new Tally();
  readonly byWay = new Tally();
  readonly #all = new Tally();

  /** All objects at a point. */
  all(point: Point): { readonly count: number; readonly bytes: number } {
    return this.#all.at(point, ALL);
  }

  /** Counts what a heap has at a point. */
  add(graph: HeapGraph, point: Point): void {
    const contexts = new HeapContexts(graph);
    const labels = new HeapLabels(graph, contexts, this.labels);
    const holds = new Holds(graph, contexts, this.paths);
    const { order, edges, holders } = retainersOf(graph);
    /** The way of each node, by its number; of a part that of the hold that it is behind, as -2 - hold. */
    const states = new Int32Array(graph.size);
    for (const node of order) {
      const holder = holders[node]!;
      const hold = node === 0 ? holds.root : holds.of(holder, edges[node]!, states[holder]!);
      const type = graph.typeOf(node);
      const own = isText(type) && isText(graph.typeOf(holder)) ? -1 : labels.of(node);
      const isPart = own < 0;
      const way = isPart ? this.paths.ownerOf(hold) : this.paths.way(hold, own);
      states[node] = isPart ? -2 - hold : way;
      // What V8 knows of code and of shapes comes and goes as the program runs.
      const isCounted = way !== ROOT && type !== NODE.CODE && type !== NODE.SHAPE;
      const label = !isPart ? own : isCounted ? this.paths.labelOf(way) : -1;
      const bytes = graph.sizeOf(node);
      const objects = isPart ? 0 : 1;
      this.#all.add(point, ALL, objects, bytes);
      if (label < 0) continue;
      this.byLabel.add(point, label, objects, bytes);
      this.byWay.add(point, way, objects, bytes);
    }
  }
}

/** A part of a text is no object of its own. */
const isText = (type: number): boolean => type === NODE.STRING || type === NODE.CONCATENATED || type === NODE.SLICED;

/** Internal edges whose targets a program knows by another word. */
const INTERNAL_STEPS: Readonly<
  Record<string, { readonly how: 'variable' | 'entry' | 'element' | 'property'; readonly name: string }>
> = {
  table: { how: 'entry', name: '' },
  elements: { how: 'element', name: '' },
  properties: { how: 'property', name: ANY },
  buffer: { how: 'property', name: 'buffer' },
  parameters_and_registers: { how: 'variable', name: ANY },
};
/** What V8 calls the edge from a key of a WeakMap to its value. */
const WEAK_ENTRY = / part of key /;

const hasName = (kind: number): boolean => kind !== EDGE.ELEMENT && kind !== EDGE.HIDDEN;

/** Finds how the nodes of one heap are held, as a person says it. */
class Holds {
  readonly root: number;
  readonly #graph: HeapGraph;
  readonly #contexts: HeapContexts;
  readonly #paths: PathTrie;
  /** Numbers of steps, by kind and index of the name. */
  readonly #steps = new Map<number, number>();
  /** Names of variables, by their indexes. */
  readonly #names = new Map<number, string>();

  constructor(graph: HeapGraph, contexts: HeapContexts, paths: PathTrie) {
    this.#graph = graph;
    this.#contexts = contexts;
    this.#paths = paths;
    this.root = paths.hold(ROOT, paths.stepNumber({ how: 'root', name: '' }));
  }

  /** The hold of an edge's target. `state` is that of the holder, as HeapCensus has it. */
  of(holder: number, edge: number, state: number): number {
    if (state < 0) return this.#ofPart(holder, edge, -2 - state);
    if (this.#graph.edgeKind(edge) !== EDGE.PROPERTY) return this.#paths.hold(state, this.#step(edge));
    return this.#paths.property(state, this.#graph.string(this.#graph.edgeName(edge)));
  }

  /** By a part of what holds it. */
  #ofPart(part: number, edge: number, hold: number): number {
    const graph = this.#graph;
    const paths = this.#paths;
    if (graph.edgeKind(edge) === EDGE.CONTEXT && graph.isNamed(part, 'system / Context')) {
      const name = this.#name(graph.edgeName(edge));
      const url = this.#contexts.moduleOf(part);
      if (url !== undefined && url !== '') return this.#variable(name, url);
      return paths.hold(paths.ownerOf(hold), paths.stepNumber({ how: 'variable', name }));
    }
    const exported = this.#contexts.exported(part);
    if (exported !== undefined) return this.#variable(exported.name, exported.url);
    const target = graph.edgeTarget(edge);
    if (graph.typeOf(part) === NODE.SYNTHETIC && graph.typeOf(target) === NODE.SYNTHETIC) {
      return paths.hold(ROOT, paths.stepNumber({ how: 'root', name: graph.nameOf(target) }));
    }
    return hold;
  }

  #variable(name: string, url: string): number {
    return this.#paths.hold(ROOT, this.#paths.stepNumber({ how: 'variable', name, url }));
  }

  #name(index: number): string {
    let name = this.#names.get(index);
    if (name === undefined) this.#names.set(index, (name = this.#graph.string(index)));
    return name;
  }

  #key(edge: number): number {
    const kind = this.#graph.edgeKind(edge);
    return (hasName(kind) ? this.#graph.edgeName(edge) : 0) * 8 + kind;
  }

  #step(edge: number): number {
    const key = this.#key(edge);
    let step = this.#steps.get(key);
    if (step === undefined) {
      const kind = this.#graph.edgeKind(edge);
      step = this.#paths.stepNumber(this.#newStep(kind, hasName(kind) ? this.#graph.string(this.#graph.edgeName(edge)) : ''));
      this.#steps.set(key, step);
    }
    return step;
  }

  #newStep(kind: number, name: string): Parameters<PathTrie['stepNumber']>[0] {
    if (kind === EDGE.ELEMENT) return { how: 'element', name: '' };
    if (kind === EDGE.PROPERTY) return { how: 'property', name };
    if (kind === EDGE.HIDDEN) return { how: 'internal', name: '' };
    if (WEAK_ENTRY.test(name)) return { how: 'entry', name: 'WeakMap' };
    const known = Object.hasOwn(INTERNAL_STEPS, name) ? INTERNAL_STEPS[name] : undefined;
    return known ?? { how: 'internal', name: /^\d+$/.test(name) ? '' : name };
  }
}
