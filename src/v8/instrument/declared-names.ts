import type { VisibleVariable } from '../../ftrace/text.js';
import { boundNames } from './bound-names.js';
import { CHILDREN } from './children.js';
import { type AnyNode, parse, type SourceType } from './parse.js';

/** A source is read as the first of these that it is: names mean the same in all. */
const TYPES: readonly SourceType[] = ['commonjs', 'module', 'async-body', 'script'];

const FUNCTIONS: ReadonlySet<string> = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
export const isFunction = ({ type }: AnyNode): boolean => FUNCTIONS.has(type);

/** A function of the source, as TextFunction has it: a method begins before its parameters. */
export interface FunctionSpan {
  readonly start: number;
  readonly end: number;
}

/** A name, and up to where in the source it has no value yet; 0: it has one from the start. */
export interface Declared extends VisibleVariable {
  readonly until: number;
}

export const childrenOf = (node: AnyNode): readonly AnyNode[] =>
  (CHILDREN[node.type] ?? []).flatMap((field) => node[field] ?? []).filter((child: AnyNode | null) => child !== null);

/** A source as the first kind of text that it is; undefined if it is none. */
export function readAs(source: string): AnyNode | undefined {
  for (const type of TYPES) {
    try {
      return parse(source, type) as AnyNode;
    } catch {
      // It is another type.
    }
  }
  return undefined;
}

/** The nodes with scopes from the outermost to the function; without the program, whose names are the module's. */
export function pathTo(program: AnyNode, { start, end }: FunctionSpan): readonly AnyNode[] {
  const path: AnyNode[] = [];
  let node: AnyNode | undefined = program;
  while (node !== undefined) {
    if (node !== program) path.push(node);
    if (isFunction(node) && node.start >= start && node.end === end) return path;
    node = childrenOf(node).find((child) => child.start <= start && child.end >= end) ?? behind(node, start, end);
  }
  return [];
}

/** The function of a method begins behind its name, and the value of a property behind its key. */
const behind = (node: AnyNode, start: number, end: number): AnyNode | undefined =>
  childrenOf(node).find((child) => child.start >= start && child.end === end);

export const parametersOf = (func: AnyNode): readonly Declared[] =>
  func.params.flatMap(boundNames).map(({ name }: AnyNode): Declared => ({ name, kind: 'parameter', until: 0 }));

/** What a node declares for the code inside of it, `var` left out unless the node is a function. */
export function declaredIn(node: AnyNode): readonly Declared[] {
  switch (node.type) {
    case 'BlockStatement':
    case 'StaticBlock':
      return node.body.flatMap(declaredBy);
    case 'SwitchStatement':
      return node.cases.flatMap((one: AnyNode) => one.consequent.flatMap(declaredBy));
    case 'ForStatement':
      return node.init === null ? [] : declaredBy(node.init);
    case 'ForInStatement':
    case 'ForOfStatement':
      return declaredBy(node.left).map((one) => ({ ...one, until: node.body.start }));
    case 'CatchClause':
      return boundNames(node.param).map(({ name }) => ({ name, kind: 'catch', until: 0 }));
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return [...parametersOf(node), ...hoisted(node.body)];
    default:
      return [];
  }
}

/** What a statement declares for its block. */
export function declaredBy(node: AnyNode): readonly Declared[] {
  switch (node.type) {
    case 'VariableDeclaration':
      if (node.kind === 'var') return [];
      return node.declarations.flatMap(({ id, end }: AnyNode) =>
        boundNames(id).map(({ name }): Declared => ({ name, kind: node.kind, until: end })),
      );
    case 'ClassDeclaration':
      return [{ name: node.id?.name ?? 'default', kind: 'class', until: node.end }];
    case 'FunctionDeclaration':
      return [{ name: node.id?.name ?? 'default', kind: 'function', until: 0 }];
    case 'ImportDeclaration':
      return node.specifiers.map(({ local }: AnyNode): Declared => ({ name: local.name, kind: 'import', until: 0 }));
    case 'ExportNamedDeclaration':
    case 'ExportDefaultDeclaration':
      return node.declaration ? declaredBy(node.declaration) : [];
    default:
      return [];
  }
}

/** The `var`s of a function's body, or of a program. */
export function hoisted(body: AnyNode): readonly Declared[] {
  const found: Declared[] = [];
  const look = (node: AnyNode): void => {
    if (isFunction(node)) return;
    if (node.type === 'VariableDeclaration' && node.kind === 'var') {
      for (const { id } of node.declarations) for (const { name } of boundNames(id)) found.push({ name, kind: 'var', until: 0 });
    }
    for (const child of childrenOf(node)) look(child);
  };
  look(body);
  return found;
}

/** What stands outside of all functions. */
export const declaredOutside = (program: AnyNode): readonly Declared[] => [
  ...program.body.flatMap(declaredBy),
  ...hoisted(program),
];

/** Module variables that V8 keeps: what some function uses, and what others can import. */
export function moduleVariables(program: AnyNode): readonly VisibleVariable[] {
  const used = new Set<string>(program.body.flatMap(exported));
  const look = (node: AnyNode): void => {
    if (isFunction(node)) for (const name of namesIn(node)) used.add(name);
    else for (const child of childrenOf(node)) look(child);
  };
  look(program);
  return declaredOutside(program)
    .filter(({ name }) => used.has(name))
    .map(({ name, kind }) => ({ name, kind: `module ${kind}` }));
}

/** The names that a statement exports. */
function exported(node: AnyNode): readonly string[] {
  if (node.type !== 'ExportNamedDeclaration' && node.type !== 'ExportDefaultDeclaration') return [];
  const listed = (node.specifiers ?? []).map(({ local }: AnyNode) => local.name);
  const declared = node.declaration?.type === 'VariableDeclaration' ? node.declaration.declarations : [];
  return [
    ...listed,
    ...declared.flatMap(({ id }: AnyNode) => boundNames(id).map(({ name }) => name)),
    node.declaration?.id?.name,
  ];
}

/** The identifiers that a function's text has, with `this`. */
export function namesIn(func: AnyNode): ReadonlySet<string> {
  const names = new Set<string>();
  const look = (node: AnyNode): void => {
    if (node.type === 'Identifier') names.add(node.name);
    if (node.type === 'ThisExpression') names.add('this');
    for (const child of childrenOf(node)) look(child);
  };
  for (const child of childrenOf(func)) look(child);
  return names;
}
