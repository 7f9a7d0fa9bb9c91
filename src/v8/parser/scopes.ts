/** Which names are declared where: a text that declares a name twice is no program. */
import { isModule } from './context';
import { ensure, isSame, refuse, tables, units } from './memory';

/** What a scope is. */
export enum Scope {
  Block = 0,
  /** The top of a script or of a module. */
  Top = 1,
  Function = 2,
  StaticBlock = 4,
  /** A `var` stays inside of these. */
  HoldsVar = 7,
}

/** How a name is declared. */
export enum Binding {
  None,
  Lexical,
  Var,
  /** A function in a sloppy block or body. */
  Function,
  /** The parameter of a `catch` that is a mere name. */
  Catch,
}

/** What a scope knows of a name: bits. */
const LEXICAL: i32 = 1;
const FUNCTION: i32 = 2;
const VAR: i32 = 4;
const CATCH: i32 = 8;

/** Scopes that are open: their kind, and the number by which names know them. */
const DEEPEST: i32 = 4096;
const SCOPE_BYTES: i32 = 8;
let scopes: i32 = 0;
let depth: i32 = 0;
let lastNumber: i32 = 0;

/** Names by their hash: next of the same hash, start, bytes, first binding, mark. */
const NAME_BYTES: i32 = 20;
/** A name in a scope: next of the same name, depth and number of the scope, bits. */
const BINDING_BYTES: i32 = 16;
let buckets: i32 = 0;
let bucketMask: i32 = 0;
let top: i32 = 0;
let limit: i32 = 0;
let free: i32 = 0;

/** Prepares the tables; returns where they end. */
export function beginScopes(): i32 {
  scopes = tables;
  depth = -1;
  lastNumber = 0;
  free = 0;
  buckets = scopes + DEEPEST * SCOPE_BYTES;
  let count = 256;
  while (count < units >> 6) count <<= 1;
  bucketMask = count - 1;
  top = buckets + count * 4;
  // A declaration takes two units, and most names are declared several times.
  limit = top + (units / 8 + 1024) * NAME_BYTES;
  ensure(limit);
  memory.fill(buckets, 0, count * 4);
  return limit;
}

export function enter(kind: i32): void {
  depth++;
  if (depth >= DEEPEST) refuse();
  const at = scopes + depth * SCOPE_BYTES;
  store<i32>(at, kind);
  store<i32>(at, ++lastNumber, 4);
}

export function leave(): void {
  depth--;
}

function kindOf(at: i32): i32 {
  return load<i32>(scopes + at * SCOPE_BYTES);
}

function numberOf(at: i32): i32 {
  return load<i32>(scopes + at * SCOPE_BYTES, 4);
}

function take(bytes: i32): i32 {
  const at = top;
  top += bytes;
  if (top > limit) refuse();
  return at;
}

/** The name that stands between two places. */
export function nameAt(start: i32, end: i32): i32 {
  let hash: u32 = 0x811c9dc5;
  for (let at = start; at < end; at += 2) hash = (hash ^ load<u16>(at)) * 0x01000193;
  const bucket = buckets + ((hash ^ (hash >> 15)) & bucketMask) * 4;
  const bytes = end - start;
  for (let at = load<i32>(bucket); at !== 0; at = load<i32>(at)) {
    if (load<i32>(at, 8) === bytes && isSame(load<i32>(at, 4), start, bytes)) return at;
  }
  const made = take(NAME_BYTES);
  store<i32>(made, load<i32>(bucket));
  store<i32>(made, start, 4);
  store<i32>(made, bytes, 8);
  store<i32>(made, 0, 12);
  store<i32>(made, 0, 16);
  store<i32>(bucket, made);
  return made;
}

/** A word of a name for others to use; 0 at first. */
export function markOf(name: i32): i32 {
  return load<i32>(name, 16);
}

export function setMark(name: i32, value: i32): void {
  store<i32>(name, value, 16);
}

/** What the scope at a depth knows of a name. */
function bindingIn(name: i32, at: i32): i32 {
  let binding = load<i32>(name, 12);
  // Those of scopes that were left lie on top, as far as they are in the way.
  while (binding !== 0 && !isOpen(binding)) {
    const below = load<i32>(binding);
    store<i32>(binding, free);
    free = binding;
    binding = below;
  }
  store<i32>(name, binding, 12);
  const number = numberOf(at);
  for (let one = binding; one !== 0; one = load<i32>(one)) if (load<i32>(one, 8) === number) return one;
  const made = free === 0 ? take(BINDING_BYTES) : free;
  if (free !== 0) free = load<i32>(free);
  store<i32>(made, binding);
  store<i32>(made, at, 4);
  store<i32>(made, number, 8);
  store<i32>(made, 0, 12);
  store<i32>(name, made, 12);
  return made;
}

function isOpen(binding: i32): bool {
  const at = load<i32>(binding, 4);
  return at <= depth && numberOf(at) === load<i32>(binding, 8);
}

/** Whether functions in a scope count as `var`. */
function takesFunctionsAsVar(kind: i32): bool {
  return (kind & Scope.Function) !== 0 || (!isModule && (kind & Scope.Top) !== 0);
}

/** Whether functions in the current scope count as `var`. */
export function functionsAreVar(): bool {
  return takesFunctionsAsVar(kindOf(depth));
}

/** Declares a name in the current scope. Returns whether the scope had it as a `var` or parameter before. */
export function declare(name: i32, as: i32): bool {
  if (as === Binding.Var) return declareVar(name);
  const binding = bindingIn(name, depth);
  const known = load<i32>(binding, 12);
  let added = LEXICAL;
  if (as === Binding.Lexical) {
    if (known !== 0) refuse();
  } else if (as === Binding.Catch) added = LEXICAL | CATCH;
  else {
    added = FUNCTION;
    if ((known & (functionsAreVar() ? LEXICAL : LEXICAL | VAR)) !== 0) refuse();
  }
  store<i32>(binding, known | added, 12);
  return false;
}

/** In each scope up to the function. */
function declareVar(name: i32): bool {
  let at = depth;
  while (true) {
    const kind = kindOf(at);
    const binding = bindingIn(name, at);
    const known = load<i32>(binding, 12);
    if ((known & LEXICAL) !== 0 && (known & CATCH) === 0) refuse();
    if ((known & FUNCTION) !== 0 && !takesFunctionsAsVar(kind)) refuse();
    store<i32>(binding, known | VAR, 12);
    if ((kind & Scope.HoldsVar) !== 0) return (known & VAR) !== 0;
    at--;
  }
}

/** Whether the outermost scope has a name. */
export function isDeclaredAtTop(name: i32): bool {
  return (load<i32>(bindingIn(name, 0), 12) & (LEXICAL | VAR)) !== 0;
}
