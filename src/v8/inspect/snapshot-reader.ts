import { EDGE, edgeWord, HeapGraph } from './heap-graph.js';

/** The names that a HeapGraph is asked for. */
const KNOWN: ReadonlySet<string> = new Set([
  'context',
  'extension',
  'function',
  'name',
  'parameters_and_registers',
  'reactions_or_result',
  'receiver',
  'script',
  'script_or_debug_info',
  'shared',
  'system / AsyncGeneratorRequest',
  'system / PromiseCapability',
  'system / PromiseReaction',
]);
const LONGEST = 64;

const [QUOTE, BACKSLASH, COMMA, OPEN, CLOSE, ZERO, NINE] = [34, 92, 44, 91, 93, 48, 57];
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

/** The kinds of edges that are kept. */
const KEPT: readonly number[] = [EDGE.CONTEXT, EDGE.ELEMENT, EDGE.INTERNAL, EDGE.HIDDEN];

/**
 * Reads a heap snapshot piece by piece, as V8 writes it. Its text can be several times as large as the heap: only typed arrays of
 * what is needed are kept, 13 bytes for each node and 8 for each edge that is no property, and the texts of the strings.
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
  #firsts = new Uint32Array(0);
  #edges = new Uint32Array(0);
  #targets = new Uint32Array(0);
  #located: number[] = [];
  readonly #strings = new StringTable();

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
    const order = Array.from({ length: this.#located.length / 3 }, (_, i) => 3 * i);
    order.sort((a, b) => this.#located[a]! - this.#located[b]!);
    const { known } = this.#strings;
    return new HeapGraph({
      types: this.#types,
      names: this.#names,
      ids: this.#ids,
      firsts: this.#firsts,
      edges: this.#edges,
      targets: this.#targets,
      located: Uint32Array.from(order, (at) => this.#located[at]!),
      locations: Uint32Array.from(order.flatMap((at) => [this.#located[at + 1]!, this.#located[at + 2]!])),
      string: (index) => this.#strings.at(index),
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
      if (KEPT.includes(kind)) {
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
    let field = 0;
    return (number) => {
      // The second is the script.
      if (field !== 1) this.#located.push(field === 0 ? number / size : number);
      field = (field + 1) % 4;
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
