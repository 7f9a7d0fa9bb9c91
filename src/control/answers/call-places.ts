import type { Place } from '../../answers/place.js';
import type { LinkedText } from '../../ftrace/text.js';
import type { ProcessPlaces } from '../ftrace/process-places.js';
import type { TextTable } from '../ftrace/text-table.js';

/** What knows the texts of the program. */
export interface CallPlacesNeeds {
  readonly table: Pick<TextTable, 'textAt'>;
  readonly places: Pick<ProcessPlaces, 'sourceOf' | 'authorsLine'>;
}

/**
 * Where in the author's sources addresses of stacks are. Each text is asked for once, and a thread has to answer; an address
 * whose place is not known is left out.
 */
export async function callPlaces(
  { table, places }: CallPlacesNeeds,
  addresses: Iterable<number>,
): Promise<ReadonlyMap<number, Place>> {
  const sources = new Map<LinkedText, Promise<string | undefined>>();
  const found = new Map<number, Place>();
  for (const address of addresses) {
    const text = table.textAt(address);
    if (text === undefined || text.debug !== undefined) continue;
    let asked = sources.get(text);
    if (asked === undefined) sources.set(text, (asked = places.sourceOf(text).catch(() => undefined)));
    const source = await asked;
    if (source === undefined) continue;
    const before = source.slice(0, address - text.base);
    const lineStart = before.lastIndexOf('\n') + 1;
    const line = before.split('\n').length;
    const column = before.length - lineStart;
    const place = places.authorsLine(text, line, column);
    if (place !== undefined) found.set(address, { ...place, column: text.authors === undefined ? column + 1 : 0 });
  }
  return found;
}
