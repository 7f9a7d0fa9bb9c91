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

/** The index of the last item that a test takes, which takes those up to some index and none behind it; -1: none. */
export function lastIndexUpTo<Item>(items: ArrayLike<Item>, isTaken: (item: Item) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isTaken(items[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
