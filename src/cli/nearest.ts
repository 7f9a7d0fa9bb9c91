/** The least number of letters with which a part of a word can stand for the word. */
const LEAST_PART = 3;

/**
 * The word that was probably meant; undefined if none is near. A word with the same beginning is nearest; a word that only
 * contains it is farthest.
 */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const begins = known.find((one) => word !== '' && one.startsWith(word));
  if (begins !== undefined) return begins;
  const [best] = known.map((one) => ({ one, edits: editsBetween(word, one) })).sort((a, b) => a.edits - b.edits);
  if (best !== undefined && best.edits <= Math.max(1, Math.floor(best.one.length / 2))) return best.one;
  return word.length < LEAST_PART ? undefined : known.find((one) => one.includes(word));
}

/** `; did you mean WORD?`, or nothing if no word is near. */
export function didYouMean(word: string, known: readonly string[]): string {
  const meant = nearest(word, known);
  return meant === undefined ? '' : `; did you mean ${meant}?`;
}

/** The message for a word that is not in a list: the list, and the word that was probably meant. */
export const notOneOf = (word: string, known: readonly string[]): string =>
  `must be one of ${known.join(', ')}${didYouMean(word, known)}`;

/** How many letters must be inserted, removed, replaced or swapped with a neighbour to turn one word into another. */
function editsBetween(from: string, to: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = last[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swapped = isSwap ? beforeLast[j - 2]! + 1 : Infinity;
      row.push(Math.min(last[j]! + 1, row[j - 1]! + 1, replaced, swapped));
    }
    beforeLast = last;
    last = row;
  }
  return last[to.length]!;
}
