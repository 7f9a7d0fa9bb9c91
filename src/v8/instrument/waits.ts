import type { PieceName } from '../text/pieces.js';
import type { CodeScope } from './code-scope.js';
import { childrenOf, isFunction } from './declared-names.js';
import { lastPlace, placeOfWait } from './frame-places.js';
import type { LineCounter } from './lines.js';
import type { AnyNode } from './parse.js';
import { couldContinue } from './statements.js';
import type { Walk } from './walk.js';

/** Evaluating these calls nothing that could be traced. */
export const CALLS_NOTHING = new Set(['Identifier', 'Literal', 'ThisExpression']);

/** An `await`, `yield` or `yield*`: the function leaves the graph before it, and comes back into it after. */
export function enterWait(walk: Walk, node: AnyNode): void {
  const { context } = walk;
  if (!context.found || !walk.carriesSites || endsByLineBreakAlone(walk, node)) {
    walk.visitChildren(node);
    return;
  }
  const isStatement = walk.parent()?.type === 'ExpressionStatement';
  context.found.needsValue = true;
  if (node.argument) waitFor(walk, node, isStatement);
  else waitForNothing(walk, node, isStatement);
  walk.insert(node.end, node.type === 'AwaitExpression' ? 'resumeAsync' : 'resumeGenerator');
  if (context.protectedDepth > 0) walk.insert(node.end, 'retake');
  if (!isStatement) walk.insert(node.end, 'result');
}

function waitFor(walk: Walk, node: AnyNode, isStatement: boolean): void {
  const { context } = walk;
  const { argument } = node;
  if (!isStatement) walk.insert(node.start, 'value');
  const place = context.flow === 'generator' ? undefined : placeOfWait(node, walk.ancestors);
  const before = CALLS_NOTHING.has(argument.type);
  if (before && place !== undefined) walk.insertPlace(argument.start, place);
  walk.insert(argument.start, before ? protectedForm(context, 'suspendBefore') : 'value');
  walk.visitChildren(node);
  if (!before && place !== undefined) walk.insertPlace(argument.end, lastPlace(walk.source, argument, place));
  if (before) walk.insert(argument.end, 'listClose');
  else walk.insert(argument.end, protectedForm(context, node.type === 'AwaitExpression' ? 'suspendOperand' : 'suspendYield'));
}

function waitForNothing(walk: Walk, node: AnyNode, isStatement: boolean): void {
  walk.insert(node.start, protectedForm(walk.context, isStatement ? 'suspendBareStatement' : 'suspendBare'));
}

type Protectable = 'suspendBefore' | 'suspendOperand' | 'suspendYield' | 'suspendBare' | 'suspendBareStatement';

/** The depth that a `try` noted is not valid while the function is suspended. */
function protectedForm(context: CodeScope, piece: Protectable): PieceName {
  return context.protectedDepth > 0 ? `${piece}Try` : piece;
}

/** Whether the statement ends right after `node` only because the next line could not continue it: with `)` it could. */
function endsByLineBreakAlone(walk: Walk, node: AnyNode): boolean {
  let inner = node;
  for (let above = 1; ; above++) {
    const outer = walk.parent(above);
    if (!outer || outer.end !== inner.end) return false;
    if (/Statement$|^VariableDeclaration$/.test(outer.type)) return couldContinue(walk.source, node.end);
    inner = outer;
  }
}

/** A statement that begins with a wait begins with `(` then, which could continue the line before: a name goes first. */
export function enterExpressionStatement(walk: Walk, node: AnyNode): void {
  if (walk.context.found && walk.context.flow !== 'sync' && walk.carriesSites && leadsWithWait(node))
    walk.insert(node.start, 'lead');
  walk.visitChildren(node);
}

function leadsWithWait(statement: AnyNode): boolean {
  let first = statement.expression as AnyNode | undefined;
  if (isWait(first)) return false;
  while (first && !isWait(first)) first = first.type === 'SequenceExpression' ? first.expressions[0] : (first.left ?? first.test);
  return first?.start === statement.start;
}

function isWait(node: AnyNode | undefined): boolean {
  return node?.type === 'AwaitExpression' || node?.type === 'YieldExpression';
}

/** The most UTF-16 units of a line that is left as it is: longer ones come from a bundler, and hold whole programs. */
const LONGEST = 256;

/**
 * The lines (from 0) with a top-level `await` of a module. Node prints such a line, as V8 has it, below the warning that this
 * `await` was never settled; so no site may stand on it.
 */
export function awaitedLines(program: AnyNode, lines: LineCounter): ReadonlySet<number> {
  const found = new Set<number>();
  const add = (from: number, to: number): void => {
    for (let line = lines.line(from), last = lines.line(to); line <= last; line++) {
      if (lines.length(line) <= LONGEST) found.add(line);
    }
  };
  // A `break` out of `for await` waits for the iterator to close.
  const visit = (node: AnyNode, jumpsWait: boolean): void => {
    if (isFunction(node)) return;
    const { type, start, end } = node;
    if (type === 'AwaitExpression') add(start, start);
    if (jumpsWait && (type === 'BreakStatement' || type === 'ContinueStatement')) add(start, end);
    const isLoop = type === 'ForOfStatement' && node.await;
    if (isLoop) add(start, node.left.end);
    for (const child of childrenOf(node)) visit(child, jumpsWait || isLoop);
  };
  visit(program, false);
  return found;
}
