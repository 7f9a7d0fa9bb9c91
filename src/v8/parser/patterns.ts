/** What is bound or assigned: patterns that are read as such, and expressions that turn out to be patterns. */
import { countDefaults, In, is } from './context';
import { assignment } from './expressions';
import { Flag, Kind, Sort, Type } from './kinds';
import { refuse } from './memory';
import { identifier, isSloppyOnly } from './names';
import {
  detailOf,
  endOf,
  field,
  flag,
  following,
  has,
  node,
  set,
  setDetail,
  setFollowing,
  setType,
  startOf,
  typeOf,
} from './nodes';
import { propertyKey } from './objects';
import { Binding, declare, nameAt } from './scopes';
import { expect } from './statements';
import { kind, next, peek, start } from './tokens';

/** Set where names are bound that only sloppy code may bind so, or one name twice. */
export let isSloppyBinding: bool = false;
export let isNameTwice: bool = false;

export function setBound(sloppy: bool, twice: bool): void {
  isSloppyBinding = sloppy;
  isNameTwice = twice;
}

/** A name or a pattern that is bound. */
export function binding(as: i32): i32 {
  if (kind === Kind.BracketOpen) return arrayBinding(as);
  if (kind === Kind.BraceOpen) return objectBinding(as);
  const name = identifier();
  bind(name, as);
  return name;
}

/** Declares a name by its node. */
export function bind(name: i32, as: i32): void {
  const special = detailOf(name);
  if (isSloppyOnly(special)) {
    if (is(In.Strict)) refuse();
    isSloppyBinding = true;
  }
  if (as === Binding.None) return;
  if (declare(nameAt(startOf(name), endOf(name)), as)) isNameTwice = true;
}

/** A binding with its default. */
function bindingWithDefault(as: i32): i32 {
  const from = start;
  return defaultOf(binding(as), from);
}

function defaultOf(left: i32, from: i32): i32 {
  if (kind !== Kind.Assign) return left;
  next();
  const right = assignment(false);
  const made = node(Type.AssignmentPattern, from, 2);
  set(made, 0, left);
  set(made, 1, right);
  return made;
}

/** The elements of an array's pattern, or parameters, up to what closes them, which is read. Returns the first one. */
export function bindings(close: i32, hasHoles: bool, as: i32): i32 {
  let first = 0;
  let last = 0;
  while (kind !== close) {
    let one = 0;
    if (hasHoles && kind === Kind.Comma) one = node(Type.Hole, start, 0);
    else if (kind === Kind.Ellipsis) one = restBinding(as);
    else one = bindingWithDefault(as);
    if (last === 0) first = one;
    else setFollowing(last, one);
    last = one;
    if (kind === close) break;
    if (typeOf(one) === Type.RestElement) refuse();
    expect(Kind.Comma);
  }
  next();
  return first;
}

function restBinding(as: i32): i32 {
  const from = start;
  next();
  const argument = binding(as);
  const made = node(Type.RestElement, from, 1);
  set(made, 0, argument);
  return made;
}

function arrayBinding(as: i32): i32 {
  const from = start;
  next();
  const first = bindings(Kind.BracketClose, true, as);
  const made = node(Type.ArrayPattern, from, 1);
  set(made, 0, first);
  return made;
}

function objectBinding(as: i32): i32 {
  const from = start;
  next();
  let first = 0;
  let last = 0;
  while (kind !== Kind.BraceClose) {
    const one = kind === Kind.Ellipsis ? restBinding(as) : propertyBinding(as);
    if (last === 0) first = one;
    else setFollowing(last, one);
    last = one;
    if (kind === Kind.BraceClose) break;
    if (typeOf(one) === Type.RestElement) refuse();
    expect(Kind.Comma);
  }
  // Only a name takes the rest of an object.
  if (last !== 0 && typeOf(last) === Type.RestElement && typeOf(field(last, 0)) !== Type.Identifier) refuse();
  next();
  const made = node(Type.ObjectPattern, from, 1);
  set(made, 0, first);
  return made;
}

function propertyBinding(as: i32): i32 {
  const from = start;
  const isName = kind === Kind.Name;
  const isComputed = kind === Kind.BracketOpen;
  let key = 0;
  let value = 0;
  let flags = 0;
  // A key in front of a colon may be any word; alone, it is a variable.
  if (isName && !isBeforeColon()) {
    key = identifier();
    bind(key, as);
    value = defaultOf(key, from);
    flags = Flag.Shorthand;
  } else {
    key = propertyKey();
    expect(Kind.Colon);
    value = bindingWithDefault(as);
    if (isComputed) flags = Flag.Computed;
  }
  const made = node(Type.Property, from, 2);
  flag(made, flags);
  setDetail(made, Sort.Init);
  set(made, 0, key);
  set(made, 1, value);
  return made;
}

function isBeforeColon(): bool {
  return peek() === Kind.Colon;
}

/** Turns an expression into the pattern that is assigned, or bound as parameters are. */
export function toPattern(one: i32, isBinding: bool): void {
  switch (typeOf(one)) {
    case Type.ObjectPattern:
    case Type.ArrayPattern:
      return;
    case Type.ObjectExpression:
      setType(one, Type.ObjectPattern);
      for (let each = field(one, 0); each !== 0; each = following(each)) propertyToPattern(each, isBinding);
      return;
    case Type.ArrayExpression:
      setType(one, Type.ArrayPattern);
      listToPatterns(field(one, 0), isBinding);
      return;
    case Type.AssignmentExpression:
      if (detailOf(one) !== Kind.Assign) refuse();
      setType(one, Type.AssignmentPattern);
      setDetail(one, 0);
      toPattern(field(one, 0), isBinding);
      return;
    default:
      if (isBinding && typeOf(one) !== Type.Identifier) refuse();
      checkTarget(one);
  }
}

/** Elements of an array, or what stands in parentheses before an arrow. */
export function listToPatterns(first: i32, isBinding: bool): void {
  for (let each = first; each !== 0; each = following(each)) {
    const type = typeOf(each);
    if (type === Type.SpreadElement) toRest(each, isBinding);
    else if (type !== Type.Hole) toPattern(each, isBinding);
  }
}

/** The last one of a list, without a comma behind it. */
function toRest(one: i32, isBinding: bool): void {
  if (following(one) !== 0 || has(one, Flag.Comma)) refuse();
  setType(one, Type.RestElement);
  const argument = field(one, 0);
  if (typeOf(argument) === Type.AssignmentExpression) refuse();
  toPattern(argument, isBinding);
}

function propertyToPattern(one: i32, isBinding: bool): void {
  if (typeOf(one) === Type.SpreadElement) {
    const argument = typeOf(field(one, 0));
    if (argument !== Type.Identifier && argument !== Type.MemberExpression) refuse();
    toRest(one, isBinding);
    return;
  }
  if (detailOf(one) !== Sort.Init || has(one, Flag.Method)) refuse();
  const value = field(one, 1);
  if (has(one, Flag.Shorthand) && typeOf(value) === Type.AssignmentPattern) {
    countDefaults(-1);
    toPattern(field(value, 0), isBinding);
  } else toPattern(value, isBinding);
}

/** Declares the names of a pattern that was an expression. */
function bindAll(one: i32, as: i32): void {
  switch (typeOf(one)) {
    case Type.Identifier:
      bind(one, as);
      return;
    case Type.Property:
      bindAll(field(one, 1), as);
      return;
    case Type.AssignmentPattern:
    case Type.RestElement:
      bindAll(field(one, 0), as);
      return;
    case Type.ObjectPattern:
    case Type.ArrayPattern:
      bindList(field(one, 0), as);
      return;
    case Type.Hole:
      return;
    default:
      refuse();
  }
}

export function bindList(first: i32, as: i32): void {
  for (let each = first; each !== 0; each = following(each)) bindAll(each, as);
}

/** Whether an expression can be assigned by an operator that reads it. */
export function checkTarget(one: i32): void {
  const type = typeOf(one);
  if (type === Type.ParenthesizedExpression) checkTarget(field(one, 0));
  else if (type === Type.Identifier) {
    if (is(In.Strict) && isSloppyOnly(detailOf(one))) refuse();
  } else if (type !== Type.MemberExpression) refuse();
}
