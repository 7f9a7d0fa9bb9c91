import { editDistance } from '../edit-distance.js';

/** The most names that a message offers. */
const MOST = 3;

/** Names that differ from one by a few characters, the nearest first, as a message's end: ` (similar: a, b)`; '' for none. */
export function similarTo(name: string, names: Iterable<string>): string {
  const most = Math.max(1, Math.floor(name.length / 3));
  const near = [...new Set(names)]
    .filter((other) => other !== name && Math.abs(other.length - name.length) <= most)
    .map((other) => ({ other, distance: editDistance(name.toLowerCase(), other.toLowerCase()) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MOST);
  return near.length === 0 ? '' : ` (similar: ${near.map(({ other }) => other).join(', ')})`;
}
