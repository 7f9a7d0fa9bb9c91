import type { TextPositions } from '../realm/texts.js';

/** As V8 reports it: offsets are UTF-16 units from the start of the text. */
export interface CoverageRange {
  startOffset: number;
  endOffset: number;
  count: number;
}

/**
 * Moves the ranges of one function from a text with sites to its author's, and drops what covers nothing but sites. The first
 * range is the function; the others follow, each after the range around it.
 * @param source the author's text, where it is known
 */
export const correctRanges = (
  ranges: readonly CoverageRange[],
  { originalOffset }: Pick<TextPositions, 'originalOffset'>,
  source?: string,
): CoverageRange[] => {
  const corrected: CoverageRange[] = [];
  for (const [i, range] of ranges.entries()) {
    const { count } = range;
    const startOffset = originalOffset(range.startOffset);
    const endOffset = originalOffset(range.endOffset);
    if (i > 0 && (startOffset === endOffset || isExitSite(range, endOffset - startOffset, source?.slice(startOffset, endOffset))))
      continue;
    const before = corrected.at(-1);
    // V8 makes one of ranges that touch, where no other begins in the first.
    if (before?.endOffset === startOffset && before.count === count) before.endOffset = endOffset;
    else corrected.push({ startOffset, endOffset, count });
  }
  return corrected;
};

/** V8 reports nothing that follows a function's last statement; with sites, an exit may follow it. */
const isExitSite = ({ startOffset, endOffset }: CoverageRange, length: number, source: string | undefined): boolean =>
  endOffset - startOffset > length && source?.trim() === '';
