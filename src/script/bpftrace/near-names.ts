/** The most names that a message offers. */
const MOST = 3;

/** Names that differ from one by a few characters, the nearest first, as a message's end: ` (similar: a, b)`; '' for none. */
export function similarTo(name: string, names: Iterable<string>): string {
  const most = Math.max(1, Math.floor(name.length / 3));
  const near = [...new Set(names)]
    .filter((other) => other !== name && Math.abs(other.length - name.length) <= most)
    .map((other) => ({ other, distance: distanceOf(name.toLowerCase(), other.toLowerCase()) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MOST);
  return near.length === 0 ? '' : ` (similar: ${near.map(({ other }) => other).join(', ')})`;
}

/** Characters to insert, remove or replace until one text is the other (Levenshtein). */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length]!;
}
