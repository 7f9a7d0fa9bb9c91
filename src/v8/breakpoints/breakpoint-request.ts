import type { TextPart } from '../../ftrace/text.js';
import type { PlaceRange, ProbedFunction } from '../../port/port.js';

/**
 * Called at each hit. `values` has one function for each name: it returns the name's value, or throws where it has none (it is
 * not initialized yet, or there is no such variable). The values are those of this hit only. `offset`: of the place, from the
 * function's start.
 */
export type ProbeHit = (values: readonly (() => unknown)[], offset: number) => void;

/** Why a probe is not hit any more, as the end of a sentence about its place. */
export type ProbeEnd = 'was hit too often' | 'is no place where V8 can stop';

export interface BreakpointRequest extends ProbedFunction {
  /**
   * The breakpoint stands at the first place in these ranges. Without any it stands at the function's entry: before all else in
   * it, but its parameters have their values.
   */
  readonly ranges: readonly PlaceRange[];
  /** Only places in these parts of the text count. */
  readonly parts?: readonly TextPart[] | undefined;
  /** The `catch` that begins in the ranges: the breakpoint stands where fentry has heard of it. */
  readonly isCatch?: true | undefined;
  /** Whether it is hit before the others at its place. */
  readonly isNext?: true | undefined;
  /** Names of variables, or `this`. */
  readonly expressions: readonly string[];
  /** The text of one more expression, whose value comes behind those of the names. */
  readonly text?: string;
  readonly hit: ProbeHit;
  /** Called once if the probe has to end: a function hit too often, or a text that was compiled later and has no such place. */
  readonly ended?: (why: ProbeEnd) => void;
}
