import type { TextPositions } from '../realm/texts.js';

/** A range as V8 reports it: offsets are UTF-16 units from the start of the text. */
export interface CoverageRange {
  startOffset: number;
  endOffset: number;
  count: number;
}

/**
 * Moves the ranges of one function from a text with sites to the original text, and drops ranges that cover only sites. The
 * first range is the function; the others follow, each after the range around it.
 * @param source the original text, if it is known
 */
export const correctRanges = (
  ranges: readonly CoverageRange[],
  text: Pick<TextPositions, 'originalOffset'>,
  source?: string,
): CoverageRange[] => {
  const corrected: CoverageRange[] = [];
  let endsBlock = false;
  let blanks: CoverageRange | undefined;
  for (const [i, range] of ranges.entries()) {
    const { count } = range;
    const from = text.originalOffset(range.startOffset);
    const end = text.originalOffset(range.endOffset);
    const isCut = i > 0 && source !== undefined && end === text.originalOffset(range.endOffset + 1);
    // The site of a statement cuts off the blanks before it.
    const startOffset = blanks?.endOffset === from && blanks.count === count ? blanks.startOffset : from;
    const endOffset = isCut ? withReturnsEnd(source, startOffset, end, corrected[0]!.endOffset) : end;
    if (i > 0 && startOffset === endOffset) continue;
    blanks = undefined;
    if (i > 0 && isExitSite(range, endOffset - startOffset, source?.slice(startOffset, endOffset))) {
      blanks = { startOffset, endOffset, count };
      continue;
    }
    const before = corrected.at(-1);
    // V8 makes one of ranges that touch, where no other begins in the first, and none ends with it.
    if (before?.endOffset === startOffset && before.count === count && !endsBlock) before.endOffset = endOffset;
    else corrected.push({ startOffset, endOffset, count });
    endsBlock = endOffset > end;
  }
  return corrected;
};

/** V8 reports nothing that follows a function's last statement; with sites, an exit may follow it. */
const isExitSite = ({ startOffset, endOffset }: CoverageRange, length: number, source: string | undefined): boolean =>
  endOffset - startOffset > length && source !== undefined && /^[\s;]*$/.test(source);

/**
 * What follows a branch that may have left a block lasts until the block's end, and in a function's own block until its `}`; with
 * sites it may end at the site of its last `return`.
 */
const withReturnsEnd = (source: string, start: number, end: number, functionEnd: number): number => {
  const covered = source.slice(start, end);
  const lastReturn = covered.lastIndexOf('return');
  // Inside an expression, or if another branch ends it, a range ends there without sites too.
  if (/[?:&|(]\s*$/.test(source.slice(Math.max(0, start - 20), start))) return end;
  if (lastReturn < 0 || /\|\||&&|\?/.test(covered.slice(lastReturn))) return end;
  const rest = /^\s*;?\s*\}/.exec(source.slice(end, end + 200))?.[0];
  if (rest === undefined) return end;
  const closed = end + rest.length;
  return closed >= functionEnd ? functionEnd - 1 : closed;
};
