import type { CodeScope } from './code-scope.js';
import { keyName, lastName, pathOf } from './expression-names.js';
import type { AnyNode } from './parse.js';
import { joinSymbol, symbolPart } from './symbol-text.js';
import type { Walk } from './walk.js';

/** The origin of a value's name. A `placed` name comes only from a place, and needs its line to be unique. */
export interface NameOrigin {
  readonly name: string;
  readonly placed: boolean;
}

/** Named after its place: `at` is the index of the enclosing node in the walk's ancestors. */
type Placer = (walk: Walk, at: number, parent: AnyNode, child: AnyNode) => NameOrigin | undefined;

/** The origin of the name of the value `child`, whose parent is ancestor number `at`. */
export function placeOf(walk: Walk, at: number, child: AnyNode): NameOrigin {
  const parent = walk.ancestors[at];
  const placer = parent && PLACERS[parent.type];
  return (placer && parent && placer(walk, at, parent, child)) || place(walk, 'anonymous');
}

const outward: Placer = (walk, at, parent) => placeOf(walk, at - 1, parent);

const named = (name: string): NameOrigin | undefined => (name === '' ? undefined : { name: symbolPart(name), placed: false });

function place(walk: Walk, what: string): NameOrigin {
  return { name: joinSymbol(scopeName(walk), what), placed: true };
}

const PLACERS: Readonly<Record<string, Placer>> = {
  ParenthesizedExpression: outward,
  LogicalExpression: outward,
  SequenceExpression: outward,
  AwaitExpression: outward,
  ConditionalExpression: outward,
  SpreadElement: outward,
  ChainExpression: outward,
  VariableDeclarator: (_walk, _at, parent) => (parent.id.type === 'Identifier' ? named(parent.id.name) : undefined),
  AssignmentPattern: (_walk, _at, parent, child) =>
    parent.left.type === 'Identifier' && child === parent.right ? named(parent.left.name) : undefined,
  AssignmentExpression: assigned,
  Property: (walk, at, parent) => qualified(ownerOf(walk, at - 1), keyName(parent.key, parent.computed)),
  PropertyDefinition: (walk, at, parent) => ({
    name: joinSymbol(classNameAt(walk, at - 2), keyName(parent.key, parent.computed)),
    placed: false,
  }),
  ArrayExpression: (walk, at, parent) => {
    const around = placeOf(walk, at - 1, parent);
    return { name: around.name, placed: true };
  },
  ExportDefaultDeclaration: () => named('default'),
  ReturnStatement: (walk) => place(walk, 'return'),
  ArrowFunctionExpression: (walk, _at, parent, child) => (child === parent.body ? place(walk, 'return') : undefined),
  TemplateLiteral: outward,
  TaggedTemplateExpression: (walk, at, parent) => ({ name: placeOf(walk, at - 1, parent).name, placed: true }),
  CallExpression: called,
  NewExpression: called,
  MemberExpression: (walk, at, parent) => {
    const outer = walk.ancestors[at - 1];
    return outer?.type === 'CallExpression' && outer.callee === parent ? invoked(walk, at - 1, outer) : undefined;
  },
};

function assigned(walk: Walk, at: number, parent: AnyNode): NameOrigin {
  const path = pathOf(parent.left, selfName(walk, at));
  if (path !== '') return { name: path, placed: parent.left.type === 'MemberExpression' && isVariableKey(parent.left) };
  const outer = walk.ancestors[at - 1];
  if (outer?.type === 'AssignmentExpression' || outer?.type === 'VariableDeclarator') return placeOf(walk, at - 1, parent);
  return { name: 'module.exports', placed: false };
}

/** `handlers[name] = ...`: only the running program knows which one it is. */
function isVariableKey(member: AnyNode): boolean {
  return member.computed && member.property.type !== 'Literal' && !keyName(member.property, true).startsWith('@@');
}

function called(walk: Walk, at: number, parent: AnyNode, child: AnyNode): NameOrigin {
  if (parent.callee === child) return invoked(walk, at, parent);
  if (isNameKeeper(parent)) return placeOf(walk, at - 1, parent);
  const callee = pathOf(parent.callee, selfName(walk, at));
  const scope = scopeName(walk) || directOwner(walk, at);
  const what = scope === '' ? callee : lastName(callee);
  const literal = parent.arguments[0];
  const about = literal?.type === 'Literal' && typeof literal.value === 'string' ? symbolPart(literal.value) : '';
  return { name: joinSymbol(scope, what || 'callback', about), placed: true };
}

/** esbuild's `__name(() => {}, "load")`, as tsx has it around every function that is a value: it hands the function on. */
function isNameKeeper({ callee, arguments: [, name] }: AnyNode): boolean {
  return callee.type === 'Identifier' && /^__name\d*$/.test(callee.name) && name?.type === 'Literal';
}

/** A function that is called at once. `(function (Kind) {...})(Kind || (Kind = {}))` is named after Kind. */
function invoked(walk: Walk, at: number, call: AnyNode): NameOrigin {
  const filled = call.arguments[0];
  if (filled?.type === 'LogicalExpression' && call.arguments.length === 1) {
    const path = pathOf(filled.left, selfName(walk, at));
    if (path !== '') return { name: path, placed: false };
  }
  return { name: joinSymbol(scopeName(walk) || directOwner(walk, at), 'iife'), placed: true };
}

/** The owner of an object literal's functions: `at` is the literal's index in the walk's ancestors. */
export function ownerOf(walk: Walk, at: number): NameOrigin {
  const literal = walk.ancestors[at] as AnyNode;
  let around = at - 1;
  while (walk.ancestors[around]?.type === 'ParenthesizedExpression') around--;
  const parent = walk.ancestors[around];
  if (parent?.type === 'ReturnStatement' || (parent?.type === 'ArrowFunctionExpression' && around === at - 2)) {
    return { name: scopeName(walk), placed: false };
  }
  if (parent?.type === 'CallExpression' || parent?.type === 'NewExpression')
    return { name: argumentOwner(walk, around, parent, literal), placed: false };
  const owner = placeOf(walk, at - 1, literal);
  return owner.name === 'module.exports' ? { name: '', placed: false } : owner;
}

/** `Object.assign(Foo.prototype, {...})` fills Foo; the object of another call is named after the called function. */
function argumentOwner(walk: Walk, at: number, call: AnyNode, literal: AnyNode): string {
  const self = selfName(walk, at);
  const callee = pathOf(call.callee, self);
  const [target, key] = call.arguments;
  if (callee === 'Object.assign' && target !== literal) return pathOf(target, self);
  if (callee === 'Object.defineProperty' && key?.type === 'Literal') return joinSymbol(pathOf(target, self), keyName(key, true));
  return callee === 'Object.defineProperties' ? pathOf(target, self) : lastName(callee);
}

function qualified(owner: NameOrigin, key: string): NameOrigin {
  return { name: joinSymbol(owner.name, key), placed: owner.placed };
}

/** The name of the class at index `at` of the walk's ancestors. */
export function classNameAt(walk: Walk, at: number): string {
  const node = walk.ancestors[at] as AnyNode;
  if (node.id) return symbolPart(node.id.name);
  const known = walk.classNames.get(node);
  if (known !== undefined) return known;
  const found = placeOf(walk, at - 1, node);
  const name = found.placed
    ? `${found.name.replace(/(anonymous|return)$/, 'class')}@${walk.lines.line(node.start) + 1}`
    : found.name;
  walk.classNames.set(node, name);
  return name;
}

/** The name of `this` at index `from` of the ancestors: the enclosing class, or the function that creates the object. */
export function selfName(walk: Walk, from: number): string {
  const { ancestors } = walk;
  for (let at = from; at >= 0; at--) {
    const type = ancestors[at]?.type;
    if (type === 'ClassBody') return classNameAt(walk, at - 1);
    if (type === 'FunctionDeclaration' || (type === 'FunctionExpression' && ancestors[at - 1]?.type !== 'MethodDefinition')) {
      return scopeName(walk);
    }
  }
  return '';
}

/** The nearest enclosing function that has its own name; '' if there is none. */
function scopeName(walk: Walk): string {
  for (let context: CodeScope | undefined = walk.context; context; context = context.parent) {
    if (context.found && !context.found.placed && context.found.kind !== 'module') return context.found.name;
  }
  return '';
}

/** The variable that gets the result of the call at index `at`: it names a callback outside of functions. */
function directOwner(walk: Walk, at: number): string {
  const outer = walk.ancestors[at - 1];
  return outer?.type === 'VariableDeclarator' && outer.id.type === 'Identifier' ? outer.id.name : '';
}
