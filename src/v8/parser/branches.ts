/** `try` and `switch`. */
import { add, context, In, setContext } from './context';
import { expression } from './expressions';
import { Kind, Type } from './kinds';
import { refuse } from './memory';
import { field, matters, node, set, setFollowing } from './nodes';
import { binding } from './patterns';
import { Binding, enter, leave, Scope } from './scopes';
import { block, expect, parenthesized, statement } from './statements';
import { kind, next, start } from './tokens';

export function tryStatement(): i32 {
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

export function switchStatement(): i32 {
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
