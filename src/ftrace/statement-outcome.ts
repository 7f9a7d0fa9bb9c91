import type { StatementSite, TextSpan, TryBlocks } from '../arch/arch.js';

/**
 * What it says of a statement that another one begins next in the same call: it is done; an exception has ended it, or what follows it; or
 * either, which the end of a `finally` will show.
 */
export type StatementOutcome = 'done' | 'threw' | 'unknown';

const isIn = ({ from }: StatementSite, span: TextSpan | undefined): boolean =>
  span !== undefined && span[0] <= from && from < span[1];

/** What statement `index` is when `next` begins. */
function outcome(one: StatementSite, next: StatementSite, tries: readonly TryBlocks[]): StatementOutcome {
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
): readonly StatementOutcome[] => sites.map((next) => outcome(sites[index]!, next, tries));
