import type { LinkedText } from '../../ftrace/text.js';
import { functionAt } from '../../probes/choose-place.js';

/** A place of a loaded text. */
export interface FoundPlace {
  /** NO_FUNCTION: it is in none. */
  readonly n: number;
  /** So many units behind the function's start, 0 being its entry; in no function, behind that of its text. */
  readonly offset: number;
  /** Present if it is in no function. */
  readonly text?: LinkedText;
  /** How a probe is put there; absent: as a breakpoint of V8. */
  readonly way?: 'jump' | 'breakpoint' | undefined;
  /** CodePlace.isOwn */
  readonly isOwn?: boolean;
  /** Where the same is too: compilers of machine code copy functions into others. */
  readonly copies?: readonly FoundPlace[];
}

/** A place of a text in its innermost function; undefined if it is in none. */
export function innermost({ functions, firstFunction }: LinkedText, offset: number): FoundPlace | undefined {
  const index = functionAt(functions, offset);
  if (index === undefined) return undefined;
  // Where a function starts, the place is the outer one's.
  return { n: firstFunction + index, offset: offset - functions[index]!.start };
}
