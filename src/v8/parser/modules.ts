/** Import and export declarations: the exports. */

import { literal } from './atoms';
import { classAt } from './classes';
import { add, context, In, isModule, setContext } from './context';
import { assignment } from './expressions';
import { functionAt } from './functions';
import { importDeclaration, source, withClause } from './imports';
import { Flag, Kind, Type, Value } from './kinds';
import { refuse } from './memory';
import { check, propertyIdentifier } from './names';
import { detailOf, endOf, field, following, node, set, setFollowing, startOf, typeOf } from './nodes';
import { isDeclaredAtTop, markOf, nameAt, setMark } from './scopes';
import { expect, isAsyncFunction, semicolon, statement } from './statements';
import { end, kind, next, start, word } from './tokens';
import { isDeclaration } from './variables';
import { AS, FROM, LET } from './words';

/** The mark of a name that is exported. */
const EXPORTED: i32 = 1;

/** Names that were exported before they were declared. */
const MOST: i32 = 4096;
const undeclared: usize = memory.data(MOST * 4);
let undeclaredCount: i32 = 0;

export function beginModules(): void {
  undeclaredCount = 0;
}

/** At the end of the text: what is exported is declared. */
export function endModules(): void {
  for (let i = 0; i < undeclaredCount; i++) if (!isDeclaredAtTop(load<i32>(undeclared + i * 4))) refuse();
}

export function moduleDeclaration(): i32 {
  if (!isModule) refuse();
  const from = start;
  if (kind === Kind.Import) return importDeclaration(from);
  next();
  if (kind === Kind.Multiply) return exportAll(from);
  if (kind === Kind.Default) return exportDefault(from);
  if (kind === Kind.BraceOpen) return exportList(from);
  const isNamed =
    kind === Kind.Var ||
    kind === Kind.Const ||
    kind === Kind.Class ||
    kind === Kind.Function ||
    (word === LET && isDeclaration()) ||
    isAsyncFunction();
  if (!isNamed) refuse();
  const outer = context;
  add(In.Kept);
  const declaration = statement(false);
  setContext(outer);
  if (typeOf(declaration) === Type.VariableDeclaration) {
    for (let one = field(declaration, 0); one !== 0; one = following(one)) exportPattern(field(one, 0));
  } else exportId(field(declaration, 0));
  return exportNamed(from, declaration, 0, 0, 0);
}

function exportNamed(from: i32, declaration: i32, specifiers: i32, source: i32, attributes: i32): i32 {
  const made = node(Type.ExportNamedDeclaration, from, 4);
  set(made, 0, declaration);
  set(made, 1, specifiers);
  set(made, 2, source);
  set(made, 3, attributes);
  return made;
}

/** Each name is exported once. */
function exportName(from: i32, to: i32): void {
  const name = nameAt(from, to);
  if (markOf(name) === EXPORTED) refuse();
  setMark(name, EXPORTED);
}

function exportId(id: i32): void {
  const quote = typeOf(id) === Type.Literal ? 2 : 0;
  exportName(startOf(id) + quote, endOf(id) - quote);
}

/** The name that something is exported as, which may be a text: one with escapes, or characters of two units, is refused. */
function exportedName(): i32 {
  if (kind !== Kind.String) return propertyIdentifier();
  for (let at = start; at < end; at += 2) {
    const unit = load<u16>(at);
    if (unit === 92 || (unit & 0xf800) === 0xd800) refuse();
  }
  return literal(Value.String);
}

function exportPattern(one: i32): void {
  switch (typeOf(one)) {
    case Type.Identifier:
      exportId(one);
      return;
    case Type.Property:
      exportPattern(field(one, 1));
      return;
    case Type.AssignmentPattern:
    case Type.RestElement:
      exportPattern(field(one, 0));
      return;
    case Type.ObjectPattern:
    case Type.ArrayPattern:
      for (let each = field(one, 0); each !== 0; each = following(each)) exportPattern(each);
      return;
    default:
  }
}

function exportAll(from: i32): i32 {
  next();
  let exported = 0;
  if (word === AS) {
    next();
    exported = exportedName();
    exportId(exported);
  }
  const path = source();
  const attributes = withClause();
  semicolon();
  const made = node(Type.ExportAllDeclaration, from, 3);
  set(made, 0, exported);
  set(made, 1, path);
  set(made, 2, attributes);
  return made;
}

function exportDefault(from: i32): i32 {
  exportName(start, end);
  next();
  const valueFrom = start;
  let declaration = 0;
  if (kind === Kind.Function) {
    next();
    declaration = functionAt(valueFrom, 0, true, true);
  } else if (isAsyncFunction()) {
    next();
    next();
    declaration = functionAt(valueFrom, Flag.Async, true, true);
  } else if (kind === Kind.Class) declaration = classAt(valueFrom, true, true);
  else {
    declaration = assignment(false);
    semicolon();
  }
  const made = node(Type.ExportDefaultDeclaration, from, 1);
  set(made, 0, declaration);
  return made;
}

function exportList(from: i32): i32 {
  next();
  let first = 0;
  let last = 0;
  while (kind !== Kind.BraceClose) {
    const one = exportSpecifier();
    if (last === 0) first = one;
    else setFollowing(last, one);
    last = one;
    if (kind === Kind.BraceClose) break;
    expect(Kind.Comma);
  }
  next();
  let path = 0;
  let attributes = 0;
  if (word === FROM) {
    path = source();
    attributes = withClause();
  } else {
    for (let one = first; one !== 0; one = following(one)) exportLocal(field(one, 0));
  }
  semicolon();
  return exportNamed(from, 0, first, path, attributes);
}

function exportSpecifier(): i32 {
  const from = start;
  const local = propertyIdentifier();
  let exported = local;
  if (word === AS) {
    next();
    exported = exportedName();
  }
  exportId(exported);
  const made = node(Type.ExportSpecifier, from, 2);
  set(made, 0, local);
  set(made, 1, exported);
  return made;
}

/** A variable that is exported. One whose name is a word of the language is refused where it would have to be declared. */
function exportLocal(local: i32): void {
  check(detailOf(local));
  const name = nameAt(startOf(local), endOf(local));
  if (undeclaredCount >= MOST) refuse();
  store<i32>(undeclared + undeclaredCount++ * 4, name);
}
