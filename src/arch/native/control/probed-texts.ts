import { readFileSync } from 'node:fs';
import { attempt } from '../../../base/attempt.js';
import type { PlaceRange, ProbePlace } from '../../port.js';
import { ElfFile, SEGMENT } from '../elf/elf-file.js';
import { symbolAddresses } from '../elf/symbols.js';
import { objectCode } from '../text/object-functions.js';
import { type CodePlace, CrossJumps, codePlaces, placeBody } from '../x86-64/probe-places.js';
import type { FunctionOfText, LinkedObject, NativeTexts } from './native-texts.js';

/** A place in the process's text at which a jump to a probe's code can stand. */
export interface FoundCode {
  readonly address: number;
  /** How many instructions are moved. */
  readonly instructions: number;
  /** The bytes there. */
  readonly compiled: Uint8Array;
  /** The same instructions for memory at an address, with a jump behind them. Throws ERANGE if something is out of reach. */
  body(at: number): Uint8Array;
}

/** What is read of an object when probes need it. */
interface ReadObject {
  readonly elf: ElfFile;
  readonly jumps: CrossJumps;
}

/** What probes must know of the process's texts besides their functions: read from the objects' files when it is needed. */
export class ProbedTexts {
  readonly #pid: number;
  readonly #texts: NativeTexts;
  readonly #read = new Map<LinkedObject, ReadObject | undefined>();
  readonly #symbols = new Map<LinkedObject, ReadonlyMap<string, number>>();
  readonly #places = new Map<number, readonly CodePlace[]>();

  constructor(pid: number, texts: NativeTexts) {
    this.#pid = pid;
    this.#texts = texts;
  }

  /** The places between the instructions of function `n` in some parts of it. */
  placesIn(n: number, ranges: readonly PlaceRange[]): readonly ProbePlace[] {
    return this.#placesOf(n)
      .filter(({ offset }) => offset === 0 || ranges.some(([from, to]) => offset >= from && offset < to))
      .map(({ offset, reason }) => ({ offset, line: 0, column: 0, way: 'jump', ...(reason !== undefined && { reason }) }));
  }

  /** A place at which a jump can stand; or why none can. */
  codeAt(address: number): FoundCode | string {
    const found = this.functionAt(address);
    const code = found && this.#codeOf(found);
    if (found === undefined || code === undefined) return 'is in no function';
    const { n, object, one } = found;
    const start = object.text.base + one.start;
    const place = this.#placesOf(n).find(({ offset }) => offset === address - start);
    if (place === undefined) return 'is in the midst of an instruction';
    if (place.reason !== undefined) return place.reason;
    return {
      address,
      instructions: place.instructions,
      compiled: Uint8Array.from(code.subarray(place.offset, place.offset + place.length)),
      body: (at) => placeBody({ code, address: start }, place, at),
    };
  }

  /** The function that has an address. */
  functionAt(address: number): (FunctionOfText & { readonly n: number }) | undefined {
    for (const object of this.#texts.all) {
      const { base, length, functions, firstFunction } = object.text;
      if (address < base || address >= base + length) continue;
      const index = functions.findIndex(({ start, end }) => address - base >= start && address - base < end);
      if (index >= 0) return { object, one: functions[index]!, n: firstFunction + index };
    }
    return undefined;
  }

  /** Where the first byte of the file of the object would be in which an address is. */
  fileBase(address: number): number | undefined {
    const object = this.#texts.all.find(({ text }) => address >= text.base && address < text.base + text.length);
    const elf = object && this.#object(object)?.elf;
    if (object === undefined || elf === undefined) return undefined;
    const inFile = address - object.text.bias;
    const segment = elf.segments.find(
      (one) => one.type === SEGMENT.load && inFile >= one.address && inFile < one.address + one.memorySize,
    );
    return segment && object.text.bias + segment.address - segment.offset;
  }

  /** The address of a symbol, of the executable's before others, or `MODULE:SYMBOL`. */
  addressOf(symbol: string): number | undefined {
    const colon = symbol.indexOf(':');
    const [module, name] = colon < 0 ? [undefined, symbol] : [symbol.slice(0, colon), symbol.slice(colon + 1)];
    const objects = this.#texts.all.toSorted((a, b) => Number(a.text.module !== '') - Number(b.text.module !== ''));
    for (const object of objects) {
      if (module !== undefined && object.text.module !== module) continue;
      const address = this.#symbolsOf(object).get(name);
      if (address !== undefined) return address + object.text.bias;
    }
    return undefined;
  }

  #symbolsOf(object: LinkedObject): ReadonlyMap<string, number> {
    let symbols = this.#symbols.get(object);
    if (symbols === undefined) {
      const elf = this.#file(object);
      symbols = elf === undefined ? new Map<string, number>() : symbolAddresses(elf);
      this.#symbols.set(object, symbols);
    }
    return symbols;
  }

  #placesOf(n: number): readonly CodePlace[] {
    let places = this.#places.get(n);
    if (places === undefined) {
      places = this.#find(n);
      this.#places.set(n, places);
    }
    return places;
  }

  #find(n: number): readonly CodePlace[] {
    const found = this.#texts.function(n);
    const code = found && this.#codeOf(found);
    if (found === undefined || code === undefined) return [];
    const { one, object } = found;
    const { jumps, elf } = this.#object(object)!;
    const start = one.start + elf.span[0];
    const { site } = one;
    const at = object.text.base + one.start;
    const range = site && ([site.address - at, site.resume - at] as const);
    return codePlaces(code, (offset) => jumps.has(start + offset), range);
  }

  #codeOf({ object, one }: FunctionOfText): Buffer | undefined {
    const elf = this.#object(object)?.elf;
    return elf?.at(one.start + elf.span[0])?.subarray(0, one.end - one.start);
  }

  #object(object: LinkedObject): ReadObject | undefined {
    if (!this.#read.has(object)) {
      const elf = this.#file(object);
      this.#read.set(object, elf && { elf, jumps: new CrossJumps(elf, objectCode(elf).ranges) });
    }
    return this.#read.get(object);
  }

  #file({ text }: LinkedObject): ElfFile | undefined {
    return attempt(() => new ElfFile(readFileSync(`/proc/${this.#pid}/root${text.file}`), text.file));
  }
}
