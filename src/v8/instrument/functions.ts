import type { FunctionKind, NoSiteReason } from '../js-text.js';
import { directives, visitBlockBody, visitExpressionBody } from './bodies.js';
import { type CodeScope, createScope, type Flow, type Found, flowOf } from './code-scope.js';
import { isEager } from './eager.js';
import { nameFunction } from './names.js';
import { parameterNames } from './params.js';
import type { AnyNode } from './parse.js';
import { repackText } from './repack.js';
import type { Walk } from './walk.js';
import { isExportGetter } from './wrapper.js';

/** The list of a function that can have none of what it lists. */
const NONE: never[] = [];

const METHOD_KINDS = { get: 'getter', set: 'setter', method: 'method', init: 'method' } as const;

/** What `func` is; `definition` is its method definition or property, `around` what may be its class. */
function kindOf(func: AnyNode, flow: Flow, definition: AnyNode | undefined, around: AnyNode | undefined): FunctionKind {
  if (flow !== 'sync') return flow;
  if (func.type === 'ArrowFunctionExpression') return 'arrow';
  if (!definition) return 'function';
  if (definition.kind === 'constructor') return around?.superClass ? 'derived-constructor' : 'constructor';
  return METHOD_KINDS[definition.kind as keyof typeof METHOD_KINDS];
}

/** The method definition or property that `func` is the body of, when `parent` is one. */
function definitionOf(func: AnyNode, parent: AnyNode | undefined): AnyNode | undefined {
  if (parent?.type === 'MethodDefinition') return parent.value === func ? parent : undefined;
  if (parent?.type !== 'Property' || parent.value !== func) return undefined;
  return parent.method || parent.kind !== 'init' ? parent : undefined;
}

/** Lists a function, and inserts its entry and its end. */
export function enterFunction(walk: Walk, node: AnyNode): void {
  if (node === walk.wrapper || isExportGetter(walk.parent(), walk.parent(3))) {
    walk.within(createScope(walk.context, { arrow: node.type === 'ArrowFunctionExpression', holdsVariables: true }), () =>
      walk.visitChildren(node),
    );
    return;
  }
  const flow = flowOf(node);
  const found = describe(walk, node, flow);
  walk.found.push(found);
  const context = createScope(walk.context, {
    owner: walk.found.length - 1,
    found,
    flow,
    arrow: node.type === 'ArrowFunctionExpression',
  });
  const asm = found.reason === 'asm' ? 1 : 0;
  walk.asmDepth += asm;
  const around = walk.context;
  walk.context = context;
  walk.ancestors.push(node);
  visitFunction(walk, node, found);
  walk.ancestors.pop();
  walk.context = around;
  walk.asmDepth -= asm;
}

/** Visits what is in a function. Names alone, the parameters of most, have no site. */
function visitFunction(walk: Walk, node: AnyNode, { reason }: Found): void {
  if (node['isSimple'] !== true) for (const param of node['params']) walk.visit(param);
  const body = node['body'] as AnyNode;
  const eager = isEager(node, walk.parent(2));
  if (reason !== undefined) walk.visit(body);
  else if (body.type === 'BlockStatement') visitBlockBody(walk, body, eager);
  else visitExpressionBody(walk, body, eager);
}

function describe(walk: Walk, node: AnyNode, flow: Flow): Found {
  const parent = walk.parent();
  const definition = definitionOf(node, parent);
  const kind = kindOf(node, flow, definition, walk.parent(3));
  const params = parameterNames(node);
  const { name, placed } = nameFunction(walk, node, definition);
  const found: Found = {
    node,
    kind,
    start: (definition ?? node).start,
    params,
    repack: node['isSimple'] === true ? undefined : repackText(node, params),
    name,
    placed,
    passesThis: false,
    isPartOfExpression: isPartOfExpression(node, parent, walk.parent(3)),
    needsValue: false,
    reason: reasonAgainst(walk, node),
    resolves: kind === 'async' ? [] : NONE,
    statements: walk.hasStatementSites ? [] : NONE,
  };
  // Not above: V8 would take a field that is given one value only for a constant, and compile all anew after the second one.
  found.passesThis = node.type !== 'ArrowFunctionExpression' && kind !== 'derived-constructor';
  return found;
}

function isPartOfExpression({ type }: AnyNode, parent: AnyNode | undefined, classAround: AnyNode | undefined): boolean {
  return type !== 'FunctionDeclaration' && !(parent?.type === 'MethodDefinition' && classAround?.type === 'ClassDeclaration');
}

const NAME_HELPER = /^__name\d*$/;

function reasonAgainst(walk: Walk, node: AnyNode): NoSiteReason | undefined {
  if (walk.withDepth > 0) return 'with';
  if (walk.asmDepth > 0 || isAsm(node.body)) return 'asm';
  return isNameHelper(node, walk.parent()) ? 'helper' : undefined;
}

function isAsm(body: AnyNode): boolean {
  return body['hasPrologue'] !== false && directives(body).some(({ directive }) => directive === 'use asm');
}

/**
 * esbuild's `__name = (target, value) => __defProp(target, "name", ...)`: tsx puts it before every text, and it runs for each
 * function that is a value.
 */
function isNameHelper(func: AnyNode, parent: AnyNode | undefined): boolean {
  if (parent?.type !== 'VariableDeclarator' || !NAME_HELPER.test(parent.id.name ?? '')) return false;
  const { params, body } = func;
  return params.length === 2 && body.type === 'CallExpression' && body.arguments[1]?.value === 'name';
}

/** Notes that the current function uses `this`: an arrow may pass it then, unless a constructor may not have it yet. */
export function useThis(walk: Walk): void {
  let context: CodeScope | undefined = walk.context;
  const arrows: Found[] = [];
  for (; context?.arrow; context = context.parent) if (context.found) arrows.push(context.found);
  if (context?.found?.kind === 'derived-constructor') return;
  for (const arrow of arrows) arrow.passesThis = true;
}
