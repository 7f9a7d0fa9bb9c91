/** Import declarations, and the paths of exports. */
import { literal } from './atoms';
import { Kind, Type, Value } from './kinds';
import { refuse } from './memory';
import { check, identifier, propertyIdentifier } from './names';
import { detailOf, node, set, setFollowing } from './nodes';
import { bind } from './patterns';
import { Binding } from './scopes';
import { expect, semicolon } from './statements';
import { kind, next, start, word } from './tokens';
import { AS, FROM } from './words';

export function importDeclaration(from: i32): i32 {
  next();
  let first = 0;
  let path = 0;
  if (kind === Kind.String) path = text();
  else {
    first = importSpecifiers();
    path = source();
  }
  const attributes = withClause();
  semicolon();
  const made = node(Type.ImportDeclaration, from, 3);
  set(made, 0, first);
  set(made, 1, path);
  set(made, 2, attributes);
  return made;
}

function importSpecifiers(): i32 {
  let first = 0;
  if (kind === Kind.Name) {
    const from = start;
    const local = identifier();
    bind(local, Binding.Lexical);
    first = node(Type.ImportDefaultSpecifier, from, 1);
    set(first, 0, local);
    if (kind !== Kind.Comma) return first;
    next();
  }
  let last = first;
  if (kind === Kind.Multiply) {
    const from = start;
    next();
    if (word !== AS) refuse();
    next();
    const local = identifier();
    bind(local, Binding.Lexical);
    const made = node(Type.ImportNamespaceSpecifier, from, 1);
    set(made, 0, local);
    if (last === 0) return made;
    setFollowing(last, made);
    return first;
  }
  expect(Kind.BraceOpen);
  while (kind !== Kind.BraceClose) {
    const one = importSpecifier();
    if (last === 0) first = one;
    else setFollowing(last, one);
    last = one;
    if (kind === Kind.BraceClose) break;
    expect(Kind.Comma);
  }
  next();
  return first;
}

function importSpecifier(): i32 {
  const from = start;
  const isWord = kind !== Kind.Name;
  const imported = propertyIdentifier();
  let local = imported;
  if (word === AS) {
    next();
    local = identifier();
  } else {
    if (isWord) refuse();
    check(detailOf(imported));
  }
  bind(local, Binding.Lexical);
  const made = node(Type.ImportSpecifier, from, 2);
  set(made, 0, imported);
  set(made, 1, local);
  return made;
}

/** `from` and a path. */
export function source(): i32 {
  if (word !== FROM) refuse();
  next();
  return text();
}

function text(): i32 {
  if (kind !== Kind.String) refuse();
  return literal(Value.String);
}

/** `with { type: 'json' }`. More than one attribute is refused: whether two are the same is not asked. */
export function withClause(): i32 {
  if (kind !== Kind.With) return 0;
  next();
  expect(Kind.BraceOpen);
  let sole = 0;
  if (kind !== Kind.BraceClose) {
    sole = importAttribute();
    if (kind === Kind.Comma) next();
  }
  expect(Kind.BraceClose);
  return sole;
}

function importAttribute(): i32 {
  const from = start;
  const key = kind === Kind.String ? text() : propertyIdentifier();
  expect(Kind.Colon);
  const value = text();
  const made = node(Type.ImportAttribute, from, 2);
  set(made, 0, key);
  set(made, 1, value);
  return made;
}
