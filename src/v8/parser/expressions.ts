/** Expressions. Each function begins at the first token of what it reads, and leaves the one behind it. */
import { classAt, privateName } from './classes';
import { add, arrowAt, context, countDefaults, In, is, setArrowAt, setContext, setWaits, waits } from './context';
import { arrow, functionAt, method, setInHead } from './functions';
import { Flag, Kind, Sort, Type, Value } from './kinds';
import { refuse } from './memory';
import { check, identifier, identifierAt, propertyIdentifier } from './names';
import { detailOf, endOf, field, flag, has, matters, node, nodeTo, set, setDetail, setFollowing, startOf, typeOf } from './nodes';
import { checkTarget, listToPatterns, toPattern } from './patterns';
import { expect } from './statements';
import {
  afterLine,
  end,
  endsTemplate,
  isBeforeArrow,
  isText,
  kind,
  lastEnd,
  next,
  nextFrom,
  peek,
  scanRegExp,
  start,
  templatePartEnd,
  word,
} from './tokens';
import { ASYNC, AWAIT, GET, META, SET, TARGET, YIELD } from './words';

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
  const outer = setInHead(isHead);
  const made = assignmentFrom(isHead);
  setInHead(outer);
  return made;
}

function assignmentFrom(isHead: bool): i32 {
  const from = start;
  if (kind === Kind.Name) {
    if (word === YIELD) return yieldFrom(isHead);
    setArrowAt(from);
    if (isBeforeArrow()) return arrowOfName(from, 0);
  } else if (kind === Kind.ParenOpen) setArrowAt(from);
  const left = conditional(isHead);
  if (kind < Kind.Assign || kind > Kind.AssignCoalesce) return left;
  const operator = kind;
  if (operator === Kind.Assign) toPattern(left, false);
  else checkTarget(left);
  next();
  const right = assignment(isHead);
  const made = node(Type.AssignmentExpression, from, 2);
  setDetail(made, operator);
  set(made, 0, left);
  set(made, 1, right);
  return made;
}

/** An arrow with one parameter without parentheses. */
function arrowOfName(from: i32, flags: i32): i32 {
  const parameter = identifier();
  if (kind !== Kind.Arrow || afterLine) refuse();
  return arrow(from, parameter, flags);
}

/** Whether an expression is an arrow function that begins here: no operator takes one. */
function isArrowFrom(one: i32, from: i32): bool {
  return typeOf(one) === Type.ArrowFunctionExpression && startOf(one) === from;
}

function conditional(isHead: bool): i32 {
  const from = start;
  const test = binary(unary(false, false, isHead), from, -1, isHead);
  if (kind !== Kind.Question || isArrowFrom(test, from)) return test;
  next();
  const consequent = assignment(false);
  expect(Kind.Colon);
  const alternate = assignment(isHead);
  const made = node(Type.ConditionalExpression, from, 3);
  set(made, 0, test);
  set(made, 1, consequent);
  set(made, 2, alternate);
  return made;
}

/** How strongly a binary operator binds; 0 for what is none. `**` is read with its left side. */
function precedence(operator: i32): i32 {
  if (operator < Kind.EitherTrue || operator > Kind.Remainder) return -1;
  if (operator <= Kind.Coalesce) return 1;
  if (operator <= Kind.And) return operator - Kind.BothTrue + 2;
  if (operator <= Kind.NotSame) return 6;
  if (operator <= Kind.In) return 7;
  if (operator <= Kind.ShiftRightZero) return 8;
  return operator <= Kind.Subtract ? 9 : 10;
}

/** The operators behind a left side that bind more strongly than `least`. */
function binary(begin: i32, from: i32, least: i32, isHead: bool): i32 {
  let left = begin;
  if (isArrowFrom(left, from)) return left;
  while (true) {
    const operator = kind;
    const strength = precedence(operator);
    if (strength <= least || (isHead && operator === Kind.In)) {
      if (typeOf(left) === Type.PrivateIdentifier) refuse();
      return left;
    }
    if (typeOf(left) === Type.PrivateIdentifier && operator !== Kind.In) refuse();
    next();
    const rightFrom = start;
    // What `??` has on its right side ends before `&&`, as the two may not be mixed.
    const right = binary(unary(false, false, isHead), rightFrom, operator === Kind.Coalesce ? 2 : strength, isHead);
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
function unary(isOperand: bool, isChanged: bool, isHead: bool): i32 {
  const from = start;
  let isUnary = isOperand;
  let one = 0;
  if (kind === Kind.Name && word === AWAIT) {
    one = awaitFrom(isHead);
    isUnary = true;
  } else if ((kind >= Kind.Increment && kind <= Kind.Delete) || kind === Kind.Add || kind === Kind.Subtract) {
    const operator = kind;
    const changes = operator <= Kind.Decrement && operator >= Kind.Increment;
    next();
    const argument = unary(true, changes, isHead);
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
    if (isOperand || isHead) refuse();
    one = privateName();
    if (kind !== Kind.In) refuse();
    return one;
  } else {
    one = subscripts(atom(), from, false);
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
  const right = unary(false, false, isHead);
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

function awaitFrom(isHead: bool): i32 {
  if (!is(In.Async) || is(In.Parameters)) refuse();
  const from = start;
  matters(from);
  setWaits(waits + 1);
  next();
  const argument = unary(true, false, isHead);
  const made = node(Type.AwaitExpression, from, 1);
  set(made, 0, argument);
  return made;
}

function yieldFrom(isHead: bool): i32 {
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
    argument = assignment(isHead);
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

/** Properties, calls and templates behind an expression. @param isCallee of `new`, whose first parentheses are its own */
export function subscripts(begin: i32, from: i32, isCallee: bool): i32 {
  let one = begin;
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
function callArguments(mayBeParameters: bool): i32 {
  const outer = context;
  if (mayBeParameters) add(In.Arrow);
  next();
  const first = elements(Kind.ParenClose, false);
  setContext(outer);
  return first;
}

/** Expressions and spreads up to what closes them, which is read. Returns the first one. */
function elements(close: i32, hasHoles: bool): i32 {
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

function spread(): i32 {
  const from = start;
  next();
  const argument = assignment(false);
  const made = node(Type.SpreadElement, from, 1);
  if (kind === Kind.Comma) flag(made, Flag.Comma);
  set(made, 0, argument);
  return made;
}

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

function literal(value: i32): i32 {
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
  const calleeFrom = start;
  if (kind === Kind.Import && peek() !== Kind.Dot) refuse();
  const callee = subscripts(atom(), calleeFrom, true);
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

let isModule: bool = false;
export function beginExpressions(module: bool): void {
  isModule = module;
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

function template(): i32 {
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

function object(): i32 {
  const from = start;
  next();
  let first = 0;
  let last = 0;
  let hasPrototype = false;
  while (kind !== Kind.BraceClose) {
    const one = kind === Kind.Ellipsis ? spread() : property();
    if (isPrototype(one)) {
      if (hasPrototype) refuse();
      hasPrototype = true;
    }
    if (last === 0) first = one;
    else setFollowing(last, one);
    last = one;
    if (kind === Kind.BraceClose) break;
    expect(Kind.Comma);
  }
  next();
  const made = node(Type.ObjectExpression, from, 1);
  set(made, 0, first);
  return made;
}

/** `__proto__: value`, which an object has once at most. */
function isPrototype(one: i32): bool {
  if (typeOf(one) !== Type.Property || has(one, Flag.Computed | Flag.Method | Flag.Shorthand)) return false;
  if (detailOf(one) !== Sort.Init) return false;
  const key = field(one, 0);
  const from = startOf(key);
  const to = endOf(key);
  return isText(from, to, '__proto__') || isText(from, to, "'__proto__'") || isText(from, to, '"__proto__"');
}

/** Whether the token behind a word like `get` shows that the word is the name of a property itself. */
function endsKey(): bool {
  return (
    kind === Kind.Comma || kind === Kind.BraceClose || kind === Kind.Colon || kind === Kind.ParenOpen || kind === Kind.Assign
  );
}

function property(): i32 {
  const from = start;
  let flags = 0;
  let functionFlags = 0;
  let sort: i32 = Sort.Init;
  let key = 0;
  let isName = false;
  if (kind === Kind.Multiply) {
    functionFlags = Flag.Generator;
    next();
  } else if (kind === Kind.Name && (word === ASYNC || word === GET || word === SET)) {
    const found = word;
    const to = end;
    next();
    if (endsKey()) {
      key = identifierAt(from, to);
      isName = true;
    } else if (found === ASYNC) {
      if (afterLine) refuse();
      functionFlags = Flag.Async;
      if (kind === Kind.Multiply) {
        functionFlags |= Flag.Generator;
        next();
      }
    } else sort = found === GET ? Sort.Get : Sort.Set;
  }
  if (key === 0) {
    if (kind === Kind.BracketOpen) flags = Flag.Computed;
    isName = kind === Kind.Name;
    key = propertyKey();
  }
  let value = 0;
  if (functionFlags !== 0 || sort !== Sort.Init || kind === Kind.ParenOpen) {
    value = method(functionFlags, In.Method, sort);
    if (sort === Sort.Init) flags |= Flag.Method;
  } else if (kind === Kind.Colon) {
    next();
    value = assignment(false);
  } else {
    if (!isName) refuse();
    check(detailOf(key));
    flags |= Flag.Shorthand;
    value = key;
    if (kind === Kind.Assign) {
      next();
      countDefaults(1);
      const right = assignment(false);
      value = node(Type.AssignmentPattern, from, 2);
      set(value, 0, key);
      set(value, 1, right);
    }
  }
  const made = node(Type.Property, from, 2);
  flag(made, flags);
  setDetail(made, sort);
  set(made, 0, key);
  set(made, 1, value);
  return made;
}

/** The key of a property: a name, a literal, or an expression in brackets. */
export function propertyKey(): i32 {
  if (kind === Kind.String) return literal(Value.String);
  if (kind === Kind.Number) return literal(Value.Number);
  if (kind === Kind.Bigint) return literal(Value.Bigint);
  if (kind !== Kind.BracketOpen) return propertyIdentifier();
  next();
  const key = assignment(false);
  expect(Kind.BracketClose);
  return key;
}
