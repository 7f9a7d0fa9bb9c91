import type { AnyNode } from './parse.js';
import { EXIT, EXIT_VALUE, EXIT_VOID } from './sites.js';
import { couldContinue } from './statements.js';
import { visitValue } from './values.js';
import type { Walk } from './walk.js';

/** Puts the exit before a `return` leaves, or notes the return for the `finally` that it has to run through first. */
export function enterReturn(walk: Walk, node: AnyNode): void {
  if (!walk.context.found || !walk.carriesSites) return walk.visitChildren(node);
  const closed = walk.source[node.end - 1] === ';';
  if (node.argument) returnValue(walk, node, !closed && couldContinue(walk.source, node.end));
  else returnNothing(walk, node, !closed && couldContinue(walk.source, node.end));
}

function returnValue(walk: Walk, node: AnyNode, needsBraces: boolean): void {
  const { context } = walk;
  const waitsFor = context.finallys.at(-1);
  if (needsBraces) walk.insert(node.start, 'blockOpen');
  walk.insert(node.argument.start, waitsFor ? 'pendingValue' : 'value');
  walk.inside(node, () => visitValue(walk, node.argument));
  if (waitsFor) walk.insert(node.argument.end, 'pendingClose', waitsFor);
  else {
    walk.insert(node.argument.end, EXIT_VALUE[context.flow]);
    if (context.found) context.found.needsValue = true;
  }
  if (needsBraces) walk.insert(node.end, 'blockClose');
}

/** In an async generator `return undefined` takes a tick more than `return`: the site stands before it. */
function returnNothing(walk: Walk, node: AnyNode, needsBraces: boolean): void {
  const { context } = walk;
  const waitsFor = context.finallys.at(-1);
  if (!needsBraces && context.flow !== 'async-generator') {
    const after = node.start + 'return'.length;
    if (waitsFor) walk.insert(after, 'pendingVoid', waitsFor);
    else walk.insert(after, EXIT_VOID[context.flow]);
    return;
  }
  walk.insert(node.start, 'blockOpen');
  if (waitsFor) walk.insert(node.start, 'pending', waitsFor);
  else walk.insert(node.start, EXIT[context.flow]);
  walk.insert(node.end, 'blockClose');
}
