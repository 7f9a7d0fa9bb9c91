/** Classes, and the private names in them. */

import { isText } from './characters';
import { context, In, ofClassCode, setContext, setWaits, waits } from './context';
import { assignment } from './expressions';
import { method } from './functions';
import { Flag, Kind, Sort, Type } from './kinds';
import { labelBase, openLabels, setLabelBase } from './labels';
import { refuse } from './memory';
import { identifier, identifierAt } from './names';
import { detailOf, endOf, field, flag, has, matters, node, set, setDetail, setFollowing, startOf, typeOf } from './nodes';
import { propertyKey } from './objects';
import { bind } from './patterns';
import { Binding, enter, leave, nameAt, Scope } from './scopes';
import { expect, semicolon, statement } from './statements';
import { subscripts } from './subscripts';
import { afterLine, end, kind, next, start, word } from './tokens';
import { ASYNC, GET, SET, STATIC } from './words';

/** Names that were used in the open classes, and those that these declare: what one uses must be declared in it or around it. */
const MOST: i32 = 4096;
const used: usize = memory.data(MOST * 4);
const declared: usize = memory.data(MOST * 4);
const declaredAs: usize = memory.data(MOST);
let usedCount: i32 = 0;
let declaredCount: i32 = 0;
let classes: i32 = 0;

export function beginClasses(): void {
  usedCount = 0;
  declaredCount = 0;
  classes = 0;
}

/** A private name that is read or asked for. */
export function privateName(): i32 {
  if (classes === 0 || usedCount >= MOST) refuse();
  store<i32>(used + usedCount++ * 4, nameAt(start, end));
  return privateKey();
}

function privateKey(): i32 {
  const from = start;
  next();
  return node(Type.PrivateIdentifier, from, 0);
}

/** How a private name may be declared twice: by a getter and a setter, static both or none. */
const ONCE: i32 = 0;

function declarePrivate(element: i32, since: i32): void {
  const key = field(element, 0);
  const name = nameAt(startOf(key), endOf(key));
  const sort = typeOf(element) === Type.MethodDefinition ? detailOf(element) : ONCE;
  const as = sort === Sort.Get || sort === Sort.Set ? sort | (has(element, Flag.Static) ? 0x80 : 0x40) : ONCE;
  for (let i = since; i < declaredCount; i++) {
    if (load<i32>(declared + i * 4) !== name) continue;
    const before = load<u8>(declaredAs + i);
    if (as === ONCE || before === ONCE || (as ^ before) !== (Sort.Get ^ Sort.Set)) refuse();
    store<u8>(declaredAs + i, ONCE);
    return;
  }
  if (declaredCount >= MOST) refuse();
  store<i32>(declared + declaredCount * 4, name);
  store<u8>(declaredAs + declaredCount++, as);
}

/** What a class has used and not declared was used by the one around it. */
function leaveClass(usedSince: i32, declaredSince: i32): void {
  classes--;
  let kept = usedSince;
  for (let i = usedSince; i < usedCount; i++) {
    const name = load<i32>(used + i * 4);
    if (!isDeclared(name, declaredSince)) store<i32>(used + kept++ * 4, name);
  }
  usedCount = kept;
  declaredCount = declaredSince;
  if (classes === 0 && usedCount > 0) refuse();
}

function isDeclared(name: i32, since: i32): bool {
  for (let i = since; i < declaredCount; i++) if (load<i32>(declared + i * 4) === name) return true;
  return false;
}

/** A class whose word is the current token. @param mayBeNameless as behind `export default` */
export function classAt(from: i32, isDeclaration: bool, mayBeNameless: bool): i32 {
  const outer = context;
  setContext(outer | In.Strict);
  next();
  let id = 0;
  if (kind === Kind.Name) {
    id = identifier();
    if (isDeclaration) bind(id, Binding.Lexical);
    else bind(id, Binding.None);
  } else if (isDeclaration && !mayBeNameless) refuse();
  let base = 0;
  if (kind === Kind.Extends) {
    next();
    base = subscripts(false);
    if (typeOf(base) === Type.ArrowFunctionExpression) refuse();
  }
  const body = classBody(base !== 0, outer);
  const made = node(isDeclaration ? Type.ClassDeclaration : Type.ClassExpression, from, 3);
  set(made, 0, id);
  set(made, 1, base);
  set(made, 2, body);
  return made;
}

function classBody(isDerived: bool, outer: i32): i32 {
  const from = start;
  const usedSince = usedCount;
  const declaredSince = declaredCount;
  classes++;
  expect(Kind.BraceOpen);
  let first = 0;
  let last = 0;
  let hasConstructor = false;
  while (kind !== Kind.BraceClose) {
    if (kind === Kind.Semicolon) {
      next();
      continue;
    }
    const one = element(isDerived);
    const type = typeOf(one);
    if (type === Type.MethodDefinition && detailOf(one) === Sort.Constructor) {
      if (hasConstructor) refuse();
      hasConstructor = true;
    } else if (type !== Type.StaticBlock && typeOf(field(one, 0)) === Type.PrivateIdentifier) declarePrivate(one, declaredSince);
    if (last === 0) first = one;
    else setFollowing(last, one);
    last = one;
  }
  setContext(outer);
  next();
  leaveClass(usedSince, declaredSince);
  const made = node(Type.ClassBody, from, 1);
  set(made, 0, first);
  return made;
}

/** Whether a token can be the name of an element, so that the word before it is not. */
function isKey(): bool {
  return (
    kind === Kind.Name ||
    kind === Kind.PrivateName ||
    kind === Kind.Number ||
    kind === Kind.Bigint ||
    kind === Kind.String ||
    kind === Kind.BracketOpen ||
    word !== 0
  );
}

function element(isDerived: bool): i32 {
  const from = start;
  let flags = 0;
  let functionFlags = 0;
  let sort: i32 = Sort.Method;
  let key = 0;
  let wordFrom = start;
  let wordTo = end;
  if (word === STATIC) {
    next();
    if (kind === Kind.BraceOpen) return staticBlock(from);
    if (isKey() || kind === Kind.Multiply) flags = Flag.Static;
    else key = identifierAt(wordFrom, wordTo);
  }
  if (key === 0 && word === ASYNC) {
    wordFrom = start;
    wordTo = end;
    next();
    if ((isKey() || kind === Kind.Multiply) && !afterLine) functionFlags = Flag.Async;
    else key = identifierAt(wordFrom, wordTo);
  }
  if (key === 0 && kind === Kind.Multiply) {
    functionFlags |= Flag.Generator;
    next();
  }
  if (key === 0 && functionFlags === 0 && (word === GET || word === SET)) {
    const found = word;
    wordFrom = start;
    wordTo = end;
    next();
    if (isKey()) sort = found === GET ? Sort.Get : Sort.Set;
    else key = identifierAt(wordFrom, wordTo);
  }
  if (key === 0) {
    if (kind === Kind.PrivateName) {
      if (isText(start, end, '#constructor')) refuse();
      key = privateKey();
    } else {
      if (kind === Kind.BracketOpen) flags |= Flag.Computed;
      key = propertyKey();
    }
  }
  const isMethod = kind === Kind.ParenOpen || sort !== Sort.Method || functionFlags !== 0;
  const isStatic = (flags & Flag.Static) !== 0;
  const isConstructor = (flags & Flag.Computed) === 0 && isNamed(key, 'constructor');
  if (isStatic && (flags & Flag.Computed) === 0 && isNamed(key, 'prototype')) refuse();
  if (!isMethod) {
    if (isConstructor) refuse();
    return fieldOf(from, key, flags);
  }
  let further: i32 = In.Method;
  if (isConstructor && !isStatic) {
    if (sort !== Sort.Method || functionFlags !== 0) refuse();
    sort = Sort.Constructor;
    if (isDerived) further |= In.Derived;
  }
  const value = method(functionFlags, further, sort);
  const made = node(Type.MethodDefinition, from, 2);
  flag(made, flags);
  setDetail(made, sort);
  set(made, 0, key);
  set(made, 1, value);
  return made;
}

/** Whether a key is this name, as a word or as a text. One with escapes is refused, as it may be. */
function isNamed(key: i32, name: string): bool {
  const from = startOf(key);
  const to = endOf(key);
  if (typeOf(key) === Type.Identifier) return isText(from, to, name);
  if (typeOf(key) !== Type.Literal) return false;
  for (let at = from; at < to; at += 2) if (load<u16>(at) === 92) refuse();
  const quote = load<u16>(from);
  return (quote === 34 || quote === 39) && isText(from + 2, to - 2, name);
}

function fieldOf(from: i32, key: i32, flags: i32): i32 {
  let value = 0;
  if (kind === Kind.Assign) {
    next();
    const outer = context;
    const outerWaits = waits;
    setContext(ofClassCode());
    enter(Scope.Block);
    value = assignment(false);
    leave();
    setContext(outer);
    setWaits(outerWaits);
  }
  semicolon();
  const made = node(Type.PropertyDefinition, from, 2);
  flag(made, flags);
  set(made, 0, key);
  set(made, 1, value);
  return made;
}

function staticBlock(from: i32): i32 {
  const outer = context;
  const outerLabels = labelBase;
  matters(from);
  setContext(ofClassCode());
  setLabelBase(openLabels);
  enter(Scope.StaticBlock);
  next();
  let first = 0;
  let last = 0;
  while (kind !== Kind.BraceClose) {
    const one = statement(false);
    if (last === 0) first = one;
    else setFollowing(last, one);
    last = one;
  }
  leave();
  setLabelBase(outerLabels);
  setContext(outer);
  next();
  const made = node(Type.StaticBlock, from, 1);
  set(made, 0, first);
  return made;
}
