import { attempt } from '../../base/attempt.js';
import { CallFrames, type FrameRow } from '../dwarf/call-frame.js';
import { unlessDamaged } from '../dwarf/dwarf-reader.js';
import { ObjectDebug, type PlacedCall } from '../dwarf/object-debug.js';
import { type ElfFile, type ElfSection, SEGMENT } from '../elf/elf-file.js';
import { frameSearch } from '../elf/frame-search.js';
import { SymbolIndex } from '../elf/symbol-index.js';
import { betterName, namelessFunction, wholeName } from '../text/symbol-name.js';

/** Sections of the stubs that a linker makes for functions of other objects. */
const STUBS = /^\.(plt|iplt)\b/;

/** An object whose code is mapped: how its calls are unwound, and what they are called. What is not asked for is not read. */
export class CodeObject {
  /** The path as maps shows it. */
  readonly path: string;
  readonly #elf: ElfFile;
  readonly #frames: CallFrames;
  readonly #stubs: readonly ElfSection[];
  readonly #names = new Map<number, string | undefined>();
  readonly #calls = new Map<number, readonly PlacedCall[]>();
  #symbols: SymbolIndex | undefined | false = false;
  #debug: ObjectDebug | undefined | false = false;

  constructor(path: string, elf: ElfFile) {
    this.path = path;
    this.#elf = elf;
    this.#frames = new CallFrames(frameSearch(elf));
    this.#stubs = elf.sections.filter(({ name }) => STUBS.test(name));
  }

  /** The address that the object's file gives to one of its bytes; undefined: that is not loaded. */
  addressOfByte(offset: number): number | undefined {
    const segment = this.#elf.segments.find(
      (one) => one.type === SEGMENT.load && offset >= one.offset && offset < one.offset + one.fileSize,
    );
    return segment && segment.address + offset - segment.offset;
  }

  /** What unwinding must know at an address of the file; undefined: nothing says it. @throws RangeError: the table is damaged */
  row(address: number): FrameRow | undefined {
    return this.#frames.row(address);
  }

  isStub(address: number): boolean {
    return this.#stubs.some((one) => address >= one.address && address < one.address + one.size);
  }

  /** The name of the function at an address of the file, as the linker has it; undefined: it has none. */
  nameAt(address: number): string | undefined {
    if (!this.#names.has(address)) this.#names.set(address, this.#findName(address));
    return this.#names.get(address);
  }

  #findName(address: number): string | undefined {
    if (this.#symbols === false) this.#symbols = attempt(() => new SymbolIndex(this.#elf));
    const { names = [], address: start = 0, size = 0 } = this.#symbols?.before(address) ?? {};
    if (names.length > 0 && (address < start + size || size === 0)) return wholeName(names.reduce(betterName));
    const row = unlessDamaged(() => this.#frames.row(address));
    return row && namelessFunction(row.start);
  }

  /** The functions at an address of the file, the inlined ones first; none: it has no debug information of that. */
  callsAt(address: number): readonly PlacedCall[] {
    const known = this.#calls.get(address) ?? this.#findCalls(address);
    this.#calls.set(address, known);
    return known;
  }

  #findCalls(address: number): readonly PlacedCall[] {
    if (this.#debug === false) this.#debug = attempt(() => new ObjectDebug(this.#elf));
    const debug = this.#debug;
    return (debug && attempt(() => debug.callsAt(address))) ?? [];
  }

  /** Reads what unwinding needs of the file, so that it need not be read later. */
  prepare(): void {
    attempt(() => this.#frames.row(0));
  }
}
