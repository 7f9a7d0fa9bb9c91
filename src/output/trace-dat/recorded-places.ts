import type { Place } from '../../answers/place.js';
import { placeText } from '../../answers/place-text.js';
import { type Imported, SymbolPlaces } from '../../answers/symbol-places.js';
import type { TraceDatTables } from './trace-dat-file.js';

/** Where the symbols of a recording are defined; it is read when it is first asked for. */
export class RecordedPlaces {
  readonly #dat: Pick<TraceDatTables, 'places'>;
  #read: SymbolPlaces | undefined;

  constructor(dat: Pick<TraceDatTables, 'places'>) {
    this.#dat = dat;
  }

  /** How many there are: none in old recordings, and in those of other tools. */
  get size(): number {
    return this.#all.size;
  }

  /** The place of the symbol that begins at an address. */
  at(address: number): Place | undefined {
    return this.#all.at(address);
  }

  /** Where an address of stacks is: at which call, or at which `await`. Undefined: it was in none, or that is not known. */
  inStack(address: number): Place | undefined {
    return this.#all.inStack(address);
  }

  /** How the module came whose code the symbol at an address is; undefined: it is a function. */
  imported(address: number): Imported | undefined {
    return this.#all.imported(address);
  }

  /** Where the codes of modules begin that have no sites. */
  siteless(): readonly number[] {
    return this.#all.siteless();
  }

  /** `src/cart.ts:12`: relative to the folder of the program whose file it is. */
  text(place: Place): string {
    const around = this.#all.folders.filter((folder) => place.file.startsWith(`${folder}/`));
    return placeText(place, { folder: around.sort((a, b) => b.length - a.length)[0] });
  }

  /** The folder that the program was started in which has most of these files; '' if none was recorded. */
  application(files: Iterable<string>): string {
    const counts = new Map(this.#all.folders.map((folder) => [folder, 0]));
    for (const file of files)
      for (const [folder, count] of counts) if (file.startsWith(`${folder}/`)) counts.set(folder, count + 1);
    return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? '';
  }

  get #all(): SymbolPlaces {
    return (this.#read ??= new SymbolPlaces(this.#dat.places()));
  }
}
