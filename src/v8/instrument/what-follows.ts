import type { StatementEnd, TextSpan } from '../../ftrace/text.js';
import { flowOf } from './code-scope.js';
import { childrenOf, type FunctionSpan, isFunction, pathTo, readAs } from './declared-names.js';
import type { AnyNode } from './parse.js';
import { exitsBefore } from './returns.js';
import { reachedPart } from './statement-sites.js';

const LOOP = /^(?:For|ForIn|ForOf|While|DoWhile)Statement$/;
const STATEMENT = /Statement$|^(?:Variable|Class|Function)Declaration$/;
/** Statements that run nothing, or nothing that has a site of its own. */
const SITELESS = /^(?:Empty|Debugger|Expression)Statement$|^(?:Variable|Class|Function)Declaration$/;

/** Why a place has no statement whose end could be heard, as the end of a sentence about it. */
const NO_END = {
  parameters: 'is in the parameters, before the site of the call',
  class: 'is in a class, and in no function of it',
  waiting: 'is reached while the call counts as waiting in its `for await`',
  left: 'is behind the site at which the call has ended',
} as const;

/**
 * Where the statement at a place of a function ends: the statements of which one begins next in the same call, unless it returns
 * or an exception ends it. Rather too many than too few. A text is the end of a sentence about a place whose statement has no
 * such end; undefined: the source cannot be read. Pure; never throws.
 * @param offset of the place, from the function's start
 * @param places all places of the function, as offsets from its start
 */
export function whatFollows(
  source: string,
  one: FunctionSpan,
  offset: number,
  places: readonly number[],
): StatementEnd | string | undefined {
  const program = readAs(source);
  const func = program && pathTo(program, one).at(-1);
  if (func === undefined) return undefined;
  const at = one.start + offset;
  if (at < func.body.start) return NO_END.parameters;
  const nodes = ownPath(func, at);
  if (nodes.some(({ type }) => type === 'ClassBody')) return NO_END.class;
  const last = nodes.findLastIndex(({ type }) => STATEMENT.test(type) && type !== 'BlockStatement');
  // What stands between the statements of a block is where V8 returns.
  if (last < 0) return func.body.type === 'BlockStatement' ? NO_END.left : { next: [] };
  const path = nodes.slice(0, last + 1);
  // The declaration in the head of a loop is a part of it.
  if (LOOP.test(path.at(-2)?.type ?? '') && path.at(-1) !== path.at(-2)!.body) path.pop();
  const node = path.at(-1)!;
  if (isBetween(node, nodes.slice(last + 1), at)) return NO_END.left;
  const reason = noEnd(source, func, path, at);
  if (reason !== undefined) return reason;
  const following = new Following(func, path, one.start, places);
  following.from(node, at);
  return following.end;
}

/** The nodes around a place, from the function to the innermost; those of functions inside it are not its own. */
function ownPath(func: AnyNode, at: number): readonly AnyNode[] {
  const path = [func];
  let node: AnyNode | undefined = func;
  while (node !== undefined) {
    node = childrenOf(node).find((child) => child.start <= at && at < child.end && (!isFunction(child) || child.start === at));
    if (node !== undefined) path.push(node);
    if (node !== undefined && isFunction(node)) return path.slice(0, -1);
  }
  return path;
}

/** Whether a place is between the statements that a statement is made of. */
function isBetween({ type, test, body }: AnyNode, inner: readonly AnyNode[], at: number): boolean {
  if (inner.some((one) => one.type === 'BlockStatement' || (one.type === 'SwitchCase' && at >= (one.test?.end ?? one.start))))
    return true;
  if (type === 'IfStatement') return at >= test.end;
  return type === 'DoWhileStatement' && at >= body.end && at < test.start;
}

function noEnd(source: string, func: AnyNode, path: readonly AnyNode[], at: number): string | undefined {
  const node = path.at(-1)!;
  if (node.type === 'ReturnStatement' && exitsBefore(source, node, flowOf(func))) return NO_END.left;
  const isHead = node.type === 'ForOfStatement' && node.await && at < node.right.start;
  return isHead || suspends(node, path) ? NO_END.waiting : undefined;
}

/** Whether a statement may make the call wait before V8 stops there: a jump in a `for await`. */
const suspends = ({ type }: AnyNode, around: readonly AnyNode[]): boolean =>
  /^(?:Break|Continue)Statement$/.test(type) && around.some((one) => one.type === 'ForOfStatement' && one.await);

/** Collects the statements that may be the next to begin. */
class Following {
  readonly #func: AnyNode;
  readonly #path: readonly AnyNode[];
  readonly #start: number;
  readonly #places: readonly number[];
  readonly #next = new Set<number>();
  readonly #seen = new Set<AnyNode>();
  #caught: number | undefined;

  constructor(func: AnyNode, path: readonly AnyNode[], start: number, places: readonly number[]) {
    this.#func = func;
    this.#path = path;
    this.#start = start;
    this.#places = places;
  }

  get end(): StatementEnd {
    const next = [...this.#next].sort((a, b) => a - b);
    return { next, ...(this.#caught !== undefined && { caught: this.#caught }) };
  }

  /** A place in `node`, the last of the path, was reached. */
  from(node: AnyNode, at: number): void {
    const last = this.#path.length - 1;
    this.#catches();
    switch (node.type) {
      case 'IfStatement':
        if (this.#branches(node)) this.#after(last);
        return;
      case 'SwitchStatement':
        this.#first(node.cases, node);
        this.#after(last);
        return;
      case 'ReturnStatement':
      case 'ThrowStatement':
        this.#leaves(0);
        return;
      case 'BreakStatement':
      case 'ContinueStatement':
        this.#jumps(node);
        return;
      case 'TryStatement':
        // The parameter of its `catch`.
        if (node.handler === null || at >= node.handler.body.start) this.#all();
        else if (this.#first(node.handler.body.body, node.handler.body)) this.#after(last);
        return;
      default:
        if (LOOP.test(node.type)) this.#enters(node.body, node);
        else if (!SITELESS.test(node.type)) this.#all();
        this.#after(last);
    }
  }

  /** An exception comes to the innermost `catch` around. */
  #catches(): void {
    const index = this.#path.findLastIndex(({ type, block, handler }, i) => {
      return type === 'TryStatement' && handler !== null && this.#path[i + 1] === block;
    });
    const handler = this.#path[index]?.handler as AnyNode | undefined;
    if (handler !== undefined) this.#caught = handler.body.start + 1 - this.#start;
    this.#leaves(index + 1);
  }

  /** What leaves the nodes from this one on runs through their finalizers: one with a jump may end that. */
  #leaves(from: number): void {
    for (let i = from; i < this.#path.length; i++) {
      const { type, finalizer } = this.#path[i]!;
      if (type === 'TryStatement' && finalizer && this.#path[i + 1] !== finalizer) this.#everyIn(finalizer);
    }
  }

  /** The node at this index of the path has ended by itself. */
  #after(index: number): void {
    const node = this.#path[index]!;
    const parent = this.#path[index - 1];
    if (parent === undefined || node === this.#func) return;
    if (this.#passes(node, parent)) this.#after(index - 1);
  }

  #passes(node: AnyNode, parent: AnyNode): boolean {
    const { type } = parent;
    if (type === 'BlockStatement') return this.#first(parent.body.slice(parent.body.indexOf(node) + 1), parent);
    if (type === 'SwitchCase') return this.#first(parent.consequent.slice(parent.consequent.indexOf(node) + 1), parent);
    if (type === 'SwitchStatement') return this.#first(parent.cases.slice(parent.cases.indexOf(node) + 1), parent);
    if (LOOP.test(type) && node === parent.body) this.#enters(node, parent);
    if (type === 'TryStatement' && node === parent.finalizer) this.#all();
    else if (type === 'TryStatement' && parent.finalizer) this.#everyIn(parent.finalizer);
    return true;
  }

  #jumps({ label, type }: AnyNode): void {
    const isTarget = (one: AnyNode): boolean =>
      label === null
        ? LOOP.test(one.type) || (one.type === 'SwitchStatement' && type === 'BreakStatement')
        : one.type === 'LabeledStatement' && one.label.name === label.name;
    const target = this.#path.findLastIndex(isTarget);
    if (target < 0) {
      this.#all();
      return;
    }
    this.#leaves(target);
    let loop = this.#path[target]!;
    while (loop.type === 'LabeledStatement') loop = loop.body;
    if (type === 'ContinueStatement') this.#enters(loop.body, loop);
    this.#after(target);
  }

  /** Whether one can pass these, one after the other, without beginning a statement that has a place. */
  #first(nodes: readonly AnyNode[], parent: AnyNode): boolean {
    if (parent.type === 'SwitchStatement') {
      // Any case may be the first.
      for (const one of nodes) this.#first(one.consequent, one);
      return true;
    }
    return nodes.every((node) => this.#enters(node, parent));
  }

  /** Enters one statement. */
  #enters(node: AnyNode, parent: AnyNode): boolean {
    const part = reachedPart(node, parent);
    const place = part && this.#placeIn(part);
    if (place !== undefined) {
      if (suspends(node, this.#path)) this.#all();
      this.#next.add(place);
      return false;
    }
    if (this.#seen.has(node)) return true;
    this.#seen.add(node);
    const { type } = node;
    if (type === 'BlockStatement') return this.#first(node.body, node);
    if (type === 'IfStatement') return this.#branches(node);
    if (type === 'LabeledStatement') return this.#enters(node.body, node);
    if (type === 'SwitchStatement') return this.#first(node.cases, node);
    if (LOOP.test(type)) {
      if (node.await) this.#all();
      const isPassed = this.#enters(node.body, node);
      return type === 'DoWhileStatement' ? isPassed : true;
    }
    if (type === 'TryStatement') return this.#tries(node);
    if (!SITELESS.test(type)) this.#all();
    return true;
  }

  #branches(node: AnyNode): boolean {
    const isPassed = this.#enters(node.consequent, node);
    return node.alternate ? this.#enters(node.alternate, node) || isPassed : true;
  }

  /** A `try`: its handler comes next where its block throws before a statement with a place. */
  #tries({ block, handler, finalizer }: AnyNode): boolean {
    let isPassed = this.#first(block.body, block);
    if (handler) isPassed = this.#first(handler.body.body, handler.body) || isPassed;
    if (finalizer) isPassed = this.#first(finalizer.body, finalizer) && isPassed;
    return isPassed;
  }

  #everyIn(node: AnyNode): void {
    this.#every(node, undefined);
  }

  #all(): void {
    this.#everyIn(this.#func.body);
  }

  #every(node: AnyNode, parent: AnyNode | undefined): void {
    const part = parent && reachedPart(node, parent);
    const place = part && this.#placeIn(part);
    if (place !== undefined) this.#next.add(place);
    for (const child of childrenOf(node)) if (!isFunction(child)) this.#every(child, node);
  }

  /** The first place in a part of the source, as an offset from the function's start. */
  #placeIn([from, to]: TextSpan): number | undefined {
    return this.#places.find((place) => place >= from - this.#start && place < to - this.#start);
  }
}
