import { boundNames } from './bound-names.js';
import type { AnyNode } from './parse.js';

/** A name that a block declares. */
interface Lexical {
  readonly id: AnyNode;
  /** Behind it the name has its value. Infinity: never for sure, or its value is no local's. */
  readonly from: number;
}

const LOOPS = /^For(In|Of)?Statement$/;

const isVar = (node: AnyNode | null | undefined): boolean => node?.type === 'VariableDeclaration' && node.kind === 'var';

/** The names that these statements declare for the block they are in. */
function lexicals(statements: readonly AnyNode[]): readonly Lexical[] {
  return statements.flatMap((statement): readonly Lexical[] => {
    if (statement.type === 'VariableDeclaration' && !isVar(statement)) {
      const ids = (statement.declarations as AnyNode[]).flatMap(({ id }) => boundNames(id));
      return ids.map((id) => ({ id, from: statement.end }));
    }
    if (statement.type === 'ClassDeclaration') return [{ id: statement.id, from: statement.end }];
    let inner = statement;
    while (inner.type === 'LabeledStatement') inner = inner.body;
    return inner.type === 'FunctionDeclaration' ? [{ id: inner.id, from: Number.POSITIVE_INFINITY }] : [];
  });
}

/** What a node declares for what stands in it; `child` is the part of it that is asked for. */
const DECLARED: Readonly<
  Record<string, (node: AnyNode, child: AnyNode, known: (of: AnyNode) => readonly Lexical[]) => readonly Lexical[]>
> = {
  BlockStatement: (node, _child, known) => known(node),
  SwitchStatement: (node, child, known) =>
    known(node).map((one) =>
      one.id.start >= child.start && one.id.end <= child.end ? one : { ...one, from: Number.POSITIVE_INFINITY },
    ),
  CatchClause: (node, child) =>
    boundNames(node.param).map((id) => ({ id, from: child === node.body ? 0 : Number.POSITIVE_INFINITY })),
};

const inLoop = (node: AnyNode, child: AnyNode): readonly Lexical[] => {
  const head = node.init ?? node.left;
  if (head?.type !== 'VariableDeclaration' || isVar(head)) return [];
  const ids = (head.declarations as AnyNode[]).flatMap(({ id }) => boundNames(id));
  return ids.map((id) => ({ id, from: child === node.body ? 0 : Number.POSITIVE_INFINITY }));
};

const NOT_PASSED = new Set(['arguments', 'eval']);

/** Index of the last one that is declared before a place. */
function lastBefore(declared: readonly Lexical[], place: number): number {
  let low = 0;
  let high = declared.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (declared[middle]!.id.start < place) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The names of a function's own variables that have a value at a place for sure, so that reading them there cannot throw. */
export class InitializedNames {
  readonly #lexicals = new WeakMap<AnyNode, readonly Lexical[]>();
  readonly #most: number;

  /** @param most of them: the innermost and nearest come first */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * @param around the function, its body, and the nodes from there to what holds `node`
   * @param vars the names of the function's `var`s before the place, in the order of the text
   * @param params those of its parameters
   */
  at(node: AnyNode, around: readonly AnyNode[], vars: readonly AnyNode[], params: readonly AnyNode[]): readonly AnyNode[] {
    const seen = new Set(NOT_PASSED);
    const found: AnyNode[] = [];
    const take = (id: AnyNode, isReadable: boolean): void => {
      if (seen.has(id.name)) return;
      seen.add(id.name);
      // A name that is written with escapes is not the text at its place.
      if (isReadable && found.length < this.#most && id.end - id.start === id.name.length) found.push(id);
    };
    for (let i = around.length - 1; i > 1 && found.length < this.#most; i--) {
      const declared = this.#declaredBy(around[i]!, around[i + 1] ?? node);
      for (let j = declared.length - 1; j >= 0; j--) take(declared[j]!.id, declared[j]!.from <= node.start);
    }
    // Nothing outside of the body has names that those of the body could hide.
    const own = this.#known(around[1]!);
    for (let i = lastBefore(own, node.start); i >= 0 && found.length < this.#most; i--) {
      take(own[i]!.id, own[i]!.from <= node.start);
    }
    for (let i = vars.length - 1; i >= 0 && found.length < this.#most; i--) take(vars[i]!, true);
    for (const id of params) take(id, true);
    return found;
  }

  #declaredBy(node: AnyNode, child: AnyNode): readonly Lexical[] {
    if (LOOPS.test(node.type)) return inLoop(node, child);
    return DECLARED[node.type]?.(node, child, (of) => this.#known(of)) ?? [];
  }

  #known(node: AnyNode): readonly Lexical[] {
    let known = this.#lexicals.get(node);
    if (known === undefined) {
      known = lexicals(node.type === 'SwitchStatement' ? node.cases.flatMap((one: AnyNode) => one.consequent) : node.body);
      this.#lexicals.set(node, known);
    }
    return known;
  }
}
