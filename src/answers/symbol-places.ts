import { compareAddresses, hexAddress, parseAddress } from '../base/address.js';
import { lastIndexUpTo } from '../base/last-at-or-before.js';
import type { Place } from './place.js';
import { fileOfWord, fileWord, placeOfWord, placeWord } from './place-word.js';

/** Before the application's folder, on a line of its own. */
const FOLDER = 'folder ';
/**
 * In the place of a symbol's: the time of the sites of the module whose code it is, and what imported it. No file's name begins
 * so.
 */
const BY = '\\by';
/** On a line behind it: what loading the module took, if that is known. */
const LOADED = '\\loaded';
/** In the place of a symbol's: the line and the column at which an address of stacks is, and the file, if it is another. */
const AT = '\\at';
/** On a line behind it: its code has no sites. */
const SITELESS = '\\siteless';
/** In the place of a number that is not known. */
const UNKNOWN = '-';

/** How a module came into the program. */
export interface Imported {
  /** The file that imported or required it first; absent: the program began with it, or it is not known. */
  readonly by?: string;
  /** Nanoseconds that it took to give it its sites. */
  readonly siteTime: number;
  /** Nanoseconds that it took to read its file; absent: not known. */
  readonly readTime?: number;
  /** When it was handed on to be compiled, and to run at once: nanoseconds of the clock `local`. Absent: not known. */
  readonly linkedAt?: number;
  /** Nanoseconds that it took to compile it, if it did not run at once. Absent: not known. */
  readonly compileTime?: number;
  /** Present if its code has no sites, as it waits: when it runs is not recorded. */
  readonly isSiteless?: true;
}

/**
 * Writes where symbols are defined, a line for each: `ffffffff81000000 /srv/shop/cart.ts:12:5`. A line that begins its place with
 * a colon has the file of the line before. The file kallsyms_places and recordings have it.
 */
export class SymbolPlaceLines {
  #file: string | undefined;
  /** File of the last address of stacks. */
  #stackFile: string | undefined;

  /** The line that says what the application's folder is; for the symbols that follow. */
  folder(path: string): string {
    this.#file = undefined;
    return `${FOLDER}${fileWord(path)}\n`;
  }

  /** The line of a symbol. */
  symbol(address: number, place: Place): string {
    const isSame = place.file === this.#file;
    this.#file = place.file;
    return `${hexAddress(address)} ${isSame ? `:${place.line}:${place.column}` : placeWord(place)}\n`;
  }

  /** The line that says where an address of stacks is: at which call, or at which `await`. */
  inStack(address: number, { file, line, column }: Place): string {
    const isSame = file === this.#stackFile;
    this.#stackFile = file;
    return `${hexAddress(address)} ${AT} ${line}:${column}${isSame ? '' : ` ${fileWord(file)}`}\n`;
  }

  /** The line that says that a symbol is the code of a module, and what imported that. */
  module(address: number, imported: Imported): string {
    const { by, siteTime, isSiteless } = imported;
    const line = `${hexAddress(address)} ${BY} ${siteTime}${by === undefined ? '' : ` ${fileWord(by)}`}\n`;
    const siteless = isSiteless ? `${hexAddress(address)} ${SITELESS}\n` : '';
    return `${line}${siteless}${this.loaded(address, imported)}`;
  }

  /** The line that says what loading a module took; '' if nothing is known. Behind the line of `module`. */
  loaded(address: number, { readTime, linkedAt, siteTime, compileTime }: Imported): string {
    if (readTime === undefined && linkedAt === undefined && compileTime === undefined) return '';
    const compiled = compileTime === undefined ? '' : ` ${compileTime}`;
    return `${hexAddress(address)} ${LOADED} ${readTime ?? UNKNOWN} ${linkedAt ?? UNKNOWN} ${siteTime}${compiled}\n`;
  }
}

const LINE = /^([0-9a-f]{16}) (.*)$/s;
const IMPORTED = /^\\by (\d{1,15})(?: (.*))?$/s;
const LOAD_TIMES = /^\\loaded (\d{1,15}|-) (\d{1,17}|-) (\d{1,15})(?: (\d{1,15}))?$/;
const IN_STACK = /^\\at (\d{1,10}):(\d{1,10})(?: (.*))?$/s;
const SAME_FILE = /^:\d{1,10}:\d{1,10}$/;

/** Where symbols are defined, as `SymbolPlaceLines` has written it. What is no such line is left out. */
export class SymbolPlaces {
  /** The folders of the applications. */
  readonly folders: readonly string[];
  readonly #addresses: Float64Array;
  readonly #places: readonly Place[];
  readonly #imported = new Map<number, Imported>();
  readonly #inStacks = new Map<number, Place>();

  constructor(text: string) {
    const found: (readonly [address: number, place: Place])[] = [];
    const folders: string[] = [];
    let file = '';
    let stackFile = '';
    for (const line of text.split('\n')) {
      if (line.startsWith(FOLDER)) folders.push(fileOfWord(line.slice(FOLDER.length)));
      const [, digits, word] = LINE.exec(line) ?? [];
      if (digits === undefined || word === undefined) continue;
      const [, siteTime, by] = IMPORTED.exec(word) ?? [];
      if (siteTime !== undefined)
        this.#imported.set(parseAddress(digits), { siteTime: Number(siteTime), ...(by !== undefined && { by: fileOfWord(by) }) });
      const loaded = LOAD_TIMES.exec(word);
      if (loaded !== null) this.#loaded(parseAddress(digits), loaded);
      if (word === SITELESS) this.#siteless(parseAddress(digits));
      const [, at, column, other] = IN_STACK.exec(word) ?? [];
      if (at !== undefined) {
        if (other !== undefined) stackFile = fileOfWord(other);
        this.#inStacks.set(parseAddress(digits), { file: stackFile, line: Number(at), column: Number(column) });
        continue;
      }
      const place = placeOfWord(word);
      if (place === undefined) continue;
      if (!SAME_FILE.test(word)) file = place.file;
      found.push([parseAddress(digits), { ...place, file }]);
    }
    found.sort(([a], [b]) => compareAddresses(a, b));
    this.folders = folders;
    this.#addresses = Float64Array.from(found, ([address]) => address);
    this.#places = found.map(([, place]) => place);
  }

  /** The line of a module was before this one. */
  #loaded(address: number, [, readTime, linkedAt, sites, compileTime]: RegExpExecArray): void {
    const imported = this.#imported.get(address);
    if (imported === undefined) return;
    this.#imported.set(address, {
      ...imported,
      siteTime: Number(sites),
      ...(readTime !== UNKNOWN && { readTime: Number(readTime) }),
      ...(linkedAt !== UNKNOWN && { linkedAt: Number(linkedAt) }),
      ...(compileTime !== undefined && { compileTime: Number(compileTime) }),
    });
  }

  #siteless(address: number): void {
    const imported = this.#imported.get(address);
    if (imported !== undefined) this.#imported.set(address, { ...imported, isSiteless: true });
  }

  /** Where the codes of modules begin that have no sites. */
  siteless(): readonly number[] {
    return [...this.#imported].flatMap(([address, { isSiteless }]) => (isSiteless ? [address] : []));
  }

  /** How many there are. */
  get size(): number {
    return this.#places.length;
  }

  /** The place of the symbol that begins at an address. */
  at(address: number): Place | undefined {
    const index = lastIndexUpTo(this.#addresses, (one) => compareAddresses(one, address) <= 0);
    return this.#addresses[index] === address ? this.#places[index] : undefined;
  }

  /** Where an address of stacks is: at which call, or at which `await`. Undefined: it was in none, or that is not known. */
  inStack(address: number): Place | undefined {
    return this.#inStacks.get(address);
  }

  /** The files in which they are defined. */
  files(): ReadonlySet<string> {
    return new Set(this.#places.map(({ file }) => file));
  }

  /** How the module came whose code the symbol at an address is; undefined: it is a function. */
  imported(address: number): Imported | undefined {
    return this.#imported.get(address);
  }
}
