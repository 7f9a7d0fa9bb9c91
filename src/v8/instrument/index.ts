/**
 * The instrumenter: decides, for one source, where to insert which pieces, and describes its functions. It contains the parser.
 */
import { FUNCTION_KIND, type JsFunction } from '../js-text.js';
import type { Edits } from '../text/edits.js';
import { encodeStatements } from '../text/statement-list.js';
import { createScope, type Found } from './code-scope.js';
import { enterFunction, useThis } from './functions.js';
import { enterBreakable, enterJump, enterLabeled } from './loops.js';
import { enterModule, inOrder } from './module-body.js';
import { withLines } from './names.js';
import { type AnyNode, parse, type SourceType } from './parse.js';
import { enterReturn } from './returns.js';
import { statementSites } from './statement-sites.js';
import { TreeNode } from './tree.js';
import { enterTry } from './tries.js';
import { awaitedLines, enterExpressionStatement, enterWait } from './waits.js';
import { type Handler, Walk } from './walk.js';
import { writeEditsFast } from './wasm-edits.js';
import { parseFast } from './wasm-parser.js';
import { wrapperOf } from './wrapper.js';
import { type Decided, writeEdits } from './write-edits.js';

const GLOBALS = ['globalThis', 'global', 'self', 'window'];

const unwrapped = (node: AnyNode): AnyNode => (node.type === 'ParenthesizedExpression' ? unwrapped(node.expression) : node);

/** Whether an identifier `eval` or `Function` stands where its value goes nowhere, or is another's property. */
const isHarmless = (node: AnyNode, parent: AnyNode | undefined): boolean => {
  if (parent?.type === 'MemberExpression') {
    if (parent.object === node) return !parent.computed && parent.property.name === 'prototype';
    return !parent.computed && !GLOBALS.includes(unwrapped(parent.object).name);
  }
  if (parent?.type === 'Property') return !parent.computed && parent.key === node && !parent.shorthand;
  if (parent?.type === 'MethodDefinition' || parent?.type === 'PropertyDefinition')
    return parent.key === node && !parent.computed;
  return parent?.type === 'BinaryExpression' && parent.operator === 'instanceof';
};

/** The constructor of async functions or generators has no name; programs take it from one of them, or from its prototype. */
const isConstructorOfFunctions = (parent: AnyNode | undefined): boolean =>
  /Function|Call/.test(unwrapped(parent?.type === 'MemberExpression' ? parent.object : { type: '' }).type);

/** Notes whether `import()` may run in the name of the text: written in it, or in code that it makes of strings. */
const enterIdentifier: Handler = (walk: Walk, node: AnyNode) => {
  const { name } = node;
  if (name === 'eval' || name === 'Function') walk.mayImport ||= !isHarmless(node, walk.parent());
  else if (name === 'constructor') walk.mayImport ||= isConstructorOfFunctions(walk.parent());
};

const enterImport: Handler = (walk: Walk, node: AnyNode) => {
  walk.mayImport = true;
  walk.hasImport = true;
  walk.visitChildren(node);
};

export { classTest } from './class-places.js';
export { type EndedCall, lastCallsBefore } from './last-calls.js';
export { moduleScope } from './module-scope.js';
export type { SourceType } from './parse.js';
export { repackOf } from './repack.js';
export { tryBlocks } from './try-blocks.js';
export { visibleVariables } from './visible-variables.js';
export { whatFollows } from './what-follows.js';

/** What `instrument` has found in a source that it could read. */
export interface Instrumented {
  readonly edits: Edits;
  /**
   * Makes the same text as `assemble` of text/, in less time; undefined: that one has to, as after the next source is read.
   */
  readonly assemble?: ((prefix: string, firstFunction: number) => string | undefined) | undefined;
  /** In the order of their numbers. */
  readonly functions: readonly JsFunction[];
  readonly sourceMappingURL?: string;
  /** Code of the source, or that it makes of strings, may call `import()`. */
  readonly mayImport: boolean;
  /** `import()` is written in the source. */
  readonly hasImport: boolean;
}

/** The source could not be parsed: V8 gets it unchanged, and has the better error message. */
export interface Unparsed {
  /** The parser's message, without the place. */
  readonly unparsed: string;
  /** Where it gave up, 1-based. */
  readonly line: number;
  readonly column: number;
}

const HANDLERS: Readonly<Record<string, Handler>> = {
  FunctionDeclaration: enterFunction,
  FunctionExpression: enterFunction,
  ArrowFunctionExpression: enterFunction,
  ThisExpression: useThis,
  Identifier: enterIdentifier,
  ImportExpression: enterImport,
  ReturnStatement: enterReturn,
  TryStatement: enterTry,
  AwaitExpression: enterWait,
  YieldExpression: enterWait,
  ExpressionStatement: enterExpressionStatement,
  ForOfStatement: enterBreakable,
  ForInStatement: enterBreakable,
  ForStatement: enterBreakable,
  WhileStatement: enterBreakable,
  DoWhileStatement: enterBreakable,
  SwitchStatement: enterBreakable,
  LabeledStatement: enterLabeled,
  BreakStatement: enterJump,
  ContinueStatement: enterJump,
  StaticBlock: (walk, node) => walk.within(createScope(walk.context, {}), () => walk.visitChildren(node)),
  PropertyDefinition: (walk, node) => {
    walk.inside(node, () => {
      walk.visit(node.key);
      walk.within(createScope(walk.context, { holdsVariables: false }), () => walk.visit(node.value));
    });
  },
  WithStatement: (walk, node) => {
    walk.inside(node, () => {
      walk.visit(node.object);
      if (walk.context.found) walk.context.found.reason ??= 'with';
      walk.withDepth++;
      walk.visit(node.body);
      walk.withDepth--;
    });
  },
};

/** Sites that a text gets besides those of its functions. */
export interface FurtherSites {
  /** Before each statement of its functions. */
  readonly statements?: boolean;
  /** At the beginning and the end of its code outside of functions, if it is a module. */
  readonly module?: boolean;
}

/**
 * Decides the sites of `source`. Pure; never throws.
 * @param fast the parser that may leave a source to acorn
 */
export function instrument(
  source: string,
  type: SourceType,
  further: FurtherSites = {},
  fast: typeof parseFast = parseFast,
): Instrumented | Unparsed {
  try {
    const walk = new Walk(source, type, HANDLERS, further.statements ? statementSites() : undefined);
    const isModule = further.module === true && (type === 'module' || type === 'commonjs');
    // A module that may wait has sites between any two statements. Sites at statements are also in those that the tree of the
    // fast parser says to be without any.
    const isWhole = isModule && source.includes('await');
    const quick = further.statements ? undefined : fast(source, type, isWhole);
    const program = quick ?? (parse(source, type) as AnyNode);
    if (type === 'script') walk.wrapper = wrapperOf(program);
    const url = sourceMappingURL(source);
    // A compiler that runs with the program puts its map into the text: Node shows the author's line then.
    const isMapped = url?.startsWith('data:') === true;
    if (type === 'module' && !isMapped && source.includes('await')) walk.keptLines = awaitedLines(program, walk.lines);
    if (isModule) enterModule(walk, program);
    else walk.visit(program);
    const ordered = { lines: walk.lines, ...inOrder(walk) };
    // Before the edits: these may take the place of the tree.
    const functions = describe(ordered);
    return {
      ...written(ordered, program),
      functions,
      mayImport: walk.mayImport,
      hasImport: walk.hasImport,
      ...(url === undefined ? {} : { sourceMappingURL: url }),
    };
  } catch (error) {
    const { message, loc } = error as { message?: unknown; loc?: { line: number; column: number } };
    const { line, column } = loc ?? { line: 1, column: 0 };
    return { unparsed: String(message).replace(` (${line}:${column})`, ''), line, column: column + 1 };
  }
}

const written = (decided: Decided, program: AnyNode): Pick<Instrumented, 'edits' | 'assemble'> =>
  (program instanceof TreeNode ? writeEditsFast(program.tree.parser, decided) : undefined) ?? { edits: writeEdits(decided) };

function describe({ found, lines }: Decided): JsFunction[] {
  const places = found.map(({ name, placed, start }) => {
    const line = lines.line(start);
    return { name, placed, line: line + 1, column: lines.column(start, line) + 1 };
  });
  withLines(places);
  return found.map((one, i) => {
    const { line, column, name } = places[i] as (typeof places)[number];
    const { repack, imports, reason, statements } = one;
    const told: JsFunction = {
      start: one.start,
      end: one.node.end,
      line,
      column,
      name,
      kind: FUNCTION_KIND[one.kind],
      params: namesOf(one.params),
      hasThis: one.passesThis,
    };
    // Most functions have none of these.
    if (repack === undefined && imports === undefined && reason === undefined && statements.length === 0) return told;
    return {
      ...told,
      ...(repack !== undefined && { repack }),
      ...(imports && { imports }),
      ...(reason === undefined && statements.length > 0 && { statements: statementsText(one) }),
      ...(reason === undefined ? {} : { reason }),
    };
  });
}

const NO_NAMES: readonly string[] = [];

const namesOf = (nodes: readonly AnyNode[]): readonly string[] => (nodes.length === 0 ? NO_NAMES : nodes.map(({ name }) => name));

function statementsText({ statements, passesThis, start }: Found): string {
  return encodeStatements(
    statements.map(({ from, to, names }) => ({
      from: from - start,
      to: to - start,
      names: [...(passesThis ? ['this'] : []), ...names.map(({ name }) => name)],
    })),
  );
}

/** The URL of the last `//# sourceMappingURL=` comment of `source`, as written; data URLs too. */
function sourceMappingURL(source: string): string | undefined {
  const mark = 'sourceMappingURL=';
  const at = source.lastIndexOf(mark);
  if (at < 4 || !/^\/[/*][#@]\s$/.test(source.slice(at - 4, at))) return undefined;
  return /^[^\s'"*]+/.exec(source.slice(at + mark.length))?.[0];
}
