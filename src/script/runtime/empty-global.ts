import { writeLeaf } from './cells.js';
import type { Globals } from './print-map.js';

const first = (kind: string): 0 | '' => (kind === 'string' || kind === 'stack' ? '' : 0);

/** Deletes all entries of a map, or sets all values to 0. */
export function emptyGlobal(globals: Globals, id: number, isZeroed: boolean): void {
  const layout = globals.layout.globals[id]!;
  globals.merged[id]?.clear(isZeroed);
  const table = globals.arrays[id];
  if (layout.kind === 'scalar') {
    if (!isZeroed) globals.view.words[layout.setAt] = 0;
    for (const { kind, at } of layout.leaves) writeLeaf(globals.view, kind, at, first(kind));
  }
  if (table === undefined) return;
  if (!isZeroed) {
    table.clear();
    return;
  }
  for (const entry of table.entries()) table.layout.values.forEach(({ kind }, n) => void table.set(entry, n, first(kind)));
}
