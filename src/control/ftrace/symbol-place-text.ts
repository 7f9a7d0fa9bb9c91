import type { Place } from '../../answers/place.js';
import { placeText } from '../../answers/place-text.js';
import type { TextSymbol } from '../../ftrace/symbols.js';
import type { SymbolPlaceText } from '../../output/symbol-printer.js';
import type { StackPlacesTable } from './stack-places.js';

/** What knows where symbols are defined, and where the frames of stacks are. */
export interface PlacedProcess {
  /** Undefined: it is not known. */
  placeOf(symbol: TextSymbol): Place | undefined;
  readonly stackPlaces: Pick<StackPlacesTable, 'at'>;
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

/** Where frames of stacks are, as text; or if that is not known, where their functions are defined. */
export function framePlaceText(process: PlacedProcess): SymbolPlaceText {
  const { folder, stackPlaces } = process;
  const defined = symbolPlaceText(process);
  return (symbol, address) => {
    const place = stackPlaces.at(address, symbol.address);
    return place === undefined ? defined(symbol, address) : placeText(place, { folder });
  };
}
