/** Statements, and lists of them. */
import { switchStatement, tryStatement } from './branches';
import { beginsWith } from './characters';
import { classAt } from './classes';
import { add, In, is, isWhole } from './context';
import { expression } from './expressions';
import { functionAt } from './functions';
import { Flag, Kind, Sort, Type } from './kinds';
import { jump, labeled } from './labels';
import { doStatement, forStatement, whileStatement } from './loops';
import { refuse } from './memory';
import { moduleDeclaration } from './modules';
import { field, flag, forget, has, isPlainSince, mark, matters, node, set, setFollowing, startOf, typeOf, unflag } from './nodes';
import { enter, leave, Scope } from './scopes';
import { afterLine, kind, next, peek, peekedAfterLine, start, word } from './tokens';
import { isDeclaration, variables } from './variables';
import { ASYNC, LET } from './words';

/** Reads a token that must be there. */
export function expect(wanted: i32): void {
  if (kind !== wanted) refuse();
  next();
}

/** The end of a statement, written or not. */
export function semicolon(): void {
  if (kind === Kind.Semicolon) next();
  else if (kind !== Kind.BraceClose && kind !== Kind.End && !afterLine) refuse();
}

/** What the statements are that were read last: their last one, and bits for the block around them. */
let lastStatement: i32 = 0;
let listFlags: i32 = 0;

/**
 * Statements up to the end of the text or, in braces, of the block, which is not read.
 * @param isBody whether they may begin with directives, @param isTop whether these may be of a module
 */
export function statements(close: i32, isBody: bool, isTop: bool): i32 {
  let first = 0;
  let last = 0;
  let beforeLast = 0;
  let isPrologue = isBody;
  // Whether there was one that runs, before the last one.
  let hasRun = false;
  let flags = 0;
  while (kind !== close) {
    const one = isTop ? topStatement() : statement(false);
    if (isPrologue) {
      if (has(one, Flag.Comma)) flag(one, Flag.Directive);
      else isPrologue = false;
      if (isPrologue) flags |= Flag.Directive;
      if (isPrologue && isStrictDirective(one)) add(In.Strict);
    }
    unflag(one, Flag.Comma);
    if (declares(one)) flags |= Flag.Declares;
    if (last === 0) first = one;
    else if (hasRun && !isPrologue && runs(one) && isPlainBetween(last)) setFollowing(beforeLast, one);
    else {
      if (runs(last) && !has(last, Flag.Directive)) hasRun = true;
      setFollowing(last, one);
      beforeLast = last;
    }
    last = one;
  }
  lastStatement = last;
  listFlags = flags;
  return first;
}

/** Whether a statement declares a function, behind labels too. */
function declares(one: i32): bool {
  let inner = one;
  while (typeOf(inner) === Type.LabeledStatement) inner = field(inner, 1);
  return typeOf(inner) === Type.FunctionDeclaration;
}

/** Whether a statement does something where it stands: sites are put before the first of them in a body, and behind the last. */
function runs(one: i32): bool {
  return typeOf(one) !== Type.FunctionDeclaration && typeOf(one) !== Type.EmptyStatement;
}

/** Whether nobody asks for a statement that stands between others that run. */
function isPlainBetween(one: i32): bool {
  const type = typeOf(one);
  const isOfModule = type >= Type.ImportDeclaration && type <= Type.ExportAllDeclaration;
  return !isWhole && has(one, Flag.Plain) && runs(one) && !isOfModule;
}

/** Whether a directive is `use strict`, in any quotes. */
export function isStrictDirective(one: i32): bool {
  const at = startOf(one);
  const quote = load<u16>(at);
  return beginsWith(at + 2, 'use strict') && load<u16>(at + 22) === quote;
}

/** @param hasScope whether what it declares is its own, @param isBody of a function */
export function block(hasScope: bool, isBody: bool): i32 {
  const from = start;
  if (hasScope) enter(Scope.Block);
  expect(Kind.BraceOpen);
  const first = statements(Kind.BraceClose, isBody, false);
  const last = lastStatement;
  const flags = listFlags;
  next();
  if (hasScope) leave();
  const made = node(Type.BlockStatement, from, 2);
  flag(made, flags);
  set(made, 0, first);
  set(made, 1, last);
  return made;
}

function topStatement(): i32 {
  if (kind === Kind.Import) {
    const behind = peek();
    if (behind !== Kind.ParenOpen && behind !== Kind.Dot) return moduleDeclaration();
  } else if (kind === Kind.Export) return moduleDeclaration();
  return statement(false);
}

/** @param isSole whether it stands alone as the body of another statement: it declares nothing then */
export function statement(isSole: bool): i32 {
  const from = start;
  switch (kind) {
    case Kind.BraceOpen:
      return block(true, false);
    case Kind.Semicolon:
      next();
      return node(Type.EmptyStatement, from, 0);
    case Kind.Var:
      return variables(Sort.Var);
    case Kind.Const:
      if (isSole) refuse();
      return variables(Sort.Const);
    case Kind.Function:
      if (isSole) refuse();
      next();
      return functionAt(from, 0, true, false);
    case Kind.Class:
      if (isSole) refuse();
      return classAt(from, true, false);
    case Kind.If:
      return ifStatement();
    case Kind.Return:
      return returnStatement();
    case Kind.For:
      return forStatement();
    case Kind.While:
      return whileStatement();
    case Kind.Do:
      return doStatement();
    case Kind.Break:
    case Kind.Continue:
      return jump();
    case Kind.Throw:
      return throwStatement();
    case Kind.Try:
      return tryStatement();
    case Kind.Switch:
      return switchStatement();
    case Kind.Debugger:
      next();
      semicolon();
      return node(Type.DebuggerStatement, from, 0);
    case Kind.Name:
      if (word === LET && isDeclaration()) {
        if (isSole) refuse();
        return variables(Sort.Let);
      }
      if (isAsyncFunction()) {
        if (isSole) refuse();
        next();
        next();
        return functionAt(from, Flag.Async, true, false);
      }
      return expressionStatement();
    default:
      return expressionStatement();
  }
}

/** Whether the current token and the next one begin the declaration of an async function. */
export function isAsyncFunction(): bool {
  return word === ASYNC && peek() === Kind.Function && !peekedAfterLine;
}

/** An expression as a statement, or a statement with a label. */
function expressionStatement(): i32 {
  const from = start;
  const since = mark();
  const isText = kind === Kind.String;
  const one = expression(false);
  if (kind === Kind.Colon && typeOf(one) === Type.Identifier && startOf(one) === from) return labeled(one);
  const isDirective = isText && typeOf(one) === Type.Literal;
  semicolon();
  const isLeft = leavesOut(from, since);
  const made = node(Type.ExpressionStatement, from, 1);
  if (isDirective) flag(made, Flag.Comma);
  set(made, 0, isLeft ? 0 : one);
  return made;
}

/** Forgets what a statement consists of if nobody will ask. */
export function leavesOut(from: i32, since: i32): bool {
  if (isWhole || is(In.Kept) || !isPlainSince(from)) return false;
  forget(since);
  return true;
}

function returnStatement(): i32 {
  const from = start;
  if (!is(In.Function)) refuse();
  matters(from);
  next();
  let argument = 0;
  if (kind !== Kind.Semicolon && kind !== Kind.BraceClose && kind !== Kind.End && !afterLine) argument = expression(false);
  semicolon();
  const made = node(Type.ReturnStatement, from, 1);
  set(made, 0, argument);
  return made;
}

function throwStatement(): i32 {
  const from = start;
  const since = mark();
  next();
  if (afterLine) refuse();
  const argument = expression(false);
  semicolon();
  const isLeft = leavesOut(from, since);
  const made = node(Type.ThrowStatement, from, 1);
  set(made, 0, isLeft ? 0 : argument);
  return made;
}

export function parenthesized(): i32 {
  expect(Kind.ParenOpen);
  const one = expression(false);
  expect(Kind.ParenClose);
  return one;
}

function ifStatement(): i32 {
  const from = start;
  next();
  const test = parenthesized();
  const consequent = statement(true);
  let alternate = 0;
  if (kind === Kind.Else) {
    next();
    alternate = statement(true);
  }
  const made = node(Type.IfStatement, from, 3);
  set(made, 0, test);
  set(made, 1, consequent);
  set(made, 2, alternate);
  return made;
}
