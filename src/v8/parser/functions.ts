/** Functions: their parameters, and bodies. */
import { context, In, is, isInHead, ofFunction, setContext, setWaits, waits } from './context';
import { assignment } from './expressions';
import { Flag, Kind, Most, Sort, Type } from './kinds';
import { labelBase, openLabels, setLabelBase } from './labels';
import { isSame, refuse } from './memory';
import { identifier, isSloppyOnly } from './names';
import { detailOf, endOf, field, flag, following, has, matters, node, set, startOf, typeOf } from './nodes';
import { bind, bindings, bindList, isNameTwice, isSloppyBinding, setBound } from './patterns';
import { Binding, enter, functionsAreVar, leave, Scope } from './scopes';
import { block, expect, isStrictDirective } from './statements';
import { kind, next, start } from './tokens';
import { Special } from './words';

/** What the fields of a function are. */
const ID: i32 = 0;
const PARAMETERS: i32 = 1;
const BODY: i32 = 2;
const FIELDS: i32 = 3;

function bitsOf(flags: i32): i32 {
  return ((flags & Flag.Async) !== 0 ? In.Async : 0) | ((flags & Flag.Generator) !== 0 ? In.Generator : 0);
}

/**
 * A function whose word `function` was read. @param isDeclaration and it may have no name, @param mayBeNameless as behind
 * `export default`
 */
export function functionAt(from: i32, flags: i32, isDeclaration: bool, mayBeNameless: bool): i32 {
  let all = flags;
  if (kind === Kind.Multiply) {
    all |= Flag.Generator;
    next();
  }
  let id = 0;
  if (isDeclaration && !(mayBeNameless && kind === Kind.ParenOpen)) {
    id = identifier();
    const isPlain = !is(In.Strict) && all === 0;
    bind(id, isPlain ? Binding.Function : functionsAreVar() ? Binding.Var : Binding.Lexical);
  }
  const outer = context;
  const inner = ofFunction(false, bitsOf(all));
  if (!isDeclaration && kind === Kind.Name) {
    // The name of a function that is a value is read as in its own code.
    setContext(inner);
    id = identifier();
    if (is(In.Strict) && isSloppyOnly(detailOf(id))) refuse();
    setContext(outer);
  }
  return rest(from, isDeclaration ? Type.FunctionDeclaration : Type.FunctionExpression, id, all, inner, false);
}

/** A method, from its parenthesis on. */
export function method(flags: i32, further: i32, sort: i32): i32 {
  const made = rest(start, Type.FunctionExpression, 0, flags, ofFunction(false, bitsOf(flags) | further), true);
  const first = field(made, PARAMETERS);
  if (sort === Sort.Get && first !== 0) refuse();
  if (sort === Sort.Set && (first === 0 || following(first) !== 0 || typeOf(first) === Type.RestElement)) refuse();
  return made;
}

/** Parameters in parentheses, and the body. */
function rest(from: i32, type: i32, id: i32, flags: i32, bits: i32, isMethod: bool): i32 {
  const outer = context;
  const outerWaits = waits;
  const outerLabels = labelBase;
  const outerSloppy = isSloppyBinding;
  const outerTwice = isNameTwice;
  setContext(bits | In.Parameters);
  setBound(false, false);
  setLabelBase(openLabels);
  enter(Scope.Function);
  expect(Kind.ParenOpen);
  const parameters = bindings(Kind.ParenClose, false, Binding.Var);
  const isTwice = isNameTwice;
  const isSloppy = isSloppyBinding || (id !== 0 && isSloppyOnly(detailOf(id)));
  const isSimple = areNames(parameters);
  setContext(context & ~In.Parameters);
  if (isTwice && (isMethod || !isSimple || is(In.Strict))) refuse();
  const body = bodyOf(isSimple, isSloppy || isTwice);
  leave();
  setLabelBase(outerLabels);
  setBound(outerSloppy, outerTwice);
  setWaits(outerWaits);
  setContext(outer);
  return made(from, type, id, parameters, body, flags, isSimple && !isTwice && arePassed(parameters));
}

/** @param isSimple whether its parameters are names of which all can be passed */
function made(from: i32, type: i32, id: i32, parameters: i32, body: i32, flags: i32, isSimple: bool): i32 {
  matters(from);
  const one = node(type, from, FIELDS);
  flag(one, isSimple && !replaces(body, parameters) ? flags | Flag.Simple : flags);
  set(one, ID, id);
  set(one, PARAMETERS, parameters);
  set(one, BODY, body);
  return one;
}

/** An arrow function: its parameters were read, and the arrow is the current token. */
export function arrow(from: i32, parameters: i32, flags: i32): i32 {
  const outer = context;
  const outerWaits = waits;
  const outerLabels = labelBase;
  const outerSloppy = isSloppyBinding;
  const outerTwice = isNameTwice;
  setBound(false, false);
  enter(Scope.Function);
  bindList(parameters, Binding.Var);
  if (isNameTwice) refuse();
  const isSloppy = isSloppyBinding;
  setContext(ofFunction(true, bitsOf(flags)));
  setLabelBase(openLabels);
  next();
  let body = 0;
  const isSimple = areNames(parameters);
  if (kind === Kind.BraceOpen) body = bodyOf(isSimple, isSloppy);
  // `in` is no operator in it where it is none around it.
  else body = assignment(isInHead);
  leave();
  setLabelBase(outerLabels);
  setBound(outerSloppy, outerTwice);
  setWaits(outerWaits);
  setContext(outer);
  return made(from, Type.ArrowFunctionExpression, 0, parameters, body, flags, isSimple && arePassed(parameters));
}

function areNames(parameters: i32): bool {
  for (let one = parameters; one !== 0; one = following(one)) if (typeOf(one) !== Type.Identifier) return false;
  return true;
}

/** Whether the values of all these names are passed by an entry, and none says anything of the text. */
function arePassed(parameters: i32): bool {
  let count = 0;
  for (let one = parameters; one !== 0; one = following(one)) {
    const special = detailOf(one);
    const isCode = special === Special.Eval || !has(one, Flag.Plain);
    if (special === Special.Arguments || isCode || ++count > Most.Names) return false;
  }
  return true;
}

/** Whether a function that is declared in the body has the name of a parameter. */
function replaces(body: i32, parameters: i32): bool {
  if (parameters === 0 || typeOf(body) !== Type.BlockStatement || !has(body, Flag.Declares)) return false;
  for (let one = field(body, 0); one !== 0; one = following(one)) {
    let inner = one;
    while (typeOf(inner) === Type.LabeledStatement) inner = field(inner, 1);
    if (typeOf(inner) === Type.FunctionDeclaration && isAmong(parameters, field(inner, ID))) return true;
  }
  return false;
}

function isAmong(names: i32, name: i32): bool {
  const from = startOf(name);
  const bytes = endOf(name) - from;
  for (let one = names; one !== 0; one = following(one)) {
    if (endOf(one) - startOf(one) === bytes && isSame(startOf(one), from, bytes)) return true;
  }
  return false;
}

/** A body in braces. @param isSloppy whether it must not become strict */
function bodyOf(isSimple: bool, isSloppy: bool): i32 {
  const body = block(false, true);
  if (is(In.Strict) && hasStrictDirective(body) && (!isSimple || isSloppy)) refuse();
  return body;
}

function hasStrictDirective(body: i32): bool {
  for (let one = field(body, 0); one !== 0 && has(one, Flag.Directive); one = following(one)) {
    if (isStrictDirective(one)) return true;
  }
  return false;
}
