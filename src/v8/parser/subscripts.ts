/** Atoms with what stands behind them: properties, calls, templates; and lists of expressions. */
import { atom, template } from './atoms';
import { isText } from './characters';
import { privateName } from './classes';
import { add, arrowAt, context, In, setContext, waits } from './context';
import { assignment, expression, isArrowFrom } from './expressions';
import { arrow } from './functions';
import { Flag, Kind, Type } from './kinds';
import { refuse } from './memory';
import { propertyIdentifier } from './names';
import { endOf, flag, node, set, setFollowing, typeOf } from './nodes';
import { listToPatterns } from './patterns';
import { expect } from './statements';
import { afterLine, kind, next, start } from './tokens';

/** An atom with the properties, calls and templates behind it. @param isCallee of `new`, whose first parentheses are its own */
export function subscripts(isCallee: bool): i32 {
  const from = start;
  let one = atom();
  if (isArrowFrom(one, from)) return one;
  let mayBeAsync =
    arrowAt === from && endOf(one) - from === 10 && typeOf(one) === Type.Identifier && isText(from, endOf(one), 'async');
  let isChain = false;
  while (true) {
    let flags = 0;
    if (kind === Kind.OptionalDot) {
      if (isCallee) refuse();
      next();
      flags = Flag.Optional;
      isChain = true;
    }
    if (kind === Kind.BracketOpen) {
      next();
      const key = expression(false);
      expect(Kind.BracketClose);
      one = member(one, key, from, flags | Flag.Computed);
    } else if (kind === Kind.ParenOpen && !isCallee) {
      const isAsync = mayBeAsync && flags === 0 && !afterLine;
      const waitsBefore = waits;
      const list = callArguments(isAsync);
      if (isAsync && kind === Kind.Arrow && !afterLine) {
        if (waits !== waitsBefore) refuse();
        listToPatterns(list, true);
        return arrow(from, list, Flag.Async);
      }
      const made = node(Type.CallExpression, from, 2);
      flag(made, flags);
      set(made, 0, one);
      set(made, 1, list);
      one = made;
    } else if (kind === Kind.Template) {
      if (isChain) refuse();
      const quasi = template();
      const made = node(Type.TaggedTemplateExpression, from, 2);
      set(made, 0, one);
      set(made, 1, quasi);
      one = made;
    } else if (flags !== 0) one = member(one, memberName(one), from, flags);
    else if (kind === Kind.Dot) {
      next();
      one = member(one, memberName(one), from, 0);
    } else break;
    mayBeAsync = false;
  }
  if (!isChain) return one;
  const made = node(Type.ChainExpression, from, 1);
  set(made, 0, one);
  return made;
}

function member(object: i32, property: i32, from: i32, flags: i32): i32 {
  const made = node(Type.MemberExpression, from, 2);
  flag(made, flags);
  set(made, 0, object);
  set(made, 1, property);
  return made;
}

function memberName(object: i32): i32 {
  if (kind !== Kind.PrivateName) return propertyIdentifier();
  if (typeOf(object) === Type.Super) refuse();
  return privateName();
}

/** The arguments in parentheses. @param mayBeParameters of an async arrow: its `this` would be another's */
export function callArguments(mayBeParameters: bool): i32 {
  const outer = context;
  if (mayBeParameters) add(In.Arrow);
  next();
  const first = elements(Kind.ParenClose, false);
  setContext(outer);
  return first;
}

/** Expressions and spreads up to what closes them, which is read. Returns the first one. */
export function elements(close: i32, hasHoles: bool): i32 {
  let first = 0;
  let last = 0;
  while (kind !== close) {
    let one = 0;
    if (hasHoles && kind === Kind.Comma) one = node(Type.Hole, start, 0);
    else if (kind === Kind.Ellipsis) one = spread();
    else one = assignment(false);
    if (last === 0) first = one;
    else setFollowing(last, one);
    last = one;
    if (kind === close) break;
    expect(Kind.Comma);
  }
  next();
  return first;
}

export function spread(): i32 {
  const from = start;
  next();
  const argument = assignment(false);
  const made = node(Type.SpreadElement, from, 1);
  if (kind === Kind.Comma) flag(made, Flag.Comma);
  set(made, 0, argument);
  return made;
}
