import { Flag } from '../parser/kinds.js';
import { Piece } from '../text/edit-form.js';
import { type PieceName, pieceNames } from '../text/pieces.js';
import { CHILDREN } from './children.js';
import { type CodeScope, createScope, type Found } from './code-scope.js';
import { EditList } from './edit-list.js';
import { LineCounter } from './lines.js';
import type { AnyNode, SourceType } from './parse.js';
import { TreeNode, TYPE, TYPE_NAMES } from './tree.js';

/** The number of each piece. */
export const PIECE_NUMBER = Object.fromEntries(pieceNames().map((name, number) => [name, number])) as Record<PieceName, number>;

/** Handles a type of node in place of the plain visit of its children. */
export type Handler = (walk: Walk, node: AnyNode) => void;

/** Does something before and after the visit of each node, which `visit` is. */
export type Around = (walk: Walk, node: AnyNode, visit: () => void) => void;

const byNumber = (handlers: Readonly<Record<string, Handler>>): readonly (Handler | undefined)[] =>
  TYPE_NAMES.map((name) => handlers[name]);

/** One pass over a syntax tree: finds the functions and decides the sites, both in the order of the source. */
export class Walk {
  readonly edits = new EditList();
  readonly found: Found[] = [];
  /** The nodes around the current one, outermost first. */
  readonly ancestors: AnyNode[] = [];
  context: CodeScope;
  /** The function around a module's text that is not in the original source. */
  wrapper: AnyNode | undefined;
  /** The number of enclosing `with` bodies and asm.js modules: no site is allowed there. */
  withDepth = 0;
  asmDepth = 0;
  /** The text, or code that it makes, can call `import()`. */
  mayImport = false;
  hasImport = false;
  /** Cached names of classes without their own name. */
  readonly classNames = new Map<AnyNode, string>();
  readonly lines: LineCounter;
  /** The lines (from 0) on which no site may stand. */
  keptLines: ReadonlySet<number> = new Set();
  readonly source: string;
  readonly #handlers: Readonly<Record<string, Handler>>;
  /** Handlers by the number of the type. */
  readonly #byNumber: readonly (Handler | undefined)[];
  readonly #around: Around | undefined;

  constructor(source: string, type: SourceType, handlers: Readonly<Record<string, Handler>>, around?: Around) {
    this.source = source;
    this.lines = new LineCounter(source);
    this.context = createScope(undefined, { holdsVariables: type !== 'script' });
    this.#handlers = handlers;
    this.#byNumber = byNumber(handlers);
    this.#around = around;
  }

  visit(node: AnyNode | null | undefined): void {
    if (!node) return;
    if (this.#around !== undefined) this.#around(this, node, () => this.#dispatch(node));
    else if (!(node instanceof TreeNode)) this.#dispatch(node);
    else if ((node.first & Flag.Plain) === 0) this.visitTree(node);
  }

  /** Visits a node of a tree, which has a site or decides one. */
  visitTree(node: TreeNode): void {
    const handler = this.#byNumber[node.first & TYPE];
    if (handler) handler(this, node as AnyNode);
    else this.visitChildren(node as AnyNode);
  }

  #dispatch(node: AnyNode): void {
    const handler = this.#handlers[node.type];
    if (handler) handler(this, node);
    else this.visitChildren(node);
  }

  visitChildren(node: AnyNode): void {
    if (node instanceof TreeNode) {
      this.ancestors.push(node);
      node.tree.visitChildren(node, this);
      this.ancestors.pop();
      return;
    }
    const fields = CHILDREN[node.type];
    if (fields === undefined) return;
    this.ancestors.push(node);
    for (const field of fields) {
      const child = node[field];
      if (Array.isArray(child)) for (const element of child) this.visit(element);
      else this.visit(child);
    }
    this.ancestors.pop();
  }

  /** The node `above` levels around the current one. */
  parent(above = 1): AnyNode | undefined {
    return this.ancestors[this.ancestors.length - above];
  }

  /** Runs `body` with `node` as an ancestor. */
  inside(node: AnyNode, body: () => void): void {
    this.ancestors.push(node);
    body();
    this.ancestors.pop();
  }

  /** Runs `body` as separate code. */
  within(context: CodeScope, body: () => void): void {
    const around = this.context;
    this.context = context;
    body();
    this.context = around;
  }

  /** Whether functions get sites at their statements. */
  get hasStatementSites(): boolean {
    return this.#around !== undefined;
  }

  /** Whether sites of the current code are allowed here. */
  get carriesSites(): boolean {
    return this.withDepth === 0 && this.asmDepth === 0;
  }

  /** Whether no site may stand on the line of an offset. */
  isKept(offset: number): boolean {
    return this.keptLines.size > 0 && this.keptLines.has(this.lines.line(offset));
  }

  insertStatement(offset: number, index: number, names: readonly AnyNode[]): void {
    this.#keep(offset);
    this.edits.pushNamed(offset, Piece.Statement, this.context.owner, index, names);
  }

  /** What a `catch` begins with; `name` is that of its parameter, if it has one. */
  insertCaught(offset: number, form: number, name: AnyNode | undefined): void {
    this.#keep(offset);
    this.edits.pushNamed(offset, Piece.Caught, this.context.owner, form, name === undefined ? [] : [name]);
  }

  /** Says where V8 would have a frame that runs in the piece inserted next, at the same offset. */
  insertPlace(offset: number, place: number): void {
    if (place !== offset && this.carriesSites) this.edits.push(offset, Piece.Place, this.context.owner, place, 0);
  }

  insert(offset: number, piece: PieceName, first = 0, second = 0): void {
    this.#keep(offset);
    this.edits.push(offset, PIECE_NUMBER[piece], this.context.owner, first, second);
  }

  /** A function that would have a piece on a line that is kept has none at all. */
  #keep(offset: number): void {
    if (this.keptLines.size === 0) return;
    const { found } = this.context;
    if (found && this.isKept(offset)) found.reason ??= 'await';
  }
}
