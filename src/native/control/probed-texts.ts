import { attempt } from '../../base/attempt.js';
import { lastAtOrBefore } from '../../base/last-at-or-before.js';
import { Refused } from '../../base/refused.js';
import type { PlaceRange, ProbePlace } from '../../port/port.js';
import { type ElfFile, openElf, SEGMENT, SEGMENT_FLAG } from '../elf/elf-file.js';
import { symbolAddresses } from '../elf/symbols.js';
import type { SignalCall } from '../machine/traps.js';
import { MACHINES } from '../machines/machines.js';
import type { InstructionPlace, MachinePlaceFinder } from '../text/code-place.js';
import { objectCode } from '../text/object-functions.js';
import type { FunctionOfText, LinkedObject, NativeTexts } from './native-texts.js';

/** A place in the process's text at which a probe can stand. */
export interface FoundCode {
  readonly address: number;
  /** How many instructions are moved. */
  readonly instructions: number;
  /** No jump fits: a breakpoint takes the place of the first bytes. */
  readonly isTrap: boolean;
  /** The bytes of which the jump or the breakpoint takes the place. */
  readonly compiled: Uint8Array;
  /** The bytes of the place as a jump, or as the breakpoint. Throws ERANGE if the target is too far away. */
  armed(target: number): Uint8Array;
  /** The place's instructions for memory at an address, with a jump behind them. Throws ERANGE if something is out of reach. */
  body(at: number): Uint8Array;
}

/** A call by which threads say which signals they take. */
export interface PlacedSignalCall extends Pick<SignalCall, 'name'> {
  /** The address of the instruction before it, and that instruction. */
  readonly address: number;
  readonly compiled: Uint8Array;
}

const NO_TRAP = 'and a breakpoint cannot stand in what runs while signals are blocked';

/** What is read of an object when probes need it. */
interface ReadObject {
  readonly elf: ElfFile;
  readonly finder: MachinePlaceFinder;
}

/** What probes must know of the process's texts besides their functions: read from the objects' files when it is needed. */
export class ProbedTexts {
  readonly #pid: number;
  readonly #texts: NativeTexts;
  readonly #read = new Map<LinkedObject, ReadObject | undefined>();
  readonly #starts = new WeakMap<LinkedObject, Float64Array>();
  readonly #symbols = new Map<LinkedObject, ReadonlyMap<string, number>>();
  readonly #places = new Map<number, readonly InstructionPlace[]>();
  readonly #calls = new Map<LinkedObject, readonly PlacedSignalCall[]>();

  constructor(pid: number, texts: NativeTexts) {
    this.#pid = pid;
    this.#texts = texts;
  }

  /** The places between the instructions of function `n` in some parts of it. */
  placesIn(n: number, ranges: readonly PlaceRange[]): readonly ProbePlace[] {
    return this.#placesOf(n)
      .filter(({ offset }) => offset === 0 || ranges.some(([from, to]) => offset >= from && offset < to))
      .map(({ offset, noJump, reason }) => ({
        ...{ offset, line: 0, column: 0, way: noJump === undefined ? 'jump' : 'breakpoint' },
        ...(reason !== undefined && { reason }),
      }));
  }

  /** A place at which a probe can stand; or why none can. */
  codeAt(address: number): FoundCode | Refused {
    const found = this.functionAt(address);
    const code = found && this.#codeOf(found);
    if (found === undefined || code === undefined) return new Refused('is in no function');
    const { n, object, one } = found;
    const start = object.text.base + one.start;
    const place = this.#placesOf(n).find(({ offset }) => offset === address - start);
    if (place === undefined) return new Refused('is in the midst of an instruction');
    if (place.reason !== undefined) return new Refused(place.reason);
    const isTrap = place.noJump !== undefined;
    const { BREAKPOINT, placeJump, placeBody } = MACHINES[this.#object(object)!.elf.machine].places;
    return {
      address,
      isTrap,
      instructions: place.instructions,
      compiled: Uint8Array.from(code.subarray(place.offset, place.offset + (isTrap ? BREAKPOINT.length : place.length))),
      armed: (target) => (isTrap ? BREAKPOINT : placeJump(address, place.length, target)),
      body: (at) => placeBody({ code, address: start }, place, at),
    };
  }

  /** The function that has an address. */
  functionAt(address: number): (FunctionOfText & { readonly n: number }) | undefined {
    for (const object of this.#texts.all) {
      const { base, length, functions, firstFunction } = object.text;
      if (address < base || address >= base + length) continue;
      const index = lastAtOrBefore(this.#startsOf(object), address - base);
      const one = functions[index];
      if (one !== undefined && address - base < one.end) return { object, one, n: firstFunction + index };
    }
    return undefined;
  }

  #startsOf(object: LinkedObject): Float64Array {
    let starts = this.#starts.get(object);
    if (starts === undefined) {
      starts = Float64Array.from(object.text.functions, ({ start }) => start);
      this.#starts.set(object, starts);
    }
    return starts;
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

  /** The calls of the process's objects by which threads say which signals they take. */
  signalCalls(): readonly PlacedSignalCall[] {
    return this.#texts.all.flatMap((object) => this.#signalCallsOf(object));
  }

  #signalCallsOf(object: LinkedObject): readonly PlacedSignalCall[] {
    let calls = this.#calls.get(object);
    if (calls === undefined) {
      const { bias } = object.text;
      const elf = this.#file(object);
      const traps = elf && MACHINES[elf.machine].traps;
      const { bytes = Buffer.alloc(0), segments = [] } = traps === undefined ? {} : elf!;
      calls = segments
        .filter(({ type, flags }) => type === SEGMENT.load && flags & SEGMENT_FLAG.execute)
        .flatMap((segment) =>
          traps!.signalCalls(bytes.subarray(segment.offset, segment.offset + segment.fileSize)).map(({ name, offset }) => ({
            name,
            address: bias + segment.address + offset,
            compiled: Uint8Array.from(bytes.subarray(segment.offset + offset, segment.offset + offset + traps!.loadBytes)),
          })),
        );
      this.#calls.set(object, calls);
    }
    return calls;
  }

  /** Threads run its code while they block all signals: the C library's, and that of the dynamic linker. */
  #blocksSignals(object: LinkedObject): boolean {
    return /^ld[-.]/.test(object.text.module) || this.#signalCallsOf(object).length > 0;
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

  #placesOf(n: number): readonly InstructionPlace[] {
    let places = this.#places.get(n);
    if (places === undefined) {
      places = this.#find(n);
      this.#places.set(n, places);
    }
    return places;
  }

  #find(n: number): readonly InstructionPlace[] {
    const found = this.#texts.function(n);
    const code = found && this.#codeOf(found);
    if (found === undefined || code === undefined) return [];
    const { one, object } = found;
    const { finder, elf } = this.#object(object)!;
    const start = one.start + elf.span[0];
    const { site } = one;
    const at = object.text.base + one.start;
    const range = site && ([site.address - at, site.resume - at] as const);
    const places = finder.places(code, start, range);
    if (!this.#blocksSignals(object)) return places;
    return places.map((place) => (place.noJump === undefined ? place : { reason: `${place.noJump}, ${NO_TRAP}`, ...place }));
  }

  #codeOf({ object, one }: FunctionOfText): Buffer | undefined {
    const elf = this.#object(object)?.elf;
    return elf?.at(one.start + elf.span[0], one.end - one.start);
  }

  #object(object: LinkedObject): ReadObject | undefined {
    if (!this.#read.has(object)) {
      const elf = this.#file(object);
      this.#read.set(object, elf && { elf, finder: finderOf(elf) });
    }
    return this.#read.get(object);
  }

  #file({ text }: LinkedObject): ElfFile | undefined {
    return attempt(() => openElf(`/proc/${this.#pid}/root${text.file}`, text.file));
  }
}

function finderOf(elf: ElfFile): MachinePlaceFinder {
  const { PlaceFinder } = MACHINES[elf.machine].places;
  return new PlaceFinder(elf, () => objectCode(elf).ranges);
}
