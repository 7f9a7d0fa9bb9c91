import type { PieceName } from '../text/pieces.js';
import { lastPlace, mayBeThenable, placeOfReturn } from './frame-places.js';
import { insertAtEnd, visitValue } from './insert.js';
import type { AnyNode } from './parse.js';
import { GUARD, inFlow } from './sites.js';
import { canReachEnd, isEnded, isSeparated } from './statements.js';
import type { Walk } from './walk.js';

const NONE: readonly AnyNode[] = [];

/** The statements of the directive prologue of a function's body. */
export function directives(body: AnyNode): readonly AnyNode[] {
  if (body['hasPrologue'] === false) return NONE;
  if (body.type !== 'BlockStatement' && body.type !== 'Program') return NONE;
  const end = body.body.findIndex((statement: AnyNode) => statement.directive === undefined);
  return end < 0 ? body.body : body.body.slice(0, end);
}

/** Inserts entry and end into a body of statements, and visits the statements. */
export function visitBlockBody(walk: Walk, body: AnyNode, eager: boolean): void {
  const prologue = directives(body);
  if (GUARD[walk.context.flow] !== undefined && isGuarded(body, prologue)) {
    visitGuarded(walk, body, prologue, eager);
  } else if (eager) {
    visitCounted(walk, body, prologue, body.body.slice(prologue.length));
  } else {
    insertEntry(walk, body, prologue);
    walk.visitChildren(body);
    insertExit(walk, body);
  }
}

function insertExit(walk: Walk, body: AnyNode): void {
  if (canReachEnd(body)) insertAtEnd(walk, body, inFlow(walk.context.flow, 'exit'));
}

/** A function declared in a block behaves differently from one declared in a body: such a body stays unchanged. */
function isGuarded(body: AnyNode, prologue: readonly AnyNode[]): boolean {
  const statements = body.body.slice(prologue.length) as readonly AnyNode[];
  return statements.length > 0 && !statements.some(declaresFunction);
}

function declaresFunction(statement: AnyNode): boolean {
  return statement.type === 'LabeledStatement' ? declaresFunction(statement.body) : statement.type === 'FunctionDeclaration';
}

function visitGuarded(walk: Walk, body: AnyNode, prologue: readonly AnyNode[], eager: boolean): void {
  const at = entryOffset(walk, body, prologue);
  if (eager) walk.insert(at, 'blockOpen');
  walk.insert(at, 'entry', walk.context.owner);
  walk.insert(at, 'guardOpen');
  walk.visitChildren(body);
  insertExit(walk, body);
  const { resolves = [] } = walk.context.found ?? {};
  if (resolves.length === 1) walk.insertPlace(body.end - 1, resolves[0] as number);
  walk.insert(body.end - 1, GUARD[walk.context.flow] as PieceName);
  if (eager) walk.insert(body.end - 1, 'blockClose');
}

/** Inserts entry and end into the first and last statement, if those may be put into a block. */
function visitCounted(walk: Walk, body: AnyNode, prologue: readonly AnyNode[], statements: readonly AnyNode[]): void {
  const counted = statements.filter((statement) => !/^(Function|Empty)/.test(statement.type));
  const first = counted[0];
  const last = counted.at(-1);
  if (!first || !last) {
    visitUncounted(walk, body, prologue);
    return;
  }
  const end = canReachEnd(body) ? inFlow(walk.context.flow, 'exit') : undefined;
  const opensFirst = !isLexical(first);
  const closesLast = end !== undefined && !isLexical(last);
  if (!opensFirst) insertEntry(walk, body, prologue);
  walk.inside(body, () => {
    for (const statement of statements) {
      const opens = statement === first && opensFirst;
      const closes = statement === last && closesLast;
      if (opens || closes) walk.insert(statement.start, 'blockOpen');
      if (opens) walk.insert(statement.start, 'entry', walk.context.owner);
      walk.visit(statement);
      if (closes && !isEnded(walk.source, statement)) walk.insert(statement.end, 'semicolon');
      if (closes) walk.insert(statement.end, end);
      if (opens || closes) walk.insert(statement.end, 'blockClose');
    }
  });
  if (end && !closesLast) insertAtEnd(walk, body, end);
}

/** A body that runs nothing: everything that is inserted is one statement. */
function visitUncounted(walk: Walk, body: AnyNode, prologue: readonly AnyNode[]): void {
  if (prologue.length > 0) insertEntry(walk, body, prologue);
  else {
    walk.insert(body.start + 1, 'blockOpen');
    walk.insert(body.start + 1, 'entry', walk.context.owner);
    walk.insert(body.start + 1, inFlow(walk.context.flow, 'exit'));
    walk.insert(body.start + 1, 'blockClose');
  }
  walk.visitChildren(body);
  if (prologue.length > 0) insertAtEnd(walk, body, inFlow(walk.context.flow, 'exit'));
}

function insertEntry(walk: Walk, body: AnyNode, prologue: readonly AnyNode[]): void {
  walk.insert(entryOffset(walk, body, prologue), 'entry', walk.context.owner);
}

/**
 * After the directives, because a piece before them would end the prologue. Ends the last directive if it has no end. Where the
 * line of the `{` is kept, before the first statement, which may be on another one.
 */
export function entryOffset(walk: Walk, body: AnyNode, prologue: readonly AnyNode[]): number {
  const last = prologue.at(-1);
  if (last === undefined && !walk.isKept(body.start)) return body.start + 1;
  const next = body.body[prologue.length]?.start ?? body.end - 1;
  if (last === undefined) return next;
  const at = isEnded(walk.source, last) ? last.end : next;
  if (!isSeparated(walk.source, last, at)) walk.insert(at, 'semicolon');
  return at;
}

function isLexical(statement: AnyNode): boolean {
  return /^Class|^Function/.test(statement.type) || (statement.type === 'VariableDeclaration' && statement.kind !== 'var');
}

/** Turns an arrow's expression into a body, and visits it. */
export function visitExpressionBody(walk: Walk, body: AnyNode, eager: boolean): void {
  if (walk.context.found) walk.context.found.needsValue = true;
  if (eager) walk.insert(body.start, 'blockOpen');
  walk.insertPlace(body.start, placeOfReturn(walk.source, body, walk.context.found?.params ?? []));
  walk.insert(body.start, 'entry', walk.context.owner);
  visitValue(walk, body);
  walk.insert(body.end, inFlow(walk.context.flow, 'exitValue'));
  const guard = GUARD[walk.context.flow];
  if (guard) {
    if (mayBeThenable(body)) walk.insertPlace(body.end, lastPlace(walk.source, body, body.start));
    walk.insert(body.end, guard);
  }
  walk.insert(body.end, 'blockClose');
  if (eager) walk.insert(body.end, 'blockClose');
}
