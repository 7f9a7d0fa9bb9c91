import { GIVEN } from '../text/caught.js';
import type { Flow } from './code-scope.js';
import { insertAtEnd } from './insert.js';
import type { AnyNode } from './parse.js';
import { CAUGHT_FORM, inFlow, UNWIND } from './sites.js';
import { canReachEnd } from './statements.js';
import type { Walk } from './walk.js';

/**
 * `try` notes the depth of the shadow stack, `catch` and `finally` unwind to it; `catch` hands over what it has caught. A return
 * that runs through a `finally` exits at the end of the outermost one: until then it is a number, that of the `finally` it waits
 * for, so that a break, a return or an exception in one of them overrides it.
 */
export function enterTry(walk: Walk, node: AnyNode): void {
  const { context } = walk;
  if (!walk.carriesSites || !context.holdsVariables || (!context.found && touchesKept(walk, node))) {
    walk.visitChildren(node);
    return;
  }
  const number = node.finalizer && context.found ? ++context.tries : 0;
  walk.inside(node, () => {
    const { finallys } = context;
    if (number) context.finallys = [...finallys, number];
    visitBlock(walk, node);
    if (node.handler) visitHandler(walk, node);
    context.finallys = finallys;
    if (node.finalizer) visitFinalizer(walk, node.finalizer, number);
  });
}

/** Whether a `try` outside of functions would have a piece on a line that is kept. */
function touchesKept(walk: Walk, { block, handler, finalizer }: AnyNode): boolean {
  return [block, handler?.body, finalizer].some((part) => part && walk.isKept(part.start));
}

function visitBlock(walk: Walk, node: AnyNode): void {
  const { context } = walk;
  const number = context.finallys.at(-1);
  if (node.finalizer && number) walk.insert(node.block.start + 1, 'tryFinally', number);
  else walk.insert(node.block.start + 1, 'try');
  context.protectedDepth++;
  walk.visitChildren(node.block);
  context.protectedDepth--;
}

function visitHandler(walk: Walk, node: AnyNode): void {
  const { context } = walk;
  const shielded = node.finalizer ? 1 : 0;
  walk.inside(node.handler, () => {
    walk.visit(node.handler.param);
    insertCaught(walk, node.handler);
    context.protectedDepth += shielded;
    walk.visit(node.handler.body);
    context.protectedDepth -= shielded;
  });
}

function visitFinalizer(walk: Walk, finalizer: AnyNode, number: number): void {
  const { context } = walk;
  insertUnwind(walk, finalizer);
  walk.visitChildren(finalizer);
  if (!number || !canReachEnd(finalizer)) return;
  const outer = context.finallys.at(-1);
  if (outer) insertAtEnd(walk, finalizer, 'finallyPending', number, outer);
  else insertAtEnd(walk, finalizer, inFlow(context.flow, 'finallyExit'), number);
}

/** A pattern has no name for all of what was caught; a catch without a parameter is given one. */
function insertCaught(walk: Walk, { param, body }: AnyNode): void {
  const form = CAUGHT_FORM[flowOf(walk)];
  if (!param) walk.insert(body.start, 'catchParameter');
  walk.insertCaught(body.start + 1, param ? form : form + GIVEN, param?.type === 'Identifier' ? param : undefined);
}

const flowOf = ({ context }: Walk): Flow => (context.found ? context.flow : 'sync');

function insertUnwind(walk: Walk, block: AnyNode): void {
  walk.insert(block.start + 1, UNWIND[flowOf(walk)]);
}
