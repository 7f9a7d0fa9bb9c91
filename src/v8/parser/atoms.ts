/** Expressions without operators: names, literals, what stands in parentheses, templates, `new`, `import()`. */

import { endsTemplate, templatePartEnd } from './characters';
import { classAt } from './classes';
import { add, arrowAt, context, In, is, isModule, setContext, waits } from './context';
import { arrowOfName, assignment, expression } from './expressions';
import { arrow, functionAt } from './functions';
import { Flag, Kind, Type, Value } from './kinds';
import { refuse } from './memory';
import { identifier, identifierAt, propertyIdentifier } from './names';
import { matters, node, nodeTo, set, setDetail, setFollowing, typeOf } from './nodes';
import { object } from './objects';
import { listToPatterns } from './patterns';
import { expect } from './statements';
import { callArguments, elements, spread, subscripts } from './subscripts';
import { afterLine, end, isBeforeArrow, kind, lastEnd, next, nextFrom, peek, scanRegExp, start, word } from './tokens';
import { ASYNC, META, TARGET } from './words';

/** An expression without operators around. */
export function atom(): i32 {
  const from = start;
  switch (kind) {
    case Kind.Name:
      return nameOrAsync(from);
    case Kind.String:
      return literal(Value.String);
    case Kind.Number:
      return literal(Value.Number);
    case Kind.Bigint:
      return literal(Value.Bigint);
    case Kind.Divide:
    case Kind.AssignDivide:
      scanRegExp();
      return literal(Value.Regexp);
    case Kind.Null:
      return literal(Value.Null);
    case Kind.True:
      return literal(Value.True);
    case Kind.False:
      return literal(Value.False);
    case Kind.This:
      if (is(In.Arrow)) matters(from);
      next();
      return node(Type.ThisExpression, from, 0);
    case Kind.ParenOpen:
      return parenthesized();
    case Kind.BracketOpen: {
      next();
      const first = elements(Kind.BracketClose, true);
      const made = node(Type.ArrayExpression, from, 1);
      set(made, 0, first);
      return made;
    }
    case Kind.BraceOpen:
      return object();
    case Kind.Function:
      next();
      return functionAt(from, 0, false, false);
    case Kind.Class:
      return classAt(from, false, false);
    case Kind.New:
      return newFrom();
    case Kind.Template:
      return template();
    case Kind.Import:
      return importFrom();
    case Kind.Super:
      return superFrom();
    default:
      refuse();
      return 0;
  }
}

export function literal(value: i32): i32 {
  const from = start;
  next();
  const made = node(Type.Literal, from, 0);
  setDetail(made, value);
  return made;
}

/** A name, an async function, or an async arrow with one parameter. */
function nameOrAsync(from: i32): i32 {
  const isAsync = word === ASYNC;
  const name = identifier();
  if (!isAsync || afterLine) return name;
  if (kind === Kind.Function) {
    next();
    return functionAt(from, Flag.Async, false, false);
  }
  if (kind === Kind.Name && arrowAt === from && isBeforeArrow()) return arrowOfName(from, Flag.Async);
  return name;
}

function superFrom(): i32 {
  const from = start;
  next();
  if (kind === Kind.ParenOpen ? !is(In.Derived) : !is(In.Method) || (kind !== Kind.Dot && kind !== Kind.BracketOpen)) refuse();
  return node(Type.Super, from, 0);
}

/** An expression in parentheses, or an arrow function whose parameters these are. */
function parenthesized(): i32 {
  const from = start;
  const mayBeArrow = arrowAt === from;
  const outer = context;
  if (mayBeArrow) add(In.Arrow);
  const waitsBefore = waits;
  next();
  const innerFrom = start;
  let first = 0;
  let last = 0;
  let isList = false;
  let isParameters = false;
  let innerEnd = start;
  while (kind !== Kind.ParenClose) {
    const one = kind === Kind.Ellipsis ? spread() : assignment(false);
    if (typeOf(one) === Type.SpreadElement) isParameters = true;
    if (last === 0) first = one;
    else {
      setFollowing(last, one);
      isList = true;
    }
    last = one;
    innerEnd = lastEnd;
    if (kind === Kind.ParenClose) break;
    expect(Kind.Comma);
    if (kind === Kind.ParenClose) isParameters = true;
  }
  next();
  setContext(outer);
  if (mayBeArrow && kind === Kind.Arrow && !afterLine) {
    if (waits !== waitsBefore) refuse();
    listToPatterns(first, true);
    return arrow(from, first, 0);
  }
  if (first === 0 || isParameters) refuse();
  let inner = first;
  if (isList) {
    inner = nodeTo(Type.SequenceExpression, innerFrom, innerEnd, 1);
    set(inner, 0, first);
  }
  const made = node(Type.ParenthesizedExpression, from, 1);
  set(made, 0, inner);
  return made;
}

function newFrom(): i32 {
  const from = start;
  next();
  if (kind === Kind.Dot) {
    next();
    if (word !== TARGET || !is(In.Call)) refuse();
    return metaProperty(from, 6);
  }
  if (kind === Kind.Import && peek() !== Kind.Dot) refuse();
  const callee = subscripts(true);
  if (typeOf(callee) === Type.Super || typeOf(callee) === Type.ImportExpression) refuse();
  let list = 0;
  if (kind === Kind.ParenOpen) list = callArguments(false);
  const made = node(Type.NewExpression, from, 2);
  set(made, 0, callee);
  set(made, 1, list);
  return made;
}

/** `new.target` or `import.meta`: the current token is its property. */
function metaProperty(from: i32, bytes: i32): i32 {
  const meta = identifierAt(from, from + bytes);
  const property = propertyIdentifier();
  const made = node(Type.MetaProperty, from, 2);
  set(made, 0, meta);
  set(made, 1, property);
  return made;
}

function importFrom(): i32 {
  const from = start;
  next();
  if (kind === Kind.Dot) {
    next();
    if (word !== META || !isModule) refuse();
    return metaProperty(from, 12);
  }
  expect(Kind.ParenOpen);
  matters(from);
  const path = assignment(false);
  let options = 0;
  if (kind === Kind.Comma) {
    next();
    if (kind !== Kind.ParenClose) {
      options = assignment(false);
      if (kind === Kind.Comma) next();
    }
  }
  expect(Kind.ParenClose);
  const made = node(Type.ImportExpression, from, 2);
  set(made, 0, path);
  set(made, 1, options);
  return made;
}

export function template(): i32 {
  const from = start;
  let firstPart = 0;
  let lastPart = 0;
  let first = 0;
  let last = 0;
  let at = end;
  while (true) {
    const partEnd = templatePartEnd(at);
    const part = nodeTo(Type.TemplateElement, at, partEnd, 0);
    if (lastPart === 0) firstPart = part;
    else setFollowing(lastPart, part);
    lastPart = part;
    if (endsTemplate(partEnd)) {
      nextFrom(partEnd + 2);
      break;
    }
    nextFrom(partEnd + 4);
    const one = expression(false);
    if (last === 0) first = one;
    else setFollowing(last, one);
    last = one;
    // What is behind the brace is no token.
    if (kind !== Kind.BraceClose) refuse();
    at = end;
  }
  const made = node(Type.TemplateLiteral, from, 2);
  set(made, 0, first);
  set(made, 1, firstPart);
  return made;
}
