import { EDGE, edgeWord, HeapGraph } from './heap-graph.js';

/** The names that a HeapGraph is asked for. */
const KNOWN: ReadonlySet<string> = new Set([
  '__proto__',
  '_idlePrev',
  '_parent',
  '_prev',
  'buffer',
  'context',
  'elements',
  'extension',
  'function',
  'name',
  'owner',
  'parameters_and_registers',
  'parent',
  'parentNode',
  'prev',
  'previous',
  'properties',
  'reactions_or_result',
  'receiver',
  'script',
  'script_or_debug_info',
  'shared',
  'system / AsyncGeneratorRequest',
  'system / Cell',
  'system / Context',
  'system / NativeContext',
  'system / PromiseCapability',
  'system / PromiseReaction',
  'system / SourceTextModule',
  'table',
]);
const LONGEST = 64;

const [QUOTE, BACKSLASH, COMMA, OPEN, CLOSE, ZERO, NINE] = [34, 92, 44, 91, 93, 48, 57];
/** The hash function FNV-1a, and how many bytes of a string are hashed. */
const [FNV_START, FNV_PRIME, HASHED] = [0x811c_9dc5, 0x0100_0193, 32];
/** Bytes of strings that are kept in one piece. */
const PIECE = 1 << 20;

interface SnapshotHeader {
  readonly snapshot: {
    readonly meta: {
      readonly node_fields: readonly string[];
      readonly edge_fields: readonly string[];
      readonly location_fields: readonly string[];
    };
    readonly node_count: number;
    readonly edge_count: number;
  };
}

/** What of a snapshot is kept. */
export interface SnapshotParts {
  /** The kinds of edges. */
  readonly edges: readonly number[];
  /** Whether the sizes of nodes are kept. */
  readonly sizes: boolean;
}

/** All but properties, and no sizes. */
const INSIDES: SnapshotParts = { edges: [EDGE.CONTEXT, EDGE.ELEMENT, EDGE.INTERNAL, EDGE.HIDDEN], sizes: false };
/** Whatever keeps objects alive, and sizes. */
export const RETAINERS: SnapshotParts = { edges: Object.values(EDGE), sizes: true };

/**
 * Reads a heap snapshot piece by piece, as V8 writes it. Its text can be several times as large as the heap: only typed arrays of
 * what is needed are kept, 13 bytes for each node, 8 more with its size, and 8 for each edge, and the texts of the strings.
 */
export class SnapshotReader {
  /** What was not understood yet: the text before the next array. */
  #pending = '';
  #section: 'between' | 'numbers' | 'strings' = 'between';
  #take: (number: number) => void = () => {};
  #number = -1;
  #nodeFields: readonly string[] = [];
  #types = new Uint8Array(0);
  #names = new Uint32Array(0);
  #ids = new Uint32Array(0);
  #sizes = new Float64Array(0);
  #firsts = new Uint32Array(0);
  #edges = new Uint32Array(0);
  #targets = new Uint32Array(0);
  /** Node, script, line and column of each location. */
  #located = new Uint32Array(1024);
  #locations = 0;
  readonly #strings = new StringTable();
  readonly #parts: SnapshotParts;

  constructor(parts: SnapshotParts = INSIDES) {
    this.#parts = parts;
  }

  /** Takes the next piece of the snapshot. @throws Error if it is no snapshot */
  write(chunk: string): void {
    for (let at = 0; at < chunk.length; ) {
      if (this.#section === 'between') at = this.#between(chunk, at);
      else if (this.#section === 'numbers') at = this.#numbers(chunk, at);
      else at = this.#readStrings(chunk, at);
    }
  }

  /** What was read. @throws Error if it is not complete */
  end(): HeapGraph {
    if (this.#section !== 'between' || !this.#strings.isFull) throw new Error('the heap snapshot is not complete');
    const located = this.#located;
    const order = Uint32Array.from({ length: this.#locations }, (_, i) => 4 * i);
    order.sort((a, b) => located[a]! - located[b]!);
    const locations = new Uint32Array(3 * order.length);
    for (const [i, at] of order.entries()) locations.set(located.subarray(at + 1, at + 4), 3 * i);
    const { known } = this.#strings;
    return new HeapGraph({
      types: this.#types,
      names: this.#names,
      ids: this.#ids,
      sizes: this.#sizes,
      firsts: this.#firsts,
      edges: this.#edges,
      targets: this.#targets,
      located: order.map((at) => located[at]!),
      locations,
      string: (index) => this.#strings.at(index),
      hash: (index) => this.#strings.hash(index),
      known,
    });
  }

  /** Looks for the array that begins next. */
  #between(chunk: string, from: number): number {
    const open = chunk.indexOf('[', from);
    this.#pending += chunk.slice(from, open < 0 ? undefined : open + 1);
    if (open < 0) return chunk.length;
    // The header has arrays, too.
    const name = /"([a-z_]+)":\s*\[$/.exec(this.#pending)?.[1] ?? '';
    if (this.#types.length === 0 && name !== 'nodes') return open + 1;
    if (name === 'nodes') this.#begin();
    this.#pending = '';
    this.#section = name === 'strings' ? 'strings' : 'numbers';
    this.#take = this.#taking(name);
    return open + 1;
  }

  /** What takes the numbers of an array. */
  #taking(name: string): (number: number) => void {
    if (name === 'nodes') return this.#takeNodes();
    if (name === 'edges') return this.#takeEdges();
    return name === 'locations' ? this.#takeLocations() : () => {};
  }

  #begin(): void {
    const text = `${this.#pending.slice(0, this.#pending.lastIndexOf('"nodes"')).trimEnd().replace(/,$/, '')}}`;
    const { meta, node_count: nodes, edge_count: edges } = (JSON.parse(text) as SnapshotHeader).snapshot;
    this.#nodeFields = meta.node_fields;
    if (meta.edge_fields.join() !== 'type,name_or_index,to_node' || meta.location_fields.length !== 4)
      throw new Error('V8 writes its heap snapshots in another way');
    this.#types = new Uint8Array(nodes);
    this.#names = new Uint32Array(nodes);
    this.#ids = new Uint32Array(nodes);
    if (this.#parts.sizes) this.#sizes = new Float64Array(nodes);
    this.#firsts = new Uint32Array(nodes + 1);
    this.#edges = new Uint32Array(edges);
    this.#targets = new Uint32Array(edges);
  }

  /** Until the edges are read, `firsts` has how many each node has. */
  #takeNodes(): (number: number) => void {
    const fields = this.#nodeFields;
    const into = new Map<string, { [index: number]: number }>([
      ['type', this.#types],
      ['name', this.#names],
      ['id', this.#ids],
      ...(this.#parts.sizes ? [['self_size', this.#sizes] as const] : []),
      ['edge_count', this.#firsts],
    ]);
    const arrays = fields.map((field) => into.get(field));
    let [node, field] = [0, 0];
    return (number) => {
      const array = arrays[field];
      if (array !== undefined) array[node] = number;
      if (++field < fields.length) return;
      field = 0;
      node++;
    };
  }

  #takeEdges(): (number: number) => void {
    const { length: size } = this.#nodeFields;
    const firsts = this.#firsts;
    const [edges, targets] = [this.#edges, this.#targets];
    const isKept = this.#parts.edges;
    let [node, left, kept, field, kind, name] = [-1, 0, 0, 0, 0, 0];
    const next = (): void => {
      while (left === 0 && node + 1 < firsts.length - 1) {
        left = firsts[++node]!;
        firsts[node] = kept;
      }
    };
    next();
    firsts[firsts.length - 1] = 0;
    return (number) => {
      if (field === 0) kind = number;
      if (field === 1) name = number;
      if (++field < 3) return;
      field = 0;
      if (isKept.includes(kind)) {
        edges[kept] = edgeWord(kind, name);
        targets[kept++] = number / size;
      }
      left--;
      next();
      firsts[firsts.length - 1] = kept;
    };
  }

  #takeLocations(): (number: number) => void {
    const { length: size } = this.#nodeFields;
    let filled = 0;
    return (number) => {
      if (filled === this.#located.length) {
        const longer = new Uint32Array(2 * filled);
        longer.set(this.#located);
        this.#located = longer;
      }
      this.#located[filled] = filled % 4 === 0 ? number / size : number;
      this.#locations = ++filled >> 2;
    };
  }

  #numbers(chunk: string, from: number): number {
    let number = this.#number;
    const take = this.#take;
    for (let at = from; at < chunk.length; at++) {
      const code = chunk.charCodeAt(at);
      if (code >= ZERO && code <= NINE) {
        number = (number < 0 ? 0 : 10 * number) + code - ZERO;
      } else if (code === COMMA || code === CLOSE) {
        if (number >= 0) take(number);
        number = -1;
        if (code === CLOSE) {
          this.#number = number;
          this.#section = 'between';
          return at + 1;
        }
      } else if (code === OPEN) {
        // A tree of allocations, which is empty unless somebody tracks them.
        throw new Error('the heap snapshot has a tree of allocations: another profiler is at work');
      }
    }
    this.#number = number;
    return chunk.length;
  }

  #readStrings(chunk: string, from: number): number {
    const end = this.#strings.write(chunk, from);
    if (end === undefined) return chunk.length;
    this.#section = 'between';
    return end;
  }
}

/** The strings of a snapshot, as JSON, and where each begins. */
class StringTable {
  readonly known = new Map<string, number>();
  isFull = false;
  /** Texts as they came, without the quotes; in pieces. */
  readonly #pieces: Buffer[] = [];
  #piece = Buffer.alloc(0);
  #used = 0;
  /** Where the strings begin, in bytes of all pieces, and end. */
  readonly #starts: number[] = [];
  #size = 0;
  #isInside = false;
  #isEscaped = false;
  #current = '';

  /** Takes what follows; returns where the array ends, or undefined if it goes on. */
  write(chunk: string, from: number): number | undefined {
    let begin = from;
    for (let at = from; at < chunk.length; at++) {
      const code = chunk.charCodeAt(at);
      if (!this.#isInside) {
        if (code === CLOSE) {
          this.isFull = true;
          return at + 1;
        }
        if (code !== QUOTE) continue;
        this.#isInside = true;
        begin = at + 1;
      } else if (this.#isEscaped) this.#isEscaped = false;
      else if (code === BACKSLASH) this.#isEscaped = true;
      else if (code === QUOTE) {
        this.#add(this.#current + chunk.slice(begin, at));
        this.#current = '';
        this.#isInside = false;
      }
    }
    if (this.#isInside) this.#current += chunk.slice(begin);
    return undefined;
  }

  at(index: number): string {
    const start = this.#starts[index];
    if (start === undefined) return '';
    const piece = this.#pieces[Math.floor(start / PIECE)]!;
    const from = start % PIECE;
    const end = piece.indexOf(0, from);
    return JSON.parse(`"${piece.toString('utf8', from, end < 0 ? undefined : end)}"`) as string;
  }

  /** A number that depends on the first bytes of a string only. */
  hash(index: number): number {
    const start = this.#starts[index] ?? 0;
    const piece = this.#pieces[Math.floor(start / PIECE)]!;
    const from = start % PIECE;
    let hash = FNV_START;
    for (let at = from; at < from + HASHED && piece[at]! > 0; at++) hash = Math.imul(hash ^ piece[at]!, FNV_PRIME);
    return hash >>> 0;
  }

  /** A string never goes over the end of a piece; JSON has no byte 0. */
  #add(text: string): void {
    if (text.length <= LONGEST && KNOWN.has(text)) this.known.set(text, this.#starts.length);
    // V8 cuts strings at 1024 characters, but a program's own option can raise that.
    const cut = text.length > 4096 ? text.slice(0, 4096).replace(/\\[^\\]{0,5}$/, '') : text;
    const bytes = Buffer.byteLength(cut) + 1;
    if (this.#pieces.length === 0 || this.#used + bytes > PIECE) {
      this.#piece = Buffer.alloc(PIECE);
      this.#pieces.push(this.#piece);
      this.#used = 0;
      this.#size = (this.#pieces.length - 1) * PIECE;
    }
    this.#starts.push(this.#size);
    this.#piece.write(cut, this.#used);
    this.#used += bytes;
    this.#size += bytes;
  }
}
