/** Names: whether one is allowed where it stands, and its node. */

import { isText } from './characters';
import { In, is } from './context';
import { Kind, Type } from './kinds';
import { refuse } from './memory';
import { matters, node, nodeTo, setDetail } from './nodes';
import { end, kind, next, start, word } from './tokens';
import { Special, specialOf } from './words';

/** The detail of an Identifier: what is special of it. */
function special(): i32 {
  return word === 0 ? Special.None : specialOf(word);
}

/** The node of the current token as a name; the next token is read. */
function named(found: i32): i32 {
  const from = start;
  // Code that is made of text may import.
  if (found === Special.Eval || isText(from, end, 'Function') || isText(from, end, 'constructor')) matters(from);
  next();
  const made = node(Type.Identifier, from, 0);
  setDetail(made, found);
  return made;
}

/** A name that stands for a variable. */
export function identifier(): i32 {
  if (kind !== Kind.Name) refuse();
  const found = special();
  if (found !== Special.None) check(found);
  return named(found);
}

/** A name, or a word of the language, as the name of a property. */
export function propertyIdentifier(): i32 {
  if (kind !== Kind.Name && word === 0) refuse();
  return named(special());
}

/** The node of a name that has been read as a word with a meaning, and has none. */
export function identifierAt(from: i32, to: i32, found: i32 = Special.None): i32 {
  const made = nodeTo(Type.Identifier, from, to, 0);
  setDetail(made, found);
  return made;
}

/** Whether a name can be a variable's here. */
export function check(found: i32): void {
  if (found === Special.StrictReserved) {
    if (is(In.Strict)) refuse();
  } else if (found === Special.Arguments) {
    if (is(In.ClassCode)) refuse();
  } else if (found !== Special.Eval && found !== Special.None) refuse();
}

/** Whether a name can be bound or assigned in strict code. */
export function isSloppyOnly(found: i32): bool {
  return found === Special.Arguments || found === Special.Eval || found === Special.StrictReserved;
}
