import type { StatementSite, TextSpan, TryBlocks } from '../text.js';

/**
 * What it says of a statement that another one begins next in the same call: it is done; an exception has ended it, or what
 * follows it; or either, which the end of a `finally` will show.
 */
export type StatementOutcome = 'done' | 'threw' | 'unknown';

const isIn = (place: number, span: TextSpan | undefined): boolean => span !== undefined && span[0] <= place && place < span[1];

/** What the statement at `one` is when the one at `next` begins; both in units from the start of their function. */
export function statementOutcome(one: number, next: number, tries: readonly TryBlocks[]): StatementOutcome {
  const left = tries.filter(({ block, handler }) => isIn(one, block) || isIn(one, handler));
  if (left.some(({ block, handler }) => isIn(one, block) && isIn(next, handler))) return 'threw';
  const last = left.filter(({ finalizer }) => isIn(next, finalizer));
  if (last.length === 0) return 'done';
  // It may end the exception without a trace: then nobody would ever know.
  return last.some(({ mayEndThrow }) => mayEndThrow) ? 'threw' : 'unknown';
}

/** The outcomes of a statement for each statement of its function that may begin next. */
export const statementOutcomes = (
  sites: readonly StatementSite[],
  index: number,
  tries: readonly TryBlocks[],
): readonly StatementOutcome[] => sites.map((next) => statementOutcome(sites[index]!.from, next.from, tries));
