/** Statements. */

import { classAt } from './classes';
import { add, context, In, is, isWhole, setContext } from './context';
import { assignment, atom, expression, subscripts } from './expressions';
import { functionAt } from './functions';
import { Flag, Kind, Sort, Type } from './kinds';
import { refuse } from './memory';
import { moduleDeclaration } from './modules';
import { identifier } from './names';
import {
  endOf,
  field,
  flag,
  following,
  forget,
  has,
  isPlainSince,
  mark,
  matters,
  node,
  set,
  setDetail,
  setFollowing,
  startOf,
  typeOf,
  unflag,
} from './nodes';
import { binding, toPattern } from './patterns';
import { Binding, enter, leave, nameAt, Scope } from './scopes';
import { afterLine, beginsWith, kind, next, peek, peekedAfterLine, start, word } from './tokens';
import { ASYNC, AWAIT, LET, OF } from './words';

/** Open labels: their name, whether it is a loop's, and where the statement begins that they label. */
const MOST_LABELS: i32 = 512;
const LABEL_BYTES: i32 = 12;
const labels: usize = memory.data(MOST_LABELS * LABEL_BYTES);
export let openLabels: i32 = 0;
/** The first of those of the current function. */
export let labelBase: i32 = 0;

export function setLabelBase(base: i32): void {
  labelBase = base;
}

export function beginStatements(): void {
  openLabels = 0;
  labelBase = 0;
}

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
  while (kind !== close) {
    const one = isTop ? topStatement() : statement(false);
    if (isPrologue) {
      if (has(one, Flag.Comma)) flag(one, Flag.Directive);
      else isPrologue = false;
      if (isPrologue && isStrictDirective(one)) add(In.Strict);
    }
    unflag(one, Flag.Comma);
    if (last === 0) first = one;
    else if (hasRun && !isPrologue && runs(one) && isPlainBetween(last)) setFollowing(beforeLast, one);
    else {
      if (runs(last) && !has(last, Flag.Directive)) hasRun = true;
      setFollowing(last, one);
      beforeLast = last;
    }
    last = one;
  }
  return first;
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
  next();
  if (hasScope) leave();
  const made = node(Type.BlockStatement, from, 1);
  set(made, 0, first);
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
      if (word === ASYNC && peek() === Kind.Function && !peekedAfterLine) {
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

/** Whether the word `let` begins a declaration. */
export function isDeclaration(): bool {
  const behind = peek();
  return behind === Kind.Name || behind === Kind.BracketOpen || behind === Kind.BraceOpen;
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
function leavesOut(from: i32, since: i32): bool {
  if (isWhole || is(In.Kept) || !isPlainSince(from)) return false;
  forget(since);
  return true;
}

function variables(sort: i32): i32 {
  const from = start;
  const since = mark();
  next();
  const first = declarators(sort, false);
  semicolon();
  const made = declaration(from, sort, leavesOut(from, since) ? 0 : first);
  return made;
}

function declaration(from: i32, sort: i32, first: i32): i32 {
  const made = node(Type.VariableDeclaration, from, 1);
  setDetail(made, sort);
  set(made, 0, first);
  return made;
}

/** @param isHead whether they stand in the head of a `for` */
function declarators(sort: i32, isHead: bool): i32 {
  let first = 0;
  let last = 0;
  while (true) {
    const from = start;
    const id = binding(sort === Sort.Var ? Binding.Var : Binding.Lexical);
    let value = 0;
    if (kind === Kind.Assign) {
      next();
      value = assignment(isHead);
    } else if ((sort === Sort.Const || typeOf(id) !== Type.Identifier) && !(isHead && isIteration())) refuse();
    const made = node(Type.VariableDeclarator, from, 2);
    set(made, 0, id);
    set(made, 1, value);
    if (last === 0) first = made;
    else setFollowing(last, made);
    last = made;
    if (kind !== Kind.Comma) return first;
    next();
  }
}

/** Whether the current token is the `in` or `of` of a loop. */
function isIteration(): bool {
  return kind === Kind.In || (kind === Kind.Name && word === OF);
}

function parenthesized(): i32 {
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

/** The body of a loop. */
function loopBody(further: i32): i32 {
  const outer = context;
  setContext(outer | In.Loop | In.Breakable | further);
  const body = statement(true);
  setContext(outer);
  return body;
}

function whileStatement(): i32 {
  const from = start;
  next();
  const test = parenthesized();
  const body = loopBody(0);
  const made = node(Type.WhileStatement, from, 2);
  set(made, 0, test);
  set(made, 1, body);
  return made;
}

function doStatement(): i32 {
  const from = start;
  next();
  const body = loopBody(0);
  expect(Kind.While);
  const test = parenthesized();
  if (kind === Kind.Semicolon) next();
  const made = node(Type.DoWhileStatement, from, 2);
  set(made, 0, body);
  set(made, 1, test);
  return made;
}

function forStatement(): i32 {
  const from = start;
  next();
  let awaits = false;
  if (kind === Kind.Name && word === AWAIT) {
    if (!is(In.Async)) refuse();
    matters(from);
    awaits = true;
    next();
  }
  enter(Scope.Block);
  expect(Kind.ParenOpen);
  const made = loopFrom(from, awaits);
  leave();
  return made;
}

function loopFrom(from: i32, awaits: bool): i32 {
  if (kind === Kind.Semicolon) return counting(from, 0, awaits);
  const headFrom = start;
  const isLet = kind === Kind.Name && word === LET;
  if (isLet && !isDeclaration()) refuse();
  if (isLet || kind === Kind.Var || kind === Kind.Const) {
    const sort: i32 = isLet ? Sort.Let : kind === Kind.Var ? Sort.Var : Sort.Const;
    next();
    const first = declarators(sort, true);
    const head = declaration(headFrom, sort, first);
    if (!isIteration() || following(first) !== 0) return counting(from, head, awaits);
    if (field(first, 1) !== 0) refuse();
    return iterating(from, head, awaits);
  }
  const head = awaits ? subscripts(atom(), headFrom, false) : expression(true);
  if (!isIteration()) return counting(from, head, awaits);
  // `async of` may begin a function.
  if (typeOf(head) === Type.Identifier && endOf(head) - startOf(head) === 10 && beginsWith(startOf(head), 'async')) refuse();
  toPattern(head, false);
  if (typeOf(head) === Type.AssignmentPattern) refuse();
  return iterating(from, head, awaits);
}

function counting(from: i32, init: i32, awaits: bool): i32 {
  if (awaits) refuse();
  expect(Kind.Semicolon);
  const test = kind === Kind.Semicolon ? 0 : expression(false);
  expect(Kind.Semicolon);
  const update = kind === Kind.ParenClose ? 0 : expression(false);
  expect(Kind.ParenClose);
  const body = loopBody(0);
  const made = node(Type.ForStatement, from, 4);
  set(made, 0, init);
  set(made, 1, test);
  set(made, 2, update);
  set(made, 3, body);
  return made;
}

function iterating(from: i32, left: i32, awaits: bool): i32 {
  const isIn = kind === Kind.In;
  if (isIn && awaits) refuse();
  next();
  const right = isIn ? expression(false) : assignment(false);
  expect(Kind.ParenClose);
  const body = loopBody(awaits ? In.ForAwait : 0);
  const made = node(isIn ? Type.ForInStatement : Type.ForOfStatement, from, 3);
  if (awaits) flag(made, Flag.Awaits);
  set(made, 0, left);
  set(made, 1, right);
  set(made, 2, body);
  return made;
}

function labelAt(index: i32): usize {
  return labels + index * LABEL_BYTES;
}

/** A name with a colon behind it, which is the current token. */
function labeled(label: i32): i32 {
  const from = startOf(label);
  const name = nameAt(from, endOf(label));
  for (let i = labelBase; i < openLabels; i++) if (load<i32>(labelAt(i)) === name) refuse();
  if (openLabels >= MOST_LABELS) refuse();
  next();
  const isLoop = kind === Kind.For || kind === Kind.While || kind === Kind.Do;
  // Several labels of one statement.
  for (let i = openLabels - 1; i >= labelBase && load<i32>(labelAt(i), 8) === from; i--) {
    store<i32>(labelAt(i), isLoop ? 1 : 0, 4);
    store<i32>(labelAt(i), start, 8);
  }
  const at = labelAt(openLabels++);
  store<i32>(at, name);
  store<i32>(at, isLoop ? 1 : 0, 4);
  store<i32>(at, start, 8);
  const body = statement(true);
  openLabels--;
  const made = node(Type.LabeledStatement, from, 2);
  set(made, 0, label);
  set(made, 1, body);
  return made;
}

/** `break` or `continue`. */
function jump(): i32 {
  const from = start;
  const isBreak = kind === Kind.Break;
  // Out of a `for await` it waits.
  if (is(In.ForAwait)) matters(from);
  next();
  let label = 0;
  if (kind === Kind.Name && !afterLine) {
    label = identifier();
    const name = nameAt(startOf(label), endOf(label));
    let i = openLabels - 1;
    while (i >= labelBase && load<i32>(labelAt(i)) !== name) i--;
    if (i < labelBase || (!isBreak && load<i32>(labelAt(i), 4) === 0)) refuse();
  } else if (!is(isBreak ? In.Breakable : In.Loop)) refuse();
  semicolon();
  const made = node(isBreak ? Type.BreakStatement : Type.ContinueStatement, from, 1);
  set(made, 0, label);
  return made;
}

function tryStatement(): i32 {
  const from = start;
  matters(from);
  next();
  const body = block(true, false);
  const handler = kind === Kind.Catch ? catchClause() : 0;
  let finalizer = 0;
  if (kind === Kind.Finally) {
    next();
    const outer = context;
    // A return that runs through it asks for its last statement.
    add(In.Kept);
    finalizer = block(true, false);
    setContext(outer);
  }
  if (handler === 0 && finalizer === 0) refuse();
  const made = node(Type.TryStatement, from, 3);
  set(made, 0, body);
  set(made, 1, handler);
  set(made, 2, finalizer);
  return made;
}

function catchClause(): i32 {
  const from = start;
  next();
  enter(Scope.Block);
  let parameter = 0;
  if (kind === Kind.ParenOpen) {
    next();
    parameter = binding(kind === Kind.Name ? Binding.Catch : Binding.Lexical);
    expect(Kind.ParenClose);
  }
  const body = block(false, false);
  leave();
  const made = node(Type.CatchClause, from, 2);
  set(made, 0, parameter);
  set(made, 1, body);
  return made;
}

function switchStatement(): i32 {
  const from = start;
  next();
  const value = parenthesized();
  expect(Kind.BraceOpen);
  enter(Scope.Block);
  const outer = context;
  setContext(outer | In.Breakable);
  let first = 0;
  let last = 0;
  let hasDefault = false;
  while (kind !== Kind.BraceClose) {
    const one = switchCase(hasDefault);
    if (field(one, 0) === 0) hasDefault = true;
    if (last === 0) first = one;
    else setFollowing(last, one);
    last = one;
  }
  setContext(outer);
  leave();
  next();
  const made = node(Type.SwitchStatement, from, 2);
  set(made, 0, value);
  set(made, 1, first);
  return made;
}

function switchCase(hasDefault: bool): i32 {
  const from = start;
  let test = 0;
  if (kind === Kind.Case) {
    next();
    test = expression(false);
  } else {
    if (hasDefault) refuse();
    expect(Kind.Default);
  }
  expect(Kind.Colon);
  let first = 0;
  let last = 0;
  while (kind !== Kind.Case && kind !== Kind.Default && kind !== Kind.BraceClose) {
    const one = statement(false);
    if (last === 0) first = one;
    else setFollowing(last, one);
    last = one;
  }
  const made = node(Type.SwitchCase, from, 2);
  set(made, 0, test);
  set(made, 1, first);
  return made;
}
