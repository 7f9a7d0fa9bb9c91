/** A function's part of a text, in units of the text. */
interface Part {
  readonly start: number;
  readonly end: number;
}

/** A place where a probe can stand; `offset` counts units of the text, from wherever all of them count. */
interface Place {
  readonly offset: number;
}

/**
 * The index of the innermost function that holds an offset; undefined: none does. @param functions in the order of their starts
 */
export function functionAt(functions: readonly Part[], offset: number): number | undefined {
  let found: number | undefined;
  for (const [i, { start, end }] of functions.entries()) {
    if (start > offset) break;
    if (offset < end) found = i;
  }
  return found;
}

/** The places next to an offset that is none: the last before it and the first behind it. */
export function nearestPlaces<P extends Place>(places: readonly P[], offset: number): readonly P[] {
  const before = places.findLast((place) => place.offset < offset);
  const behind = places.find((place) => place.offset > offset);
  return [before, behind].filter((place) => place !== undefined);
}

/** The lines next to one without a place: the last before it and the first behind it. */
export function nearestLines(lines: readonly number[], line: number): readonly number[] {
  const before = lines.filter((one) => one < line);
  const behind = lines.filter((one) => one > line);
  return [...(before.length > 0 ? [Math.max(...before)] : []), ...(behind.length > 0 ? [Math.min(...behind)] : [])];
}
