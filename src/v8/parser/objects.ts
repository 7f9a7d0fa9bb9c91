/** Objects, and the keys of properties. */
import { literal } from './atoms';
import { isText } from './characters';
import { countDefaults, In } from './context';
import { assignment } from './expressions';
import { method } from './functions';
import { Flag, Kind, Sort, Type, Value } from './kinds';
import { refuse } from './memory';
import { check, identifierAt, propertyIdentifier } from './names';
import { detailOf, endOf, field, flag, has, node, set, setDetail, setFollowing, startOf, typeOf } from './nodes';
import { expect } from './statements';
import { spread } from './subscripts';
import { afterLine, end, kind, next, start, word } from './tokens';
import { ASYNC, GET, SET } from './words';

export function object(): i32 {
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
  } else if (word === ASYNC || word === GET || word === SET) {
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
