/** Expressions and their operators. Each function begins at the first token of what it reads, and leaves the one behind it. */
import { privateName } from './classes';
import { In, is, isInHead, setArrowAt, setInHead, setWaits, waits } from './context';
import { arrow } from './functions';
import { Flag, Kind, Type } from './kinds';
import { refuse } from './memory';
import { identifier } from './names';
import { field, flag, matters, node, set, setDetail, setFollowing, startOf, typeOf } from './nodes';
import { checkTarget, toPattern } from './patterns';
import { expect } from './statements';
import { subscripts } from './subscripts';
import { afterLine, isBeforeArrow, kind, next, start, word } from './tokens';
import { AWAIT, YIELD } from './words';

/** An expression, with commas. @param isHead whether `in` is no operator, as in the head of a `for` */
export function expression(isHead: bool): i32 {
  const from = start;
  const first = assignment(isHead);
  if (kind !== Kind.Comma) return first;
  let last = first;
  while (kind === Kind.Comma) {
    next();
    const one = assignment(isHead);
    setFollowing(last, one);
    last = one;
  }
  const made = node(Type.SequenceExpression, from, 1);
  set(made, 0, first);
  return made;
}

/** An expression without commas. */
export function assignment(isHead: bool): i32 {
  const outer = isInHead;
  setInHead(isHead);
  const made = assignmentFrom();
  setInHead(outer);
  return made;
}

function assignmentFrom(): i32 {
  const from = start;
  if (kind === Kind.Name) {
    if (word === YIELD) return yieldFrom();
    setArrowAt(from);
    if (isBeforeArrow()) return arrowOfName(from, 0);
  } else if (kind === Kind.ParenOpen) setArrowAt(from);
  const left = conditional();
  if (kind < Kind.Assign || kind > Kind.AssignCoalesce) return left;
  const operator = kind;
  if (operator === Kind.Assign) toPattern(left, false);
  else checkTarget(left);
  next();
  const right = assignment(isInHead);
  const made = node(Type.AssignmentExpression, from, 2);
  setDetail(made, operator);
  set(made, 0, left);
  set(made, 1, right);
  return made;
}

/** An arrow with one parameter without parentheses. */
export function arrowOfName(from: i32, flags: i32): i32 {
  const parameter = identifier();
  if (kind !== Kind.Arrow || afterLine) refuse();
  return arrow(from, parameter, flags);
}

/** Whether an expression is an arrow function that begins here: no operator takes one. */
export function isArrowFrom(one: i32, from: i32): bool {
  return typeOf(one) === Type.ArrowFunctionExpression && startOf(one) === from;
}

function conditional(): i32 {
  const from = start;
  const test = binary(-1);
  if (kind !== Kind.Question || isArrowFrom(test, from)) return test;
  next();
  const consequent = assignment(false);
  expect(Kind.Colon);
  const alternate = assignment(isInHead);
  const made = node(Type.ConditionalExpression, from, 3);
  set(made, 0, test);
  set(made, 1, consequent);
  set(made, 2, alternate);
  return made;
}

/** How strongly a binary operator binds; -1 for what is none. `**` is read with its left side. */
function precedence(operator: i32): i32 {
  if (operator < Kind.EitherTrue || operator > Kind.Remainder) return -1;
  if (operator <= Kind.Coalesce) return 1;
  if (operator <= Kind.And) return operator - Kind.BothTrue + 2;
  if (operator <= Kind.NotSame) return 6;
  if (operator <= Kind.In) return 7;
  if (operator <= Kind.ShiftRightZero) return 8;
  return operator <= Kind.Subtract ? 9 : 10;
}

/** An operand, and what stands behind it as far as its operators bind more strongly than `least`. */
function binary(least: i32): i32 {
  const from = start;
  let left = unary(false, false);
  if (isArrowFrom(left, from)) return left;
  while (true) {
    const operator = kind;
    const strength = precedence(operator);
    if (strength <= least || (isInHead && operator === Kind.In)) {
      if (typeOf(left) === Type.PrivateIdentifier) refuse();
      return left;
    }
    if (typeOf(left) === Type.PrivateIdentifier && operator !== Kind.In) refuse();
    next();
    // What `??` has on its right side ends before `&&`, as the two may not be mixed.
    const right = binary(operator === Kind.Coalesce ? 2 : strength);
    const isLogical = operator <= Kind.BothTrue;
    const made = node(isLogical ? Type.LogicalExpression : Type.BinaryExpression, from, 2);
    setDetail(made, operator);
    set(made, 0, left);
    set(made, 1, right);
    if (
      isLogical &&
      kind <= Kind.BothTrue &&
      kind >= Kind.EitherTrue &&
      (operator === Kind.Coalesce) !== (kind === Kind.Coalesce)
    )
      refuse();
    left = made;
  }
}

/** @param isOperand of another unary operator, @param isChanged and that one is `++` or `--` */
function unary(isOperand: bool, isChanged: bool): i32 {
  const from = start;
  let isUnary = isOperand;
  let one = 0;
  if (word === AWAIT) {
    one = awaitFrom();
    isUnary = true;
  } else if ((kind >= Kind.Increment && kind <= Kind.Delete) || kind === Kind.Add || kind === Kind.Subtract) {
    const operator = kind;
    const changes = operator <= Kind.Decrement && operator >= Kind.Increment;
    next();
    const argument = unary(true, changes);
    if (changes) checkTarget(argument);
    else {
      if (operator === Kind.Delete) checkDeleted(argument);
      isUnary = true;
    }
    one = node(changes ? Type.UpdateExpression : Type.UnaryExpression, from, 1);
    flag(one, Flag.Prefix);
    setDetail(one, operator);
    set(one, 0, argument);
  } else if (kind === Kind.PrivateName) {
    if (isOperand || isInHead) refuse();
    one = privateName();
    if (kind !== Kind.In) refuse();
    return one;
  } else {
    one = subscripts(false);
    if (isArrowFrom(one, from)) return one;
    if ((kind === Kind.Increment || kind === Kind.Decrement) && !afterLine) {
      const operator = kind;
      checkTarget(one);
      next();
      const made = node(Type.UpdateExpression, from, 1);
      setDetail(made, operator);
      set(made, 0, one);
      one = made;
    }
  }
  if (kind !== Kind.Power || isChanged) return one;
  if (isUnary) refuse();
  next();
  const right = unary(false, false);
  const made = node(Type.BinaryExpression, from, 2);
  setDetail(made, Kind.Power);
  set(made, 0, one);
  set(made, 1, right);
  return made;
}

/** Strict code deletes no variable, and none deletes a private name. */
function checkDeleted(one: i32): void {
  let inner = one;
  while (typeOf(inner) === Type.ParenthesizedExpression || typeOf(inner) === Type.ChainExpression) inner = field(inner, 0);
  if (typeOf(inner) === Type.Identifier && is(In.Strict)) refuse();
  if (typeOf(inner) === Type.MemberExpression && typeOf(field(inner, 1)) === Type.PrivateIdentifier) refuse();
}

function awaitFrom(): i32 {
  if (!is(In.Async) || is(In.Parameters)) refuse();
  const from = start;
  matters(from);
  setWaits(waits + 1);
  next();
  const argument = unary(true, false);
  const made = node(Type.AwaitExpression, from, 1);
  set(made, 0, argument);
  return made;
}

function yieldFrom(): i32 {
  if (!is(In.Generator) || is(In.Parameters)) refuse();
  const from = start;
  matters(from);
  setWaits(waits + 1);
  next();
  let argument = 0;
  let flags = 0;
  if (!afterLine && (kind === Kind.Multiply || beginsExpression())) {
    if (kind === Kind.Multiply) {
      flags = Flag.Delegate;
      next();
    }
    argument = assignment(isInHead);
  }
  const made = node(Type.YieldExpression, from, 1);
  flag(made, flags);
  set(made, 0, argument);
  return made;
}

/** Whether what follows `yield` is its operand. */
function beginsExpression(): bool {
  switch (kind) {
    case Kind.End:
    case Kind.ParenClose:
    case Kind.BracketClose:
    case Kind.BraceClose:
    case Kind.Semicolon:
    case Kind.Comma:
    case Kind.Colon:
    case Kind.In:
      return false;
    default:
      return true;
  }
}
