import type { FunctionKind, NoSiteReason } from '../js-text.js';
import type { AnyNode } from './parse.js';

/** How the activations of a piece of code run. */
export type Flow = 'sync' | 'async' | 'generator' | 'async-generator';

/** A site before a statement. */
export interface ScopedStatement {
  /** The part of the source whose first place for a probe is reached when the site is, and only then. */
  readonly from: number;
  readonly to: number;
  /** The names whose values it passes. */
  readonly names: readonly AnyNode[];
}

/** A function that the walk has found. */
export interface Found {
  readonly node: AnyNode;
  /** The start of its text: for a method, the first token of its definition. */
  readonly start: number;
  readonly kind: FunctionKind;
  readonly params: readonly AnyNode[];
  /** TextFunction.repack */
  readonly repack: string | undefined;
  /** TextFunction.imports */
  readonly imports?: readonly string[];
  readonly name: string;
  /** The name comes from its place, and needs the line. */
  readonly placed: boolean;
  /** Whether the function stands in an expression, where V8 can parse its body with what is around it. */
  readonly isPartOfExpression: boolean;
  passesThis: boolean;
  /** Some site needs the variable for a value. */
  needsValue: boolean;
  reason: NoSiteReason | undefined;
  /** Places of an async function: where V8 has it while it resolves its promise, for each `return` of what may be an object. */
  readonly resolves: number[];
  /** The function's sites at statements, in the order of the text. */
  readonly statements: ScopedStatement[];
}

/** A target of `break` and `continue`. */
export interface JumpTarget {
  readonly labels: readonly string[];
  /** Whether a `break`, and a `continue`, without a label leads to it. */
  readonly breaks: boolean;
  readonly continues: boolean;
  readonly forAwait: boolean;
}

/** The code that the walk is in: a function's body, a static block, a field's initializer, or the file's own. */
export interface CodeScope {
  readonly parent: CodeScope | undefined;
  /** Index of the function that the sites belong to; -1 outside of functions. */
  readonly owner: number;
  readonly found: Found | undefined;
  readonly flow: Flow;
  readonly arrow: boolean;
  /** Whether an inserted `var` would stay inside: false at the top of a script and in an initializer. */
  readonly holdsVariables: boolean;
  /** Numbers of the `try` statements whose `finally` a return from here runs through, outermost first. */
  finallys: readonly number[];
  targets: readonly JumpTarget[];
  tries: number;
  /** The number of enclosing `try` blocks of this code. */
  protectedDepth: number;
  labels: readonly string[];
}

/** The lists of most code: arrays of its own for each would be garbage. */
const NONE: readonly never[] = [];

/** A context inside `parent`, without labels and tries of its own so far. */
export function createScope(parent: CodeScope | undefined, fields: Partial<CodeScope>): CodeScope {
  const { owner = -1, found, flow = 'sync', arrow = false, holdsVariables = true } = fields;
  return {
    owner,
    found,
    flow,
    arrow,
    holdsVariables,
    parent,
    finallys: NONE,
    targets: NONE,
    tries: 0,
    protectedDepth: 0,
    labels: NONE,
  };
}

/** How a function's activations run. */
export function flowOf(func: AnyNode): Flow {
  if (func.generator) return func.async ? 'async-generator' : 'generator';
  return func.async ? 'async' : 'sync';
}
