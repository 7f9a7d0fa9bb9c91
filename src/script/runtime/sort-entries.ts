/** Puts things into order as SystemTap sorts its arrays. */

/** Whether a stands behind b. */
export type IsBehind<T> = (a: T, b: T) => boolean;

/** Beyond this many the whole array is sorted. */
const MOST_TOP = 30;

/** A stable sort. */
export function sorted<T>(all: readonly T[], isBehind: IsBehind<T>): T[] {
  let from: T[] = [];
  for (let i = 0; i < all.length; i++) from[i] = all[i]!;
  let to: T[] = [];
  for (let size = 1; size < from.length; size *= 2) {
    for (let start = 0; start < from.length; start += 2 * size) merge(from, to, start, size, isBehind);
    const last = from;
    from = to;
    to = last;
  }
  return from;
}

function merge<T>(from: readonly T[], to: T[], start: number, size: number, isBehind: IsBehind<T>): void {
  const middle = start + size < from.length ? start + size : from.length;
  const end = middle + size < from.length ? middle + size : from.length;
  let left = start;
  let right = middle;
  for (let i = start; i < end; i++) {
    const takesRight = left >= middle || (right < end && isBehind(from[left]!, from[right]!));
    to[i] = takesRight ? from[right++]! : from[left++]!;
  }
}

/** The first `top` of them in order, and the others behind; as SystemTap leaves them. 0: all are sorted. */
export function sortedTop<T>(all: readonly T[], top: number, isBehind: IsBehind<T>): T[] {
  if (top <= 0 || top > MOST_TOP) return sorted(all, isBehind);
  const first: T[] = [];
  for (let i = 0; i < top && i < all.length; i++) first[i] = all[i]!;
  const best = sorted(first, isBehind);
  // What falls out of the best stands right behind them.
  const fallen: T[] = [];
  const passed: T[] = [];
  for (let i = top; i < all.length; i++) {
    const one = all[i]!;
    let place = top;
    while (place > 0 && isBehind(best[place - 1]!, one)) place--;
    if (place === top) {
      passed[passed.length] = one;
      continue;
    }
    fallen[fallen.length] = best[top - 1]!;
    for (let j = top - 1; j > place; j--) best[j] = best[j - 1]!;
    best[place] = one;
  }
  const result = best;
  // The last that fell stands first; those that passed stay behind in their order.
  for (let i = fallen.length - 1; i >= 0; i--) result[result.length] = fallen[i]!;
  for (let i = 0; i < passed.length; i++) result[result.length] = passed[i]!;
  return result;
}
