import { directives, entryOffset } from './bodies.js';
import { createScope, type Found } from './code-scope.js';
import { childrenOf, isFunction } from './declared-names.js';
import type { AnyNode } from './parse.js';
import { canComplete, isSeparated } from './statements.js';
import type { Edit, Walk } from './walk.js';

/**
 * Lists the code of a module outside of functions as a function (the option `module_sites`), and inserts its entry and its end.
 * A module that waits has no such sites: they would stand on the lines of its waits, which Node prints (awaitedLines).
 */
export function enterModule(walk: Walk, program: AnyNode): void {
  const prologue = directives(program);
  const statements = program.body.slice(prologue.length) as AnyNode[];
  const start = bodyStart(program, walk.source.length);
  const last = statements.at(-1);
  if (last === undefined || start === undefined) {
    walk.visitChildren(program);
    return;
  }
  const found = moduleFunction(program, start, walk.source);
  walk.found.push(found);
  if (found.reason !== undefined) {
    walk.visitChildren(program);
    return;
  }
  walk.within(createScope(undefined, { owner: 0, found }), () => {
    walk.insert(entryOffset(walk, { ...program, start: (statements[0] as AnyNode).start - 1 }, prologue), 'entry', 0);
    walk.visitChildren(program);
    if (!canComplete(statements)) return;
    if (!isSeparated(walk.source, last, last.end)) walk.insert(last.end, 'semicolon');
    walk.insert(last.end, 'exit');
  });
}

function moduleFunction(program: AnyNode, start: number, source: string): Found {
  return {
    node: { ...program, end: source.length },
    kind: 'module',
    start,
    params: [],
    repack: undefined,
    imports: importsOf(program),
    name: '',
    placed: false,
    isPartOfExpression: false,
    passesThis: false,
    needsValue: false,
    reason: source.includes('await') && waits(program) ? 'await' : undefined,
    resolves: [],
    statements: [],
  };
}

/** What the module's import and export declarations name, in their order. */
const importsOf = ({ body }: AnyNode): string[] => [
  ...new Set((body as AnyNode[]).flatMap(({ source }) => (typeof source?.value === 'string' ? [source.value as string] : []))),
];

/**
 * The edits and the functions of a walk, with the module's code after the functions that begin before it does: functions are
 * numbered in the order of their starts.
 */
export function inOrder(walk: Pick<Walk, 'edits' | 'found'>): {
  readonly edits: readonly Edit[];
  readonly found: readonly Found[];
} {
  const { edits, found } = walk;
  const [first, ...rest] = found;
  if (first?.kind !== 'module') return walk;
  const before = rest.filter(({ start }) => start < first.start).length;
  if (before === 0) return walk;
  const numberOf = (owner: number): number => (owner === 0 ? before : owner <= before ? owner - 1 : owner);
  return {
    edits: edits.map((edit) => ({ ...edit, owner: numberOf(edit.owner) })),
    found: [...rest.slice(0, before), first, ...rest.slice(before)],
  };
}

/**
 * Where the code outside of functions begins: behind those at the beginning of the text, because no two functions share an
 * address. Undefined if there is nothing behind them.
 */
function bodyStart({ body }: AnyNode, length: number): number | undefined {
  let start = 0;
  for (const statement of body as AnyNode[]) {
    if (!isFunction(statement) || statement.start > start) break;
    start = statement.end;
  }
  return start < length ? start : undefined;
}

/** Whether code outside of functions waits. */
function waits(node: AnyNode): boolean {
  if (isFunction(node)) return false;
  return node.type === 'AwaitExpression' || (node.type === 'ForOfStatement' && node.await) || childrenOf(node).some(waits);
}
