import type { LinkedText } from '../../ftrace/text.js';
import type { WrittenPlace } from '../../probes/probe-definition.js';
import { type FoundPlace, innermost } from '../ftrace/found-place.js';
import type { ProcessPlaces } from '../ftrace/process-places.js';
import type { PlaceNeeds } from './find-place.js';

/** The place in a function of a text for which a probe has waited; undefined: it is in none, or at an entry. */
export async function placeOfLate(
  needs: PlaceNeeds,
  places: Pick<ProcessPlaces, 'of' | 'onLine'>,
  place: WrittenPlace,
  text: LinkedText,
): Promise<FoundPlace | undefined | 'not compiled'> {
  if (place.kind === 'line') {
    const onLine = await places.onLine(text, place.file, place.line);
    if (onLine === undefined) return 'not compiled';
    return onLine[0] && inMiddle(innermost(text, onLine[0].offset));
  }
  const found = inMiddle(offsetIn(needs, place, text));
  if (found !== undefined && (await places.of(found.n)) === undefined) return 'not compiled';
  return found;
}

function offsetIn(needs: PlaceNeeds, place: WrittenPlace, text: LinkedText): FoundPlace | undefined {
  if (place.kind === 'file offset') return innermost(text, place.offset);
  if (place.kind !== 'symbol') return undefined;
  const n = needs.named(place.symbol, place.module ?? '').find((one) => needs.table.textOf(one) === text);
  return n === undefined ? undefined : { n, offset: place.offset };
}

const inMiddle = (found: FoundPlace | undefined): FoundPlace | undefined => (found?.offset === 0 ? undefined : found);
