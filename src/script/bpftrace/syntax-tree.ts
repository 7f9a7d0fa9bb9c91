import type { Comparison, LongOperator } from '../program.js';
import type { Span } from './problem.js';

/** A script of bpftrace's language as it is written. `at` is the part of the source that bpftrace names in its messages. */

export type BinaryOperator = Exclude<LongOperator, '>>>'> | Comparison | '&&' | '||';

export interface MapNode {
  readonly node: 'map';
  /** The name with its `@`. */
  readonly name: string;
  /** Absent: none are written. */
  readonly keys?: readonly BpfExpression[];
  readonly at: Span;
}
export interface VariableNode {
  readonly node: 'variable';
  /** The name with its `$`. */
  readonly name: string;
  readonly at: Span;
}

export type BpfExpression =
  | { readonly node: 'integer'; readonly value: bigint; readonly at: Span }
  | { readonly node: 'string'; readonly value: string; readonly at: Span }
  /** A word without parentheses: a builtin, a constant, a mode of stacks. */
  | { readonly node: 'name'; readonly name: string; readonly at: Span }
  /** `$1`; 0 is `$#`. */
  | { readonly node: 'parameter'; readonly index: number; readonly at: Span }
  | MapNode
  | VariableNode
  | {
      readonly node: 'call';
      readonly name: string;
      readonly args: readonly BpfExpression[];
      readonly nameAt: Span;
      readonly at: Span;
    }
  | { readonly node: 'size'; readonly of: BpfExpression | CastType; readonly at: Span }
  | { readonly node: 'unary'; readonly operator: '-' | '~' | '!' | '*'; readonly of: BpfExpression; readonly at: Span }
  | {
      readonly node: 'step';
      readonly operator: '++' | '--';
      readonly isPost: boolean;
      readonly of: MapNode | VariableNode;
      readonly at: Span;
    }
  | {
      readonly node: 'binary';
      readonly operator: BinaryOperator;
      readonly left: BpfExpression;
      readonly right: BpfExpression;
      readonly at: Span;
    }
  | {
      readonly node: 'choice';
      readonly condition: BpfExpression;
      readonly yes: BpfExpression;
      readonly no: BpfExpression;
      readonly at: Span;
    }
  | { readonly node: 'cast'; readonly type: CastType; readonly of: BpfExpression; readonly at: Span }
  /** `.NAME` and `->NAME`. */
  | { readonly node: 'field'; readonly of: BpfExpression; readonly name: string; readonly at: Span }
  /** `.N` of a tuple. */
  | { readonly node: 'element'; readonly of: BpfExpression; readonly index: number; readonly at: Span }
  | { readonly node: 'subscript'; readonly of: BpfExpression; readonly index: BpfExpression; readonly at: Span }
  | { readonly node: 'tuple'; readonly elements: readonly BpfExpression[]; readonly at: Span };

/** A type as it is written: `uint8`, `struct sock`. */
export interface CastType {
  readonly node: 'type';
  readonly name: string;
  readonly isPointer: boolean;
  readonly at: Span;
}

export type BpfStatement =
  | { readonly do: 'expression'; readonly expression: BpfExpression }
  | {
      readonly do: 'assign';
      readonly to: MapNode | VariableNode;
      /** The operator of `+=` and the like. */
      readonly operator?: Exclude<LongOperator, '>>>'>;
      readonly value: BpfExpression;
      readonly at: Span;
    }
  | {
      readonly do: 'if';
      readonly condition: BpfExpression;
      readonly yes: readonly BpfStatement[];
      readonly no: readonly BpfStatement[];
    }
  | { readonly do: 'while'; readonly condition: BpfExpression; readonly body: readonly BpfStatement[]; readonly at: Span }
  | { readonly do: 'unroll'; readonly count: BpfExpression; readonly body: readonly BpfStatement[]; readonly at: Span }
  | { readonly do: 'break' | 'continue' | 'return'; readonly at: Span };

/** A place of probes as it is written: `kprobe:vfs_*`. */
export interface AttachPoint {
  /** The parts between the colons, with what stood for positional parameters, without quotes. */
  readonly parts: readonly string[];
  /** All of it. */
  readonly text: string;
  readonly at: Span;
}

export interface ProbeNode {
  readonly points: readonly AttachPoint[];
  readonly predicate?: { readonly condition: BpfExpression; readonly at: Span };
  readonly body: readonly BpfStatement[];
}

export interface ScriptTree {
  readonly probes: readonly ProbeNode[];
  /** Constants of the script's own enums. */
  readonly constants: ReadonlyMap<string, bigint>;
  /** Files of `#include`, as they are written. */
  readonly includes: readonly string[];
}
