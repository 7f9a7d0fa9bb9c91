/** The index of the last of sorted starts that is not above a number; -1: none. */
export function lastAtOrBefore(starts: ArrayLike<number>, number: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle]! <= number) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
