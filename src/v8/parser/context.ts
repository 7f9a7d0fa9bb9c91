/** What is allowed where the parser is, and what the reader of the tree asks about it: bits of one word. */

export enum In {
  Strict = 1,
  /** `await` waits. */
  Async = 2,
  /** `yield` is an operator. */
  Generator = 4,
  /** `super.x`, and `super()`. */
  Method = 8,
  Derived = 0x10,
  /** `new.target` */
  Call = 0x20,
  /** The value of a field, or a static block: without `arguments`. */
  ClassCode = 0x40,
  /** `return` */
  Function = 0x80,
  /** An arrow: its `this` is another's. So may be what stands in parentheses. */
  Arrow = 0x100,
  /** `continue` and `break` without a label. */
  Loop = 0x200,
  Breakable = 0x400,
  /** Leaving a loop waits. */
  ForAwait = 0x800,
  /** The whole tree is kept. */
  Kept = 0x1000,
  /** The parameters of a function: nothing may wait. */
  Parameters = 0x2000,
}

/** What an arrow has of the code around it, and another function. */
const OF_ARROW: i32 = In.Strict | In.Method | In.Derived | In.Call | In.ClassCode;
const OF_FUNCTION: i32 = In.Strict;

export let context: i32 = 0;
/** Whether the text is a module. */
export let isModule: bool = false;
/** Whether nothing may be left out of the tree. */
export let isWhole: bool = false;
/** How often the current function has waited, and whether text so far is only right if a name's value in braces becomes one. */
export let waits: i32 = 0;
export let defaults: i32 = 0;
/** Whether `in` is no operator in the innermost assignment: in the head of a `for`. */
export let isInHead: bool = false;
/** The place where an arrow function may begin. */
export let arrowAt: i32 = 0;

export function beginContext(bits: i32, module: bool, whole: bool): void {
  context = bits;
  isModule = module;
  isWhole = whole;
  waits = 0;
  defaults = 0;
  isInHead = false;
  arrowAt = 0;
}

export function is(bits: i32): bool {
  return (context & bits) !== 0;
}

export function setContext(bits: i32): void {
  context = bits;
}

export function add(bits: i32): void {
  context |= bits;
}

export function setInHead(inHead: bool): void {
  isInHead = inHead;
}

export function setArrowAt(at: i32): void {
  arrowAt = at;
}

export function setWaits(count: i32): void {
  waits = count;
}

/** A value in an object's braces, `{ a = 1 }`, that must become the default of a pattern; or has become it. */
export function countDefaults(change: i32): void {
  defaults += change;
}

/** The bits of a function's code. */
export function ofFunction(isArrow: bool, further: i32): i32 {
  return (context & (isArrow ? OF_ARROW : OF_FUNCTION)) | In.Function | (isArrow ? In.Arrow : In.Call) | further;
}

/** The bits of the value of a field, and of a static block. */
export function ofClassCode(): i32 {
  return (context & In.Strict) | In.Method | In.Call | In.ClassCode;
}
