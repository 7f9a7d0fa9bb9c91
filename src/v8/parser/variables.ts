import { assignment } from './expressions';
import { Kind, Sort, Type } from './kinds';
import { refuse } from './memory';
import { mark, node, set, setDetail, setFollowing, typeOf } from './nodes';
import { binding } from './patterns';
import { Binding } from './scopes';
import { leavesOut, semicolon } from './statements';
import { kind, next, peek, start, word } from './tokens';
import { OF } from './words';

/** Whether the word `let` begins a declaration. */
export function isDeclaration(): bool {
  const behind = peek();
  return behind === Kind.Name || behind === Kind.BracketOpen || behind === Kind.BraceOpen;
}

export function variables(sort: i32): i32 {
  const from = start;
  const since = mark();
  next();
  const first = declarators(sort, false);
  semicolon();
  return declaration(from, sort, leavesOut(from, since) ? 0 : first);
}

export function declaration(from: i32, sort: i32, first: i32): i32 {
  const made = node(Type.VariableDeclaration, from, 1);
  setDetail(made, sort);
  set(made, 0, first);
  return made;
}

/** @param isHead whether they stand in the head of a `for` */
export function declarators(sort: i32, isHead: bool): i32 {
  let first = 0;
  let last = 0;
  while (true) {
    const from = start;
    const id = binding(sort === Sort.Var ? Binding.Var : Binding.Lexical);
    let value = 0;
    if (kind === Kind.Assign) {
      next();
      value = assignment(isHead);
    } else if ((sort === Sort.Const || typeOf(id) !== Type.Identifier) && !(isHead && isIteration())) refuse();
    const made = node(Type.VariableDeclarator, from, 2);
    set(made, 0, id);
    set(made, 1, value);
    if (last === 0) first = made;
    else setFollowing(last, made);
    last = made;
    if (kind !== Kind.Comma) return first;
    next();
  }
}

/** Whether the current token is the `in` or `of` of a loop. */
export function isIteration(): bool {
  return kind === Kind.In || word === OF;
}
