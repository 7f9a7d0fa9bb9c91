import type { NoSiteReason } from '../../arch.js';
import { insertAtEnd } from './block-end.js';
import { type Context, createContext, type Found, flowOf } from './context.js';
import { definitionOf, kindOf } from './kinds.js';
import { nameFunction } from './names.js';
import { parameterNames } from './params.js';
import type { AnyNode } from './parse.js';
import { EXIT, EXIT_VALUE } from './sites.js';
import { canComplete, isSeparated } from './statements.js';
import type { Walk } from './walk.js';

/** Lists a function, and puts its entry and its end into it. */
export function enterFunction(walk: Walk, node: AnyNode): void {
  const found = describe(walk, node);
  walk.found.push(found);
  const flow = flowOf(node);
  const context = createContext(walk.context, {
    owner: walk.found.length - 1, found, flow, arrow: node.type === 'ArrowFunctionExpression',
  });
  const asm = found.reason === 'asm' ? 1 : 0;
  walk.asmDepth += asm;
  walk.inside(node, () => {
    walk.within(context, () => {
      for (const param of node.params) walk.visit(param);
      if (node.body.type === 'BlockStatement') visitBlockBody(walk, node, found);
      else visitExpressionBody(walk, node.body, found);
    });
  });
  walk.asmDepth -= asm;
}

function describe(walk: Walk, node: AnyNode): Found {
  const parent = walk.parent();
  const definition = definitionOf(node, parent);
  const heritage = parent?.type === 'MethodDefinition' ? walk.parent(3)?.superClass : undefined;
  const kind = kindOf(node, definition, heritage);
  return {
    node, kind, start: (definition ?? node).start, params: parameterNames(node), ...nameFunction(walk, node, definition),
    passesThis: node.type !== 'ArrowFunctionExpression' && kind !== 'derived-constructor', needsValue: false,
    reason: reasonAgainst(walk, node),
  };
}

function reasonAgainst(walk: Walk, node: AnyNode): NoSiteReason | undefined {
  if (walk.withDepth > 0) return 'with';
  if (walk.asmDepth > 0 || directives(node.body).some((statement) => statement.directive === 'use asm')) return 'asm';
  return undefined;
}

function directives(body: AnyNode): AnyNode[] {
  if (body.type !== 'BlockStatement') return [];
  const end = body.body.findIndex((statement: AnyNode) => statement.directive === undefined);
  return end < 0 ? body.body : body.body.slice(0, end);
}

function visitBlockBody(walk: Walk, node: AnyNode, found: Found): void {
  const body = node.body as AnyNode;
  if (found.reason === undefined) insertEntry(walk, body);
  walk.visitChildren(body);
  if (found.reason === undefined && canComplete(body.body)) insertAtEnd(walk, body, EXIT[walk.context.flow]);
}

/** After the directives: before them would end the prologue. */
function insertEntry(walk: Walk, body: AnyNode): void {
  const { source } = walk;
  const owner = walk.context.owner;
  const prologue = directives(body);
  const last = prologue.at(-1);
  if (last === undefined) return walk.insert(body.start + 1, 'entry', owner);
  const next = body.body[prologue.length]?.start ?? body.end - 1;
  if (source[last.end - 1] === ';') walk.insert(last.end, 'entry', owner);
  else {
    if (!isSeparated(source, last, next)) walk.insert(next, 'semicolon');
    walk.insert(next, 'entry', owner);
  }
}

function visitExpressionBody(walk: Walk, body: AnyNode, found: Found): void {
  if (found.reason !== undefined) return walk.visit(body);
  walk.insert(body.start, 'entry', walk.context.owner);
  found.needsValue = true;
  walk.visit(body);
  walk.insert(body.end, EXIT_VALUE[walk.context.flow]);
  walk.insert(body.end, 'blockClose');
}

/** Notes that the current function uses `this`: an arrow may pass it then, unless a constructor may not have it yet. */
export function useThis(walk: Walk): void {
  let context: Context | undefined = walk.context;
  const arrows: Found[] = [];
  for (; context?.arrow; context = context.parent) if (context.found) arrows.push(context.found);
  if (context?.found?.kind === 'derived-constructor') return;
  for (const arrow of arrows) arrow.passesThis = true;
}
