/**
 * What a thread tells while one of its turns of the event loop is looked at: from program/turn-sampler.ts to control/turns/, as
 * the value of an inspector's evaluation.
 */

/** One call on a sampled stack. */
export interface SampledFrame {
  /** V8's name of the function; '' if it has none. */
  readonly name: string;
  /** The text's name: a path or a URL; '' for V8's built-ins. */
  readonly url: string;
  /** The place that it has reached, in the original text: from 1. */
  readonly line: number;
  readonly column: number;
  /** Where the function begins; 0 if V8 does not say. The same as the place: it is about to be entered. */
  readonly fromLine: number;
  readonly fromColumn: number;
  /** Whether it waits in an `await` for the call above. */
  readonly isAsync: boolean;
}

/** The garbage collections since the first sample. */
export interface SampledCollections {
  readonly count: number;
  /** Microseconds in which the thread stood still for them. */
  readonly us: number;
}

/** What one look at a thread finds. */
export interface TurnSample {
  /** Innermost first. Empty: no JavaScript runs. */
  readonly frames: readonly SampledFrame[];
  /** The name of the program's function that the event loop has called, if none of the program's is on the stack. */
  readonly callback?: string;
  /** In the last one of a turn. */
  readonly collections?: SampledCollections;
}

/** Which look at a turn it is. */
export type TurnLook = 'first' | 'next' | 'last';
