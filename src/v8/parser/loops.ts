/** Loops. */

import { beginsWith } from './characters';
import { context, In, is, setContext } from './context';
import { assignment, expression } from './expressions';
import { Flag, Kind, Sort, Type } from './kinds';
import { refuse } from './memory';
import { endOf, field, flag, following, matters, node, set, startOf, typeOf } from './nodes';
import { toPattern } from './patterns';
import { enter, leave, Scope } from './scopes';
import { expect, parenthesized, statement } from './statements';
import { subscripts } from './subscripts';
import { kind, next, start, word } from './tokens';
import { declaration, declarators, isDeclaration, isIteration } from './variables';
import { AWAIT, LET } from './words';

/** The body of a loop. */
function loopBody(further: i32): i32 {
  const outer = context;
  setContext(outer | In.Loop | In.Breakable | further);
  const body = statement(true);
  setContext(outer);
  return body;
}

export function whileStatement(): i32 {
  const from = start;
  next();
  const test = parenthesized();
  const body = loopBody(0);
  const made = node(Type.WhileStatement, from, 2);
  set(made, 0, test);
  set(made, 1, body);
  return made;
}

export function doStatement(): i32 {
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

export function forStatement(): i32 {
  const from = start;
  next();
  let awaits = false;
  if (word === AWAIT) {
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
  const isLet = word === LET;
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
  const head = awaits ? subscripts(false) : expression(true);
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
