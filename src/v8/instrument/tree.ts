import { Flag, Shift, Type, Value, Word } from '../parser/kinds.js';
import { CHILDREN } from './children.js';
import { cooked } from './cooked.js';
import type { AnyNode } from './parse.js';
import type { Parser } from './parser-exports.js';
import { DETAIL_FIELDS, type FieldContent, FLAG_FIELDS, NODE_FIELDS, type TypeName } from './tree-fields.js';

/** A bit of a node's first word that the parser leaves free: the second word is the node's index in `#nodes` then. */
const READ = 0x800000;

/** What visits children. */
interface Visitor {
  readonly visitTree: (node: TreeNode) => void;
}

const NONE: readonly AnyNode[] = Object.freeze([]) as readonly AnyNode[];
const WORD_BYTES = 4;
/** The bits of a node's first word with the number of its type, and the names by these numbers. */
export const TYPE = 0xff;
export const TYPE_NAMES = Array.from({ length: Type.RestElement + 1 }, (_, number) => Type[number] as TypeName);

/**
 * The tree that the parser of parser/ has left in its memory (parser/kinds.ts), as nodes that acorn could have made. A node is
 * made when it is asked for, and what nobody asks for costs nothing. One that has a site or decides one stays the same, and so do
 * those of a list. Another is made anew each time: those that stay are what V8 moves in memory. The tree is valid until the next
 * one is parsed.
 */
export class SyntaxTree {
  readonly source: string;
  readonly parser: Parser;
  readonly words: Int32Array;
  /** The address of the first unit of the source. */
  readonly #base: number;
  readonly #nodes: AnyNode[] = [];
  readonly #lists: (readonly AnyNode[])[] = [];
  /** The addresses of their first nodes. */
  readonly #firsts: number[] = [];
  /** The nodes of a list that is made: one that grows by itself takes room for 17 of them. */
  readonly #collected: AnyNode[] = [];

  constructor(source: string, parser: Parser, base: number) {
    this.source = source;
    this.parser = parser;
    this.words = new Int32Array(parser.memory.buffer);
    this.#base = base;
  }

  /** The node at an address; null at 0. */
  node(address: number): AnyNode | null {
    if (address === 0) return null;
    const { words } = this;
    const at = address / WORD_BYTES;
    const first = words[at] as number;
    if ((first & READ) !== 0) return this.#nodes[words[at + Word.Start] as number] as AnyNode;
    if ((first & TYPE) === Type.Hole) return null;
    const start = ((words[at + Word.Start] as number) - this.#base) >> 1;
    const end = ((words[at + Word.End] as number) - this.#base) >> 1;
    const made = new TreeNode(this, at, first, start, end) as AnyNode;
    if ((first & Flag.Plain) !== 0) return made;
    words[at] = first | READ;
    words[at + Word.Start] = this.#nodes.length;
    this.#nodes.push(made);
    return made;
  }

  /** Visits those children of a node that have a site or decide one, in the order of the source. */
  visitChildren({ at, first }: TreeNode, visitor: Visitor): void {
    const visited = VISITED[first & TYPE];
    if (visited === undefined) return;
    const { words } = this;
    for (let i = 0; i < visited.length; i++) {
      let address = words[at + (visited[i] as number)] as number;
      // The address of the first node of a list that was asked for is lost.
      if (address < 0) address = this.#firsts[~address] as number;
      // A node that stands alone has no next one.
      while (address !== 0) {
        const child = address / WORD_BYTES;
        const node = ((words[child] as number) & Flag.Plain) === 0 ? this.node(address) : null;
        if (node !== null) visitor.visitTree(node as AnyNode as TreeNode);
        address = words[child + Word.Next] as number;
      }
    }
  }

  /** The list that begins with the node to which a word leads. */
  list(word: number): readonly AnyNode[] {
    const { words } = this;
    const first = words[word] as number;
    if (first === 0) return NONE;
    // A list that was asked for before.
    if (first < 0) return this.#lists[~first] as readonly AnyNode[];
    const collected = this.#collected;
    let count = 0;
    for (let address = first; address !== 0; address = words[address / WORD_BYTES + Word.Next] as number)
      collected[count++] = this.node(address) as AnyNode;
    const list = collected.slice(0, count);
    words[word] = ~this.#lists.length;
    this.#lists.push(list);
    this.#firsts.push(first);
    return list;
  }
}

/**
 * A node of any type. All have one class, and so one form for V8: a field that its type has not is undefined, as in a node of
 * acorn's.
 */
export class TreeNode {
  declare readonly type: TypeName;
  declare readonly start: number;
  declare readonly end: number;
  declare readonly tree: SyntaxTree;
  /** Index of its first word, and that word. */
  declare readonly at: number;
  declare readonly first: number;

  constructor(tree: SyntaxTree, at: number, first: number, start: number, end: number) {
    this.type = TYPE_NAMES[first & TYPE] as TypeName;
    this.start = start;
    this.end = end;
    this.tree = tree;
    this.at = at;
    this.first = first;
  }
}

type Read = (node: TreeNode) => unknown;

const rawOf = ({ tree, start, end }: TreeNode): string => tree.source.slice(start, end);
const valueKind = ({ first }: TreeNode): Value => first >>> Shift.Detail;

const VALUES: Readonly<Record<Value, (raw: string) => unknown>> = {
  [Value.String]: (raw) => cooked(raw.slice(1, -1)),
  [Value.Number]: (raw) => Number(raw.replaceAll('_', '')),
  [Value.Bigint]: (raw) => BigInt(raw.slice(0, -1).replaceAll('_', '')),
  [Value.Regexp]: (raw) => {
    const { pattern, flags } = regexpParts(raw);
    try {
      return new RegExp(pattern, flags);
    } catch {
      return null;
    }
  },
  [Value.Null]: () => null,
  [Value.True]: () => true,
  [Value.False]: () => false,
};

const regexpParts = (raw: string): { pattern: string; flags: string } => {
  const end = raw.lastIndexOf('/');
  return { pattern: raw.slice(1, end), flags: raw.slice(end + 1) };
};

/** A text in quotes. */
const QUOTED = /(["'])((?:\\[\s\S]|(?!\1)[^\\])*)\1/y;

/** The fields that are read from the source. */
const TEXT_FIELDS: Readonly<Partial<Record<TypeName, Readonly<Record<string, Read>>>>> = {
  Identifier: { name: rawOf },
  PrivateIdentifier: { name: (node) => rawOf(node).slice(1) },
  Literal: {
    raw: rawOf,
    value: (node) => VALUES[valueKind(node)](rawOf(node)),
    regex: (node) => (valueKind(node) === Value.Regexp ? regexpParts(rawOf(node)) : undefined),
  },
  TemplateElement: {
    value: (node) => {
      const raw = rawOf(node).replace(/\r\n?/g, '\n');
      return { raw, cooked: cooked(raw) };
    },
  },
  ExpressionStatement: {
    directive: ({ tree, start, first }) => {
      if ((first & Flag.Directive) === 0) return undefined;
      QUOTED.lastIndex = start;
      return QUOTED.exec(tree.source)?.[2];
    },
  },
};

const READ_NODE: Readonly<Record<FieldContent, (word: number) => Read>> = {
  node:
    (word) =>
    ({ tree, at }) =>
      tree.node(tree.words[at + word] as number),
  list:
    (word) =>
    ({ tree, at }) =>
      tree.list(at + word),
};

/** By the number of a type: the words of the fields with children, in the order of the source. */
const VISITED: (readonly number[] | undefined)[] = [];
for (const [type, fields] of Object.entries(NODE_FIELDS)) {
  const names = Object.keys(fields);
  const visited = CHILDREN[type]?.map((name) => Word.Fields + names.indexOf(name));
  if (visited !== undefined) VISITED[Type[type as TypeName]] = visited;
}

/** By the name of a field: how it is read, by the number of the type. */
const readers: Record<string, (Read | undefined)[]> = {};
const define = (name: string, type: string, read: Read): void => {
  readers[name] ??= [];
  readers[name][Type[type as TypeName]] = read;
};

for (const [type, fields] of Object.entries(NODE_FIELDS)) {
  Object.entries(fields).forEach(([name, content], i) => {
    define(name, type, READ_NODE[content](Word.Fields + i));
  });
}
for (const [type, fields] of Object.entries(FLAG_FIELDS)) {
  for (const [name, flag] of Object.entries(fields)) define(name, type, ({ first }) => (first & flag) !== 0);
}
for (const [type, { field, texts }] of Object.entries(DETAIL_FIELDS))
  define(field, type, ({ first }) => texts[first >>> Shift.Detail]);
for (const [type, fields] of Object.entries(TEXT_FIELDS)) {
  for (const [name, read] of Object.entries(fields)) define(name, type, read);
}
for (const [name, byType] of Object.entries(readers)) {
  Object.defineProperty(TreeNode.prototype, name, {
    get(this: TreeNode) {
      return byType[this.first & TYPE]?.(this);
    },
  });
}
