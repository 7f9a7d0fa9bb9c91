import type { Long } from '../c-types.js';
import type { IntegerTypeName, Operand } from './operand.js';

/** The operators, those that begin with another one before it. */
export const OPERATORS = ['~', '!=', '==', '<=', '<', '>=', '>', '&'] as const;
export type Operator = (typeof OPERATORS)[number];

/** How a text is compared: the whole, its front, its end, any part of it, or with a glob. */
export type TextMatch = 'full' | 'front' | 'end' | 'middle' | 'glob';

/** One comparison of a filter, as plain data. */
export type Predicate =
  | {
      readonly test: 'integer';
      readonly operand: Operand;
      readonly operator: Exclude<Operator, '~'>;
      readonly type: IntegerTypeName;
      /** Cut to the type: of a field `u8`, 300 is 44. A number where that is exact. */
      readonly value: Long;
      /** The operand is an array of integers of so many bits each: it is compared as the one integer that its bytes are. */
      readonly elements?: number;
    }
  | {
      readonly test: 'text';
      readonly operand: Operand;
      readonly match: TextMatch;
      /** What is looked for; of a glob, its pattern. */
      readonly text: string;
      readonly not: boolean;
      /** The operand may be no text: then the predicate is false, also with `not`. */
      readonly isPointer?: boolean;
    }
  /** Known without a look at the event. */
  | { readonly test: 'constant'; readonly value: boolean };

/** One step: goes on at `target` if the predicate is `when`, else at the next. */
export interface FilterEntry {
  readonly predicate: Predicate;
  readonly when: boolean;
  readonly target: number;
}

/**
 * A filter as a program (prog_entry in kernel/trace/trace_events_filter.c): plain data, to be sent to other threads. It always
 * goes forward. The step behind the last one means true, the one behind that false.
 */
export type FilterProgram = readonly FilterEntry[];

/** A filter as its text nests. */
export type FilterNode =
  | { readonly predicate: Predicate; readonly not: boolean }
  | { readonly all: readonly FilterNode[]; readonly not: boolean }
  | { readonly any: readonly FilterNode[]; readonly not: boolean };

const sizeOf = (node: FilterNode): number => {
  if ('predicate' in node) return 1;
  return ('all' in node ? node.all : node.any).reduce((size, child) => size + sizeOf(child), 0);
};

/**
 * Makes the program of a filter: each predicate one step, which goes on where the result is decided, or where it is next needed.
 */
export function programOf(root: FilterNode): FilterProgram {
  const program: FilterEntry[] = [];
  const add = (node: FilterNode, whenTrue: number, whenFalse: number): void => {
    const [yes, no] = node.not ? [whenFalse, whenTrue] : [whenTrue, whenFalse];
    if ('predicate' in node) {
      const next = program.length + 1;
      const { predicate } = node;
      program.push(yes === next ? { predicate, when: false, target: no } : { predicate, when: true, target: yes });
      return;
    }
    const children = 'all' in node ? node.all : node.any;
    const last = children.length - 1;
    let next = program.length;
    for (const [i, child] of children.entries()) {
      next += sizeOf(child);
      if (i === last) add(child, yes, no);
      else if ('all' in node) add(child, next, no);
      else add(child, yes, next);
    }
  };
  const size = sizeOf(root);
  add(root, size, size + 1);
  return program;
}
