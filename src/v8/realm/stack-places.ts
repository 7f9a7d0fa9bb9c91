import { IntMap } from '../../base/int-map.js';
import { textAddress } from '../text-region.js';
import type { PlacedSite } from './site-place.js';
import type { TextPositions } from './texts.js';

/** The most addresses whose places a thread tells. */
const MOST = 1 << 15;

/**
 * The lines of the addresses in a thread's stacks: only the thread that walks a stack knows them, because V8 has the texts. Each
 * address is told once, so that a stack that was seen before costs a look into a table for each frame.
 */
export class StackPlaces {
  readonly #told = new IntMap();
  readonly #tell: (places: readonly number[]) => void;
  #new: number[] = [];

  /** @param tell gets addresses, each with its line and its column in the text as loaded, from 1 */
  constructor(tell: (places: readonly number[]) => void) {
    this.#tell = tell;
  }

  /** A frame at the address with this low word. */
  note(low: number, site: Pick<PlacedSite, 'getLineNumber' | 'getColumnNumber'>, text: TextPositions): void {
    const told = this.#told;
    const key = low | 0;
    if (told.get(key) !== 0 || told.size >= MOST) return;
    told.set(key, 1);
    const line = site.getLineNumber();
    const column = site.getColumnNumber();
    const place = text.framePlace?.(line, column);
    const all = this.#new;
    all[all.length] = textAddress(low);
    all[all.length] = place?.line ?? line;
    all[all.length] = place?.column ?? text.originalColumn(line, column);
  }

  /** Tells what is new. */
  flush(): void {
    if (this.#new.length === 0) return;
    const places = this.#new;
    this.#new = [];
    this.#tell(places);
  }
}
