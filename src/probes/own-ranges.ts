/** From a unit of the text up to another, which is not part of it. */
export interface UnitRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The parts of a text that belong to a function and to none inside it, from the function's start. The first unit of an inner
 * function is the outer one's: V8 stops there before it makes the inner function.
 * @param inner the functions in the text, those inside the function and others, in the order of their starts
 */
export function ownRanges(
  { start, end }: UnitRange,
  inner: readonly UnitRange[],
): readonly (readonly [from: number, to: number])[] {
  const ranges: [number, number][] = [];
  let from = start + 1;
  for (const one of inner) {
    if (one.start < from - 1 || one.start >= end || (one.start === start && one.end >= end)) continue;
    ranges.push([from - start, one.start + 1 - start]);
    from = one.end;
  }
  ranges.push([from - start, end - start]);
  return ranges.filter(([first, last]) => first < last);
}
