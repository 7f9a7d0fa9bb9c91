import type { Flow } from './code-scope.js';
import { lastPlace, mayBeThenable } from './frame-places.js';
import { visitValue } from './insert.js';
import type { AnyNode } from './parse.js';
import { inFlow } from './sites.js';
import { couldContinue, lastStatement } from './statements.js';
import type { Walk } from './walk.js';

/** Inserts the exit before a `return`, or notes the return for the `finally` that it must run through first. */
export function enterReturn(walk: Walk, node: AnyNode): void {
  if (!walk.context.found || !walk.carriesSites) {
    walk.visitChildren(node);
    return;
  }
  const closed = walk.source[node.end - 1] === ';';
  const argument = node['argument'] as AnyNode | null;
  if (argument) returnValue(walk, node, argument, !closed && couldContinue(walk.source, node.end));
  else returnNothing(walk, node);
}

function returnValue(walk: Walk, node: AnyNode, argument: AnyNode, needsBraces: boolean): void {
  const { context } = walk;
  const waitsFor = context.finallys.at(-1);
  if (needsBraces) walk.insert(node.start, 'blockOpen');
  walk.insert(argument.start, waitsFor ? 'pendingValue' : 'value');
  walk.ancestors.push(node);
  visitValue(walk, argument);
  walk.ancestors.pop();
  if (context.flow === 'async' || context.flow === 'async-generator') noteResolve(walk, node);
  if (waitsFor) walk.insert(argument.end, 'pendingClose', waitsFor);
  else {
    walk.insert(argument.end, inFlow(context.flow, 'exitValue'));
    if (context.found) context.found.needsValue = true;
  }
  if (needsBraces) walk.insert(node.end, 'blockClose');
}

/**
 * An async generator waits for the value at once, an async function resolves its promise with it behind the guard around the
 * body.
 */
function noteResolve(walk: Walk, { start, argument }: AnyNode): void {
  const { context, source } = walk;
  if (!mayBeThenable(argument)) return;
  const place = lastPlace(source, argument, start);
  if (context.flow === 'async') context.found?.resolves.push(endOfFinallys(walk) ?? place);
  else walk.insertPlace(argument.end, place);
}

/** The last place in the outermost `finally` that a return from here runs through; undefined without one. */
function endOfFinallys({ ancestors, context, source }: Walk): number | undefined {
  if (context.finallys.length === 0) return undefined;
  const inside = ancestors.slice(ancestors.indexOf(context.found?.node.body));
  const outermost = inside.find(({ type, finalizer }) => type === 'TryStatement' && finalizer);
  const last = outermost && lastStatement(outermost.finalizer);
  return last?.type === 'ExpressionStatement' ? lastPlace(source, last.expression, last.start) : last?.start;
}

/** Whether the exit of a `return` without a value is before it, and not a part of it. */
export const exitsBefore = (source: string, node: AnyNode, flow: Flow): boolean =>
  !node.argument && (flow === 'async-generator' || (source[node.end - 1] !== ';' && couldContinue(source, node.end)));

/** In an async generator, `return undefined` takes one tick more than `return`: the site comes before it. */
function returnNothing(walk: Walk, node: AnyNode): void {
  const { context } = walk;
  const waitsFor = context.finallys.at(-1);
  if (!exitsBefore(walk.source, node, context.flow)) {
    const after = node.start + 'return'.length;
    if (waitsFor) walk.insert(after, 'pendingVoid', waitsFor);
    else walk.insert(after, inFlow(context.flow, 'exitVoid'));
    return;
  }
  walk.insert(node.start, 'blockOpen');
  if (waitsFor) walk.insert(node.start, 'pending', waitsFor);
  else walk.insert(node.start, inFlow(context.flow, 'exit'));
  walk.insert(node.end, 'blockClose');
}
