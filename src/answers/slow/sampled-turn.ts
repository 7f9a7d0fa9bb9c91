import type { BtVariable } from '../bt/bt-answer.js';
import type { Frame, Place } from '../place.js';
import type { SlowTurn } from './slow-answer.js';

/** One call on the stack of a sample. */
export interface SampledCall {
  /** The function, with the place that it has reached. */
  readonly frame: Frame;
  /** Where the function begins. Absent: it is not known. */
  readonly from?: Place;
  /** Whether it waits in an `await` for the call above. */
  readonly isAsync: boolean;
  /** Present if the function was about to be entered: nothing of it had run. */
  readonly isEntry?: true;
}

/** One look at a thread. */
export interface Sample {
  /** The time that it stands for: since the answer before, in milliseconds. */
  readonly ms: number;
  /** How long the thread took to answer, in milliseconds: what it ran then could not be interrupted. */
  readonly lateMs: number;
  /** Innermost first; empty: no JavaScript ran. */
  readonly calls: readonly SampledCall[];
  /** Present if the innermost calls had ended, and are known by the text of their caller. */
  readonly isByText?: true;
  /**
   * The application's function that the event loop had called, and which is not on the stack any more. It has no place unless it
   * was seen before.
   */
  readonly callback?: SampledCall;
  /** What the system said that the thread did while it did not answer, in words that follow "it". Absent: it ran. */
  readonly doing?: string;
}

/** A turn as it was watched, before it is counted what was in it. */
export interface WatchedTurn
  extends Pick<SlowTurn, 'number' | 'at' | 'clock' | 'ms' | 'inexactMs' | 'thread' | 'cpuMs' | 'queuedMs' | 'collections'> {
  readonly looks: readonly Sample[];
  /** What calls in it were given. */
  readonly arguments: readonly CallArguments[];
}

/** What a call was given. */
export interface CallArguments {
  /** The function as `fentry bt` names it: `Cart.add`. */
  readonly name: string;
  /** Where it begins. */
  readonly file: string;
  readonly line: number;
  readonly arguments: readonly BtVariable[];
}

const lastWord = (name: string): string => name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf(' ')) + 1);

/** Whether it was a call of this function. */
export const isCallOf = ({ frame, from }: SampledCall, { name, file, line }: CallArguments): boolean =>
  from?.file === file && from.line === line && lastWord(frame.name) === (lastWord(name) || '<anonymous>');
