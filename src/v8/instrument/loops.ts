import type { CodeScope, JumpTarget } from './code-scope.js';
import { insertAtEnd, visitValue } from './insert.js';
import type { AnyNode } from './parse.js';
import { isEnded } from './statements.js';
import { CALLS_NOTHING } from './waits.js';
import type { Walk } from './walk.js';

/** A statement that an unlabelled `break` leaves. */
export function enterBreakable(walk: Walk, node: AnyNode): void {
  if (node.type === 'ForOfStatement' && node.await && walk.context.found && walk.carriesSites) enterForAwait(walk, node);
  else withTarget(walk.context, node.type === 'SwitchStatement' ? SWITCH : LOOP, () => walk.visitChildren(node));
}

const NONE: readonly string[] = [];
const LOOP = { breaks: true, continues: true, forAwait: false };
const FOR_AWAIT = { breaks: true, continues: true, forAwait: true };
const SWITCH = { breaks: true, continues: false, forAwait: false };
const BLOCK = { breaks: false, continues: false, forAwait: false };

/** A labelled statement: its label is a target for the statements in it. */
export function enterLabeled(walk: Walk, node: AnyNode): void {
  const { context } = walk;
  context.labels = [...context.labels, node.label.name];
  if (/^(For|While|DoWhile|Labeled|Switch)/.test(node.body.type)) walk.visitChildren(node);
  else withTarget(context, BLOCK, () => walk.visitChildren(node));
}

function withTarget(context: CodeScope, kind: Omit<JumpTarget, 'labels'>, body: () => void): void {
  const { targets, labels } = context;
  context.targets = [...targets, { labels, ...kind }];
  context.labels = NONE;
  body();
  context.targets = targets;
}

/**
 * `for await`: suspended while the next value is awaited, that is, from the end of the head and of each turn to the beginning
 * of the next turn, or to the end of the loop.
 */
function enterForAwait(walk: Walk, node: AnyNode): void {
  const { context } = walk;
  if (!standsInList(walk)) {
    withTarget(context, LOOP, () => walk.visitChildren(node));
    return;
  }
  // Of what is not iterable V8's message has the words of the source, if nothing stands between the two.
  const isBefore = CALLS_NOTHING.has(node.right.type) && walk.parent()?.type !== 'LabeledStatement';
  if (isBefore) walk.insert(node.start, context.protectedDepth > 0 ? 'suspendTry' : 'suspend');
  if (context.found) context.found.needsValue = true;
  walk.inside(node, () => {
    walk.visit(node.left);
    if (isBefore) walk.visit(node.right);
    else {
      walk.insert(node.right.start, 'value');
      visitValue(walk, node.right);
      walk.insert(node.right.end, context.protectedDepth > 0 ? 'suspendOperandTry' : 'suspendOperand');
    }
    withTarget(context, FOR_AWAIT, () => visitTurn(walk, node.body));
  });
  walk.insert(node.end, 'resume');
}

function visitTurn(walk: Walk, body: AnyNode): void {
  if (body.type === 'BlockStatement') {
    walk.insert(body.start + 1, 'resume');
    walk.visitChildren(body);
    insertAtEnd(walk, body, 'suspend');
    return;
  }
  walk.insert(body.start, 'blockOpen');
  walk.insert(body.start, 'resume');
  walk.visit(body);
  if (!isEnded(walk.source, body)) walk.insert(body.end, 'semicolon');
  walk.insert(body.end, 'suspend');
  walk.insert(body.end, 'blockClose');
}

/** Whether a statement may follow `node`, or the labels before it. */
function standsInList(walk: Walk): boolean {
  let above = 1;
  while (walk.parent(above)?.type === 'LabeledStatement') above++;
  return /^(BlockStatement|Program|StaticBlock|SwitchCase)$/.test(walk.parent(above)?.type ?? '');
}

/** A `break` or `continue` of a `for await` makes it wait: for the next value, or for the iterator to close. */
export function enterJump(walk: Walk, node: AnyNode): void {
  const leaves = (target: JumpTarget) =>
    node.label ? target.labels.includes(node.label.name) : node.type === 'BreakStatement' ? target.breaks : target.continues;
  if (!walk.context.targets.findLast(leaves)?.forAwait || !walk.carriesSites) return;
  walk.insert(node.start, 'blockOpen');
  walk.insert(node.start, 'suspend');
  walk.insert(node.end, 'blockClose');
}
