import type { Place } from '../../answers/place.js';
import type { DebugInformation, LinkedText } from '../../ftrace/text.js';
import type { ProcessPlaces } from './process-places.js';
import type { TextTable } from './text-table.js';

/** What knows the texts of the program. */
export interface StackPlacesNeeds {
  readonly table: Pick<TextTable, 'textAt'>;
  readonly places: Pick<ProcessPlaces, 'authorsLine'>;
}

/** A line and a column of a text as loaded, from 1. */
type LoadedPlace = readonly [line: number, column: number];

/** Numbers that say one place: the address, the line and the column. */
const NUMBERS = 3;

function inMachineCode(debug: DebugInformation, offset: number): Place | undefined {
  const place = debug.placeAt(offset);
  return place && { ...place, column: 0 };
}

/** Where in the authors' sources the addresses of stacks are: at which call, or at which `await`. Threads have told. */
export class StackPlacesTable {
  readonly #needs: StackPlacesNeeds;
  readonly #told = new Map<number, LoadedPlace>();
  #new: number[] = [];
  #lastText: LinkedText | undefined;

  constructor(needs: StackPlacesNeeds) {
    this.#needs = needs;
  }

  /** @param places as PortEvent has them */
  add(places: readonly number[]): void {
    for (let i = 0; i + 2 < places.length; i += NUMBERS) {
      const address = places[i]!;
      if (this.#told.has(address)) continue;
      this.#told.set(address, [places[i + 1]!, places[i + 2]!]);
      this.#new.push(address);
    }
  }

  /**
   * The place of an address in a stack. Undefined: it was in none, or what stands there was not in the author's source. That of
   * machine code, to which a call returns, is where the call is.
   * @param start where the address's function begins
   */
  at(address: number, start?: number): Place | undefined {
    const told = this.#told.get(address);
    const text = this.#textAt(address);
    if (text?.debug !== undefined) return inMachineCode(text.debug, address - text.base - (address === start ? 0 : 1));
    if (told === undefined || text === undefined) return undefined;
    const [line, column] = told;
    const place = this.#needs.places.authorsLine(text, line, column - 1);
    return place && { ...place, column: text.authors === undefined ? column : 0 };
  }

  /** All that are known, and their places. */
  *all(): Generator<readonly [address: number, place: Place]> {
    yield* this.#placed(this.#told.keys());
  }

  /** Places that were told since the last call. */
  newPlaces(): readonly (readonly [address: number, place: Place])[] {
    return this.#new.length === 0 ? [] : [...this.#placed(this.#new.splice(0))];
  }

  *#placed(addresses: Iterable<number>): Generator<readonly [address: number, place: Place]> {
    for (const address of addresses) {
      const place = this.at(address);
      if (place !== undefined) yield [address, place];
    }
  }

  /** Frames of a stack are often in one text. */
  #textAt(address: number): LinkedText | undefined {
    const last = this.#lastText;
    if (last !== undefined && address >= last.base && address < last.base + last.length) return last;
    return (this.#lastText = this.#needs.table.textAt(address));
  }
}
