import { boundNames } from './bound-names.js';
import type { Found } from './code-scope.js';
import { isEager } from './eager.js';
import { InitializedNames } from './initialized-names.js';
import type { AnyNode } from './parse.js';
import { isSeparated } from './statements.js';
import type { Around, Walk } from './walk.js';

/** The most names that a site passes. */
const MOST = 16;

/**
 * Up to where a statement is reached once each time that its site is; absent: it has no site, as its first place is in an inner
 * statement, or is reached at each turn of a loop.
 */
const REACHED: Readonly<Record<string, (node: AnyNode) => readonly [from: number, to: number] | undefined>> = {
  ExpressionStatement: ({ start, end, directive }) => (directive === undefined ? [start, end] : undefined),
  VariableDeclaration: ({ start, end }) => [start, end],
  ReturnStatement: ({ start, end }) => [start, end],
  ThrowStatement: ({ start, end }) => [start, end],
  BreakStatement: ({ start, end }) => [start, end],
  ContinueStatement: ({ start, end }) => [start, end],
  IfStatement: ({ start, test }) => [start, test.end],
  SwitchStatement: ({ start, discriminant }) => [start, discriminant.end],
  ForStatement: ({ start, init }) => (init ? [start, init.end] : undefined),
  ForInStatement: ({ right }) => [right.start, right.end],
  ForOfStatement: ({ right }) => [right.start, right.end],
};

const LEXICAL = /^Class|^Function/;

/** Where a statement stands: among others, or alone as the body of another one. */
interface Position {
  readonly list?: readonly AnyNode[];
}

const BODIES: Readonly<Record<string, readonly string[]>> = {
  IfStatement: ['consequent', 'alternate'],
  ForStatement: ['body'],
  ForInStatement: ['body'],
  ForOfStatement: ['body'],
  WhileStatement: ['body'],
  DoWhileStatement: ['body'],
};

function positionOf(node: AnyNode, parent: AnyNode | undefined): Position | undefined {
  if (parent?.type === 'BlockStatement') return { list: parent.body };
  if (parent?.type === 'SwitchCase') return { list: parent.consequent };
  return parent !== undefined && BODIES[parent.type]?.some((field) => parent[field] === node) === true ? {} : undefined;
}

/** The part of a statement whose first place is reached when the statement begins, and only then; undefined: there is none. */
export function reachedPart(node: AnyNode, parent: AnyNode): readonly [from: number, to: number] | undefined {
  const part = REACHED[node.type]?.(node);
  return part && positionOf(node, parent) && part;
}

/** Whether a `catch` may run without the site of a statement in it. */
function isPassedUnseen(block: AnyNode): boolean {
  const first = block.body.find(({ type }: AnyNode) => type !== 'EmptyStatement' && type !== 'FunctionDeclaration');
  return first === undefined || reachedPart(first, block) === undefined;
}

/** Puts a site before each statement of functions (the option `statement_sites`). */
export function statementSites(): Around {
  const sites = new StatementSites();
  return (walk, node, visit) => sites.visit(walk, node, visit);
}

class StatementSites {
  readonly #initialized = new InitializedNames(MOST);
  /** The `var`s of each function that the walk has seen so far. */
  readonly #vars = new Map<Found, AnyNode[]>();
  /** By list of statements, the index of the one that was visited last. */
  readonly #last = new WeakMap<readonly AnyNode[], number>();

  /** Visits a node; if it is a statement, with its site. */
  visit(walk: Walk, node: AnyNode, visit: () => void): void {
    const found = walk.context.found?.kind === 'module' ? undefined : walk.context.found;
    if (found !== undefined && node.type === 'BlockStatement') this.#insertCatch(walk, node, found);
    const wraps = found !== undefined && this.#insert(walk, node, found);
    visit();
    if (wraps) walk.insert(node.end, 'blockClose');
    if (found !== undefined && node.type === 'VariableDeclaration' && node.kind === 'var') this.#declare(node, found);
  }

  /** A `catch` says that it runs, because that shows that a statement has not come to its end. */
  #insertCatch(walk: Walk, node: AnyNode, found: Found): void {
    if (walk.parent()?.type !== 'CatchClause' || found.reason !== undefined || !walk.carriesSites || !isPassedUnseen(node))
      return;
    const at = node.start + 1;
    walk.insertStatement(at, found.statements.length, []);
    found.statements.push({ from: at, to: at, names: [] });
  }

  #declare({ declarations }: AnyNode, found: Found): void {
    const vars = this.#vars.get(found) ?? [];
    for (const { id } of declarations as AnyNode[]) vars.push(...boundNames(id));
    this.#vars.set(found, vars);
  }

  /** Whether the statement is put into a block. */
  #insert(walk: Walk, node: AnyNode, found: Found): boolean {
    const reached = REACHED[node.type]?.(node);
    if (reached === undefined || found.reason !== undefined || !walk.carriesSites) return false;
    const position = positionOf(node, walk.parent());
    if (position === undefined) return false;
    const from = walk.ancestors.lastIndexOf(found.node);
    const around = walk.ancestors.slice(from);
    const isCounted = around.length === 2 && isEager(found.node, walk.ancestors[from - 1]);
    const { list } = position;
    const wraps = list === undefined || isCounted;
    if (isCounted && (LEXICAL.test(node.type) || (node.type === 'VariableDeclaration' && node.kind !== 'var'))) return false;
    if (wraps) walk.insert(node.start, 'blockOpen');
    else this.#separate(walk, node, list);
    const names = this.#initialized.at(node, around, this.#vars.get(found) ?? [], found.params);
    walk.insertStatement(node.start, found.statements.length, names);
    found.statements.push({ from: reached[0], to: reached[1], names });
    return wraps;
  }

  /** Ends the statement before this one where the line break alone would not do it any more. */
  #separate(walk: Walk, node: AnyNode, list: readonly AnyNode[]): void {
    let at = this.#last.get(list) ?? 0;
    while (list[at] !== node) at++;
    this.#last.set(list, at);
    const before = list[at - 1];
    if (before === undefined || before.directive !== undefined) return;
    if (!isSeparated(walk.source, before, node.start)) walk.insert(node.start, 'semicolon');
  }
}
