import type { Place } from '../../answers/place.js';
import { placeText } from '../../answers/place-text.js';
import type { TextSymbol } from '../../ftrace/symbols.js';
import type { SymbolPlaceText } from '../../output/symbol-printer.js';

/** What knows where symbols are defined. */
export interface PlacedProcess {
  /** Undefined: it is not known. */
  placeOf(symbol: TextSymbol): Place | undefined;
  /** The application's folder. */
  readonly folder: string;
}

/** Where symbols are defined, as text: what the option `places` shows. */
export function symbolPlaceText(process: PlacedProcess): SymbolPlaceText {
  const { folder } = process;
  return (symbol) => {
    const place = process.placeOf(symbol);
    return place && placeText(place, { folder });
  };
}
