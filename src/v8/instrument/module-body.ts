import { FUNCTION_KIND, isModuleCode } from '../js-text.js';
import { directives, entryOffset } from './bodies.js';
import { createScope, type Found } from './code-scope.js';
import { childrenOf, isFunction } from './declared-names.js';
import type { AnyNode } from './parse.js';
import { canComplete, isSeparated, lineStartsBetween } from './statements.js';
import type { Walk } from './walk.js';

/** Lists a module's code outside of functions as a function (the option `module_sites`), and inserts its entry and its end. */
export function enterModule(walk: Walk, program: AnyNode): void {
  const prologue = directives(program);
  const statements = program.body.slice(prologue.length) as AnyNode[];
  const start = bodyStart(program, walk.source.length);
  const last = statements.at(-1);
  if (last === undefined || start === undefined) {
    walk.visitChildren(program);
    return;
  }
  if (walk.source.includes('await') && waits(program)) {
    enterWaitingModule(walk, program, start, prologue, statements);
    return;
  }
  const found = moduleFunction(program, start, walk.source, 'module');
  walk.found.push(found);
  walk.within(createScope(undefined, { owner: 0, found }), () => {
    walk.insert(entryOffset(walk, copyOf(program, (statements[0] as AnyNode).start - 1, program.end), prologue), 'entry', 0);
    walk.visitChildren(program);
    if (!canComplete(statements)) return;
    if (!isSeparated(walk.source, last, last.end)) walk.insert(last.end, 'semicolon');
    walk.insert(last.end, 'exit');
  });
}

/**
 * A module that waits has sites between its statements, and none in them: no site may stand on the line of a wait, which Node
 * prints (awaitedLines). That it waits is noticed when its job ends; before the next statement it comes back. It has no sites
 * at all if there is no place for its entry or its exit.
 */
function enterWaitingModule(
  walk: Walk,
  program: AnyNode,
  start: number,
  prologue: readonly AnyNode[],
  statements: readonly AnyNode[],
): void {
  const { source } = walk;
  const last = statements.at(-1) as AnyNode;
  const entry = placeBefore(walk, prologue.at(-1)?.end ?? hashbangEnd(source), (statements[0] as AnyNode).start);
  const ends = canComplete(statements);
  const exit = ends
    ? [last.end, ...lineStartsBetween(source, last.end, source.length)].find((at) => !walk.isKept(at))
    : undefined;
  if (entry === undefined || (ends && exit === undefined)) {
    walk.found.push({ ...moduleFunction(program, start, source, 'module'), reason: 'await' });
    walk.visitChildren(program);
    return;
  }
  const found = moduleFunction(program, start, source, 'async-module');
  walk.found.push(found);
  walk.visitChildren(program);
  walk.within(createScope(undefined, { owner: 0, found }), () => {
    separate(walk, prologue.at(-1), entry);
    walk.insert(entry, 'entry', 0);
    walk.insert(entry, 'waitsUnseen');
    insertResumes(walk, statements, entry, false);
    if (exit === undefined) return;
    separate(walk, last, exit);
    walk.insert(exit, 'resume');
    walk.insert(exit, 'exitCoroutine');
  });
  // What a function has at the same offset is its end.
  walk.edits.sort();
}

/** Before the first statement that runs after a wait, it comes back; in each list of statements. */
function insertResumes(walk: Walk, statements: readonly AnyNode[], from: number, hasWaited: boolean): void {
  let isAway = hasWaited;
  let before: AnyNode | undefined;
  for (const statement of statements) {
    const place = isAway ? placeBefore(walk, before?.end ?? from, statement.start) : undefined;
    if (place !== undefined) {
      separate(walk, before, place);
      walk.insert(place, 'resume');
      isAway = false;
    }
    if (waits(statement)) {
      insertInnerResumes(walk, statement);
      isAway = true;
    }
    before = statement;
  }
}

/** A list inside of a statement that waits may run after the wait, also if it does not wait itself: a `catch`. */
function insertInnerResumes(walk: Walk, node: AnyNode): void {
  if (isFunction(node)) return;
  if (node.type === 'BlockStatement') insertResumes(walk, node.body, node.start + 1, true);
  else if (node.type === 'SwitchCase') insertResumes(walk, node.consequent, node.consequent[0]?.start ?? node.end, true);
  else for (const child of childrenOf(node)) insertInnerResumes(walk, child);
}

/** The last place between two statements where a site may stand. */
const placeBefore = (walk: Walk, from: number, to: number): number | undefined =>
  [from, ...lineStartsBetween(walk.source, from, to), to].findLast((at) => !walk.isKept(at));

function separate(walk: Walk, before: AnyNode | undefined, place: number): void {
  if (before !== undefined && !isSeparated(walk.source, before, place)) walk.insert(place, 'semicolon');
}

/** The program with another start or end. */
const copyOf = ({ type, body }: AnyNode, start: number, end: number): AnyNode => ({ type, start, end, body });

const hashbangEnd = (source: string): number => /^#!.*(?:\r\n|\s|$)/.exec(source)?.[0].length ?? 0;

function moduleFunction(program: AnyNode, start: number, source: string, kind: 'module' | 'async-module'): Found {
  return {
    node: copyOf(program, program.start, source.length),
    kind,
    start,
    params: [],
    repack: undefined,
    imports: importsOf(program),
    name: '',
    placed: false,
    isPartOfExpression: false,
    passesThis: false,
    needsValue: false,
    reason: undefined,
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
export function inOrder({ edits, found }: Pick<Walk, 'edits' | 'found'>): Pick<Walk, 'edits' | 'found'> {
  const [first, ...rest] = found;
  if (first === undefined || !isModuleCode(FUNCTION_KIND[first.kind])) return { edits, found };
  const before = rest.filter(({ start }) => start < first.start).length;
  if (before === 0) return { edits, found };
  edits.renumber((owner) => (owner === 0 ? before : owner <= before ? owner - 1 : owner));
  return { edits, found: [...rest.slice(0, before), first, ...rest.slice(before)] };
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
