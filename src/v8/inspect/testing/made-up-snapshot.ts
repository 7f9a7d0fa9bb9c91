import type { HeapGraph } from '../heap-graph.js';
import { RETAINERS, SnapshotReader } from '../snapshot-reader.js';

const NODE_TYPES = [
  'hidden',
  'array',
  'string',
  'object',
  'code',
  'closure',
  'regexp',
  'number',
  'native',
  'synthetic',
  'concatenated string',
  'sliced string',
  'symbol',
  'bigint',
  'object shape',
] as const;
const EDGE_TYPES = ['context', 'element', 'property', 'internal', 'hidden', 'shortcut', 'weak'] as const;

/** A node with what it holds. */
export interface MadeUpNode {
  readonly type: (typeof NODE_TYPES)[number];
  readonly name: string;
  readonly size: number;
  readonly edges: (readonly [kind: (typeof EDGE_TYPES)[number], name: string | number, to: MadeUpNode])[];
  /** Number of the script, line and column from 0. */
  readonly location?: readonly [script: number, line: number, column: number];
}

/** Makes nodes of a heap; `root` is the first one. */
export class MadeUpHeap {
  readonly root: MadeUpNode;
  readonly #nodes: MadeUpNode[] = [];
  readonly #scripts = new Map<number, MadeUpNode>();
  readonly #native: MadeUpNode;

  constructor() {
    this.root = this.node('synthetic', '', 0);
    this.#native = this.node('hidden', 'system / NativeContext', 100);
    this.root.edges.push(['shortcut', 1, this.#native]);
  }

  node(type: MadeUpNode['type'], name: string, size = 8, location?: MadeUpNode['location']): MadeUpNode {
    const node: MadeUpNode = { type, name, size, edges: [], ...(location && { location }) };
    this.#nodes.push(node);
    return node;
  }

  /** A context; without an outer one that of a module. */
  context(variables: Readonly<Record<string, MadeUpNode>>, outer = this.#native): MadeUpNode {
    const context = this.node('object', 'system / Context', 40);
    context.edges.push(['internal', 'previous', outer]);
    for (const [name, value] of Object.entries(variables)) context.edges.push(['context', name, value]);
    return context;
  }

  /** A closure in the text `url` that sees a context. */
  closure(name: string, url: string, line: number, context: MadeUpNode): MadeUpNode {
    const script = [...url].reduce((sum, character) => sum + character.charCodeAt(0), 0);
    const closure = this.node('closure', name, 64, [script, line - 1, 0]);
    let text = this.#scripts.get(script);
    if (text === undefined) {
      text = this.node('code', url);
      text.edges.push(['internal', 'name', this.node('string', url)]);
      this.#scripts.set(script, text);
    }
    const shared = this.node('code', name);
    shared.edges.push(['internal', 'script', text]);
    closure.edges.push(['internal', 'shared', shared], ['internal', 'context', context]);
    return closure;
  }

  /** The heap as SnapshotReader reads it from the text that V8 would write. */
  graph(): HeapGraph {
    const strings: string[] = [];
    const known = new Map<string, number>();
    const index = (text: string): number => {
      const found = known.get(text);
      if (found !== undefined) return found;
      known.set(text, strings.length);
      return strings.push(text) - 1;
    };
    const numbers = new Map(this.#nodes.map((node, number) => [node, number]));
    const nodes = this.#nodes.flatMap(({ type, name, size, edges }, number) => [
      NODE_TYPES.indexOf(type),
      index(name),
      2 * number + 1,
      size,
      edges.length,
    ]);
    const edges = this.#nodes.flatMap((node) =>
      node.edges.flatMap(([kind, name, to]) => [
        EDGE_TYPES.indexOf(kind),
        typeof name === 'number' ? name : index(name),
        5 * numbers.get(to)!,
      ]),
    );
    const locations = this.#nodes.flatMap(({ location }, number) => (location === undefined ? [] : [5 * number, ...location]));
    const meta = {
      node_fields: ['type', 'name', 'id', 'self_size', 'edge_count'],
      edge_fields: ['type', 'name_or_index', 'to_node'],
      location_fields: ['object_index', 'script_id', 'line', 'column'],
    };
    const header = { meta, node_count: this.#nodes.length, edge_count: edges.length / 3 };
    const reader = new SnapshotReader(RETAINERS);
    reader.write(
      `{"snapshot":${JSON.stringify(header)},\n"nodes":[${nodes}],\n"edges":[${edges}],\n` +
        `"trace_tree":[],\n"locations":[${locations}],\n"strings":${JSON.stringify(strings)}}`,
    );
    return reader.end();
  }
}
