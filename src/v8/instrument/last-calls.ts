import { boundNames } from './bound-names.js';
import { childrenOf, isFunction, readAs } from './declared-names.js';
import { lineStarts } from './lines.js';
import type { AnyNode } from './parse.js';

/** A place in a source: lines and columns from 1. */
export interface CallPlace {
  readonly line: number;
  readonly column: number;
}

/** A call that had ended. */
export interface EndedCall {
  /** What was called: the function's name, `JSON.parse`, or the words of the call. */
  readonly name: string;
  /** Present for a function of V8's or Node's. */
  readonly isBuiltIn?: true;
  /** Where V8 would say that it was called. */
  readonly place: CallPlace;
  /** Where the function begins that was called, if it is known for certain, and is one of the source. */
  readonly from?: CallPlace;
}

/** The calls of which one was the last in some code. */
interface LastCalls {
  readonly calls: ReadonlySet<AnyNode>;
  /** Whether there may have been none. */
  readonly mayBeNone: boolean;
}

const NONE: LastCalls = { calls: new Set(), mayBeNone: true };
/** The call has waited in between. */
const UNKNOWN: LastCalls = { calls: new Set(), mayBeNone: false };
const CALLS = /^(?:Call|New|TaggedTemplate)Expression$/;
const LOOPS = /^(?:For|ForIn|ForOf|While|DoWhile)Statement$/;
const LEAVES = /^(?:Return|Throw|Break|Continue)Statement$/;
/** The longest text of a call. */
const LONGEST = 40;
/** How many calls are followed. */
const DEEPEST = 8;

/**
 * The call that ended last before a call at a place began, if any did, then the one that ended last in the function that was
 * called, and so on: as far as the source has only one that it can be. Empty if it has none or several, or no call of that name
 * is there. Pure; never throws.
 */
export function lastCallsBefore(source: string, at: CallPlace, name: string): readonly EndedCall[] {
  const program = readAs(source);
  if (program === undefined) return [];
  const starts = lineStarts(source);
  const path = pathToCall(program, (starts[at.line - 1] ?? Number.NaN) + at.column - 1);
  const inner = path.at(-1);
  if (inner === undefined || nameOf(inner) !== name) return [];
  const names = new Names(program);
  const placeAt = (offset: number): CallPlace => {
    const line = starts.findLastIndex((start) => start <= offset);
    return { line: line + 1, column: offset - starts[line]! + 1 };
  };
  const ended: EndedCall[] = [];
  let last = joined(inSequence(childrenOf(inner)), () => before(path));
  while (ended.length < DEEPEST) {
    const [call, other] = last.calls;
    if (call === undefined || other !== undefined) break;
    const callee = names.calledBy(call);
    const func = typeof callee === 'object' ? callee : undefined;
    ended.push({
      name: typeof callee === 'string' ? callee : ((func && nameOf(call)) ?? shortened(source, calleeOf(call))),
      place: placeAt(positionOf(call)),
      ...(func && { from: placeAt(func.start) }),
      ...(typeof callee === 'string' && { isBuiltIn: true }),
    });
    if (func === undefined) break;
    last = lastInFunction(func);
  }
  return ended;
}

const calleeOf = (call: AnyNode): AnyNode => call['callee'] ?? call['tag'];

/** The last name of what is called; undefined if it has none. */
function nameOf(call: AnyNode): string | undefined {
  const callee = calleeOf(call);
  return callee.type === 'MemberExpression' && !callee['computed'] ? callee['property'].name : callee['name'];
}

const shortened = (source: string, { start, end }: AnyNode): string => {
  const words = source.slice(start, end).replace(/\s+/g, ' ');
  return words.length > LONGEST ? `${words.slice(0, LONGEST - 1)}…` : words;
};

/** Where V8 says that a call is. */
function positionOf(call: AnyNode): number {
  const callee = call['callee'] as AnyNode | undefined;
  return call.type === 'CallExpression' && callee?.type === 'MemberExpression' ? callee['property'].start : call.start;
}

/** The nodes from the innermost function around a call to the call. */
function pathToCall(program: AnyNode, offset: number): readonly AnyNode[] {
  let found: readonly AnyNode[] = [];
  const look = (node: AnyNode, path: readonly AnyNode[]): void => {
    if (node.start > offset || node.end <= offset) return;
    const inner = [...(isFunction(node) ? [] : path), node];
    if (CALLS.test(node.type) && positionOf(node) === offset) found = inner;
    for (const child of childrenOf(node)) look(child, inner);
  };
  look(program, []);
  return found;
}

/** What is left of `last` where it may have been nothing: then it was what ended before. */
function joined(last: LastCalls, earlier: () => LastCalls): LastCalls {
  if (!last.mayBeNone) return last;
  const { calls, mayBeNone } = earlier();
  return { calls: new Set([...last.calls, ...calls]), mayBeNone };
}

/** The last calls of one of several ways. */
const oneOf = (ways: readonly LastCalls[]): LastCalls => ({
  calls: new Set(ways.flatMap(({ calls }) => [...calls])),
  mayBeNone: ways.some(({ mayBeNone }) => mayBeNone),
});

const maybe = (last: LastCalls): LastCalls => ({ ...last, mayBeNone: true });

/** The last calls of code that runs one after the other. */
const inSequence = (nodes: readonly AnyNode[]): LastCalls =>
  nodes.reduceRight((last, node) => joined(last, () => lastIn(node)), NONE);

/** The last calls of a statement or an expression. */
function lastIn(node: AnyNode): LastCalls {
  const children = childrenOf(node);
  if (isFunction(node)) return NONE;
  if (/^(?:Await|Yield)Expression$/.test(node.type)) return UNKNOWN;
  if (CALLS.test(node.type)) return { calls: new Set([node]), mayBeNone: false };
  if (/^(?:If|Conditional)/.test(node.type)) {
    const ways = [node['consequent'], node['alternate']].map((way: AnyNode | null) => (way === null ? NONE : lastIn(way)));
    return joined(oneOf(ways), () => lastIn(node['test']));
  }
  if (node.type === 'LogicalExpression') return joined(maybe(lastIn(node['right'])), () => lastIn(node['left']));
  const isOptional = LOOPS.test(node.type) || /^(?:Try|Switch|Labeled)Statement$|^ChainExpression$/.test(node.type);
  return isOptional ? maybe(oneOf(children.map(lastIn))) : inSequence(children);
}

/** The last calls before the innermost node of a path, in the function that the path begins with. */
function before(path: readonly AnyNode[]): LastCalls {
  let last = NONE;
  for (let i = path.length - 1; i > 0 && last.mayBeNone; i--) {
    const parent = path[i - 1]!;
    const earlier = earlierIn(parent, path[i]!);
    last = joined(last, () => earlier);
  }
  return last;
}

/** The last calls of what a node has run before it runs one of its children. */
function earlierIn(parent: AnyNode, child: AnyNode): LastCalls {
  const children = childrenOf(parent);
  const at = children.indexOf(child);
  if (at < 0) return NONE;
  if (/^(?:If|Conditional)/.test(parent.type)) return child === parent['test'] ? NONE : lastIn(parent['test']);
  // What runs again may have run as a whole before.
  if (LOOPS.test(parent.type) && child !== parent['init']) return maybe(oneOf(children.map(lastIn)));
  if (/^(?:Try|Switch)Statement$/.test(parent.type)) return maybe(oneOf(children.slice(0, at).map(lastIn)));
  if (isFunction(parent)) return NONE;
  return inSequence(children.slice(0, at));
}

/** The last calls of a function that has returned. */
function lastInFunction(func: AnyNode): LastCalls {
  if (func['generator'] === true || func['async'] === true) return UNKNOWN;
  const { body } = func;
  if (body.type !== 'BlockStatement') return lastIn(body);
  const ends: LastCalls[] = [];
  const look = (node: AnyNode, path: readonly AnyNode[]): void => {
    if (isFunction(node)) return;
    const inner = [...path, node];
    if (node.type === 'ReturnStatement') ends.push(joined(inSequence(childrenOf(node)), () => before(inner)));
    for (const child of childrenOf(node)) look(child, inner);
  };
  look(body, [func]);
  if (!LEAVES.test(body.body.at(-1)?.type ?? '')) ends.push(lastIn(body));
  return oneOf(ends);
}

const PROTOTYPES: readonly object[] = [Array, String, Map, Set, RegExp, Promise, Function, Date, Number].map(
  (one) => one.prototype as object,
);

/** What the names of a source mean, where they mean one thing. */
class Names {
  /** How often a name is declared. */
  readonly #declared = new Map<string, number>();
  readonly #functions = new Map<string, AnyNode>();
  readonly #methods = new Map<string, AnyNode | undefined>();

  constructor(program: AnyNode) {
    this.#look(program);
  }

  /** The function of the source that is called, or the name of one of V8's or Node's; undefined if that is not certain. */
  calledBy({ type, callee }: AnyNode): AnyNode | string | undefined {
    if (type !== 'CallExpression') return undefined;
    if (callee.type === 'Identifier') {
      const { name } = callee;
      const count = this.#declared.get(name) ?? 0;
      if (count > 0) return count === 1 ? this.#functions.get(name) : undefined;
      return isFunctionOf(globalThis, name) ? name : undefined;
    }
    if (callee.type !== 'MemberExpression' || callee.computed) return undefined;
    const { object, property } = callee;
    if (object.type === 'Identifier' && !this.#declared.has(object.name)) {
      const value = Object.getOwnPropertyDescriptor(globalThis, object.name)?.value as unknown;
      if (isFunctionOf(value, property.name)) return `${object.name}.${property.name}`;
    }
    const isUsual = object.type !== 'ThisExpression' && PROTOTYPES.some((one) => property.name in one);
    return isUsual ? undefined : this.#methods.get(property.name);
  }

  #look(node: AnyNode): void {
    const isMethod = node.type === 'MethodDefinition' || node.type === 'Property' || node.type === 'PropertyDefinition';
    if (isMethod && node['value'] && isFunction(node['value']) && !node['computed']) {
      const name = String(node['key'].name ?? node['key'].value);
      this.#methods.set(name, this.#methods.has(name) ? undefined : node['value']);
    }
    if (node.type === 'VariableDeclarator') {
      const { id, init } = node;
      for (const { name } of boundNames(id))
        this.#declare(name, init && id.type === 'Identifier' && isFunction(init) ? init : undefined);
    }
    if (isFunction(node)) {
      for (const { name } of node['params'].flatMap(boundNames)) this.#declare(name, undefined);
      if (node['id']) this.#declare(node['id'].name, node);
    }
    if (/^Class/.test(node.type) && node['id']) this.#declare(node['id'].name, undefined);
    if (node.type === 'CatchClause' && node['param'])
      for (const { name } of boundNames(node['param'])) this.#declare(name, undefined);
    if (node.type === 'ImportDeclaration') for (const { local } of node['specifiers']) this.#declare(local.name, undefined);
    for (const child of childrenOf(node)) this.#look(child);
  }

  #declare(name: string, func: AnyNode | undefined): void {
    this.#declared.set(name, (this.#declared.get(name) ?? 0) + 1);
    if (func !== undefined) this.#functions.set(name, func);
  }
}

function isFunctionOf(owner: unknown, name: string): boolean {
  if ((typeof owner !== 'object' && typeof owner !== 'function') || owner === null) return false;
  return typeof Object.getOwnPropertyDescriptor(owner, name)?.value === 'function';
}
