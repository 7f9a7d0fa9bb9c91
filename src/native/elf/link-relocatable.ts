import { TraceError } from '../../base/errno.js';
import {
  type ElfFile,
  type ElfSection,
  type NativeMachine,
  SECTION,
  SECTION_FLAG,
  SEGMENT,
  SEGMENT_FLAG,
  wordAt,
} from './elf-file.js';
import { ELF_SECTIONS, PROGBITS, SECTION_HEADER_BYTES, SYMBOL_BYTES, withSections } from './with-sections.js';

/**
 * What a linker makes of a relocatable object (`.o`, a kernel's `.ko`) as far as functions and sites show it: addresses are the
 * offsets of the file, and what the object does not define gets a stub, as in a procedure linkage table.
 */

const RELA_BYTES = 24;
const SEGMENT_BYTES = 56;
/** Fields of an ELF header, and of a section's. */
const ELF_HEADER = { type: 16, segments: 32, segmentBytes: 54, segmentCount: 56 } as const;
const SECTION_HEADER = { type: 4, address: 16, info: 44 } as const;
const EXECUTABLE = 2;
/** Sections from this number on are none; this one is that of plain numbers. */
const FIRST_RESERVED = 0xff00;
const ABSOLUTE = 0xfff1;

/** Writes a relocated value: the symbol's address with the addend, and the address of the place. */
type Write = (bytes: Buffer, at: number, value: number, place: number) => void;

const writeInt32 = (bytes: Buffer, at: number, value: number): void => void bytes.writeInt32LE(value | 0, at);
const writeInt64 = (bytes: Buffer, at: number, value: number): void => void bytes.writeBigInt64LE(BigInt(value), at);
const word32: Write = (bytes, at, value) => writeInt32(bytes, at, value);
const word64: Write = (bytes, at, value) => writeInt64(bytes, at, value);
const distance32: Write = (bytes, at, value, place) => writeInt32(bytes, at, value - place);
const distance64: Write = (bytes, at, value, place) => writeInt64(bytes, at, value - place);

/** A field of an instruction of arm64: `bits` bits from bit `from` on. */
const field =
  (from: number, bits: number, encode: (value: number, place: number) => number): Write =>
  (bytes, at, value, place) => {
    const mask = (2 ** bits - 1) * 2 ** from;
    const kept = bytes.readUInt32LE(at) & ~mask;
    bytes.writeInt32LE(kept | ((encode(value, place) << from) & mask), at);
  };
const instructions = (value: number, place: number): number => (value - place) >> 2;
const lowBits = (scale: number): Write => field(10, 12, (value) => (value & 0xfff) >> scale);
/** adr and adrp: the two low bits of the distance stand apart. */
const address21 =
  (distance: (value: number, place: number) => number): Write =>
  (bytes, at, value, place) => {
    field(29, 2, distance)(bytes, at, value, place);
    field(5, 19, (v, p) => distance(v, p) >> 2)(bytes, at, value, place);
  };
const pages = (value: number, place: number): number => Math.floor(value / 4096) - Math.floor(place / 4096);

/** A relocation: of a symbol's address, or of that of the word that has it. */
interface Relocation {
  readonly of: 'symbol' | 'slot';
  readonly write: Write;
}
const symbol = (write: Write): Relocation => ({ of: 'symbol', write });
const slot = (write: Write): Relocation => ({ of: 'slot', write });

/** The relocations of code and of tables of sites, by their numbers in the machines' ABIs; others leave what the object has. */
const RELOCATIONS: Readonly<Record<NativeMachine, Readonly<Record<number, Relocation>>>> = {
  'x86-64': {
    1: symbol(word64),
    2: symbol(distance32),
    4: symbol(distance32),
    9: slot(distance32),
    10: symbol(word32),
    11: symbol(word32),
    24: symbol(distance64),
    41: slot(distance32),
    42: slot(distance32),
  },
  arm64: {
    257: symbol(word64),
    258: symbol(word32),
    260: symbol(distance64),
    261: symbol(distance32),
    274: symbol(address21((value, place) => value - place)),
    275: symbol(address21(pages)),
    276: symbol(address21(pages)),
    277: symbol(lowBits(0)),
    278: symbol(lowBits(0)),
    279: symbol(field(5, 14, instructions)),
    280: symbol(field(5, 19, instructions)),
    282: symbol(field(0, 26, instructions)),
    283: symbol(field(0, 26, instructions)),
    284: symbol(lowBits(1)),
    285: symbol(lowBits(2)),
    286: symbol(lowBits(3)),
    299: symbol(lowBits(4)),
    311: slot(address21(pages)),
    312: slot(lowBits(3)),
  },
};

/** Bytes of a stub, with the word behind it that would have the symbol's address. */
const STUB_BYTES = 32;
const SLOT_AT = 16;

/** The relocation of a stub's word (JUMP_SLOT). */
const JUMP_SLOTS: Readonly<Record<NativeMachine, number>> = { 'x86-64': 7, arm64: 1026 };

/** The instructions of a stub at an address: it jumps to what its word has. */
const STUB_CODE: Readonly<Record<NativeMachine, (at: number) => Buffer>> = {
  // jmp *10(%rip)
  'x86-64': () => Buffer.from([0xff, 0x25, SLOT_AT - 6, 0, 0, 0]),
  // adrp x16, page; ldr x17, [x16, offset]; add x16, x16, offset; br x17
  arm64(at) {
    const code = Buffer.alloc(SLOT_AT);
    [0x90000010, 0xf9400211, 0x91000210, 0xd61f0220].forEach((word, i) => void code.writeUInt32LE(word, 4 * i));
    address21(pages)(code, 0, at + SLOT_AT, at);
    lowBits(3)(code, 4, at + SLOT_AT, at);
    lowBits(0)(code, 8, at + SLOT_AT, at);
    return code;
  },
};

/** The stubs of symbols that another object defines, made when something refers to them. */
class Stubs {
  /** Their offset in the file. */
  readonly start: number;
  readonly #machine: NativeMachine;
  readonly #numbers = new Map<number, number>();

  constructor(machine: NativeMachine, start: number) {
    this.#machine = machine;
    this.start = start;
  }

  /** @param index the symbol's */
  of(index: number): number {
    const number = this.#numbers.get(index) ?? this.#numbers.size;
    this.#numbers.set(index, number);
    return this.start + number * STUB_BYTES;
  }

  slotOf(index: number): number {
    return this.of(index) + SLOT_AT;
  }

  code(): Buffer {
    return Buffer.concat(Array.from(this.#numbers.keys(), (index) => this.#stub(this.of(index))));
  }

  #stub(at: number): Buffer {
    const stub = Buffer.alloc(STUB_BYTES);
    STUB_CODE[this.#machine](at).copy(stub);
    return stub;
  }

  /** The relocations of their words, by which the stubs have names. */
  relocations(): Buffer {
    const entries = Buffer.alloc(this.#numbers.size * RELA_BYTES);
    let at = 0;
    for (const index of this.#numbers.keys()) {
      entries.writeBigUInt64LE(BigInt(this.slotOf(index)), at);
      entries.writeUInt32LE(JUMP_SLOTS[this.#machine], at + 8);
      entries.writeUInt32LE(index, at + 12);
      at += RELA_BYTES;
    }
    return entries;
  }
}

const isLoaded = ({ flags }: ElfSection): boolean => (flags & SECTION_FLAG.alloc) !== 0;
/** What only the program knows is not in the file: it has no address that anything here needs. */
const addressOf = (section: ElfSection): number => (isLoaded(section) && section.type !== SECTION.nobits ? section.offset : 0);

/**
 * Moves the symbols of a table to the addresses of their sections; returns those addresses, undefined for what is not defined
 * here.
 */
function placeSymbols(elf: ElfFile, table: ElfSection, bytes: Buffer): (number | undefined)[] {
  return Array.from({ length: Math.floor(table.size / SYMBOL_BYTES) }, (_, i) => {
    const at = table.offset + i * SYMBOL_BYTES;
    const number = bytes.readUInt16LE(at + 6);
    const value = wordAt(bytes, at + 8);
    if (number === ABSOLUTE) return value;
    const section = number === 0 || number >= FIRST_RESERVED ? undefined : elf.sections[number];
    if (section === undefined) return undefined;
    const address = addressOf(section) + value;
    writeInt64(bytes, at + 8, address);
    return address;
  });
}

/**
 * The bytes of a relocatable object as those of an executable, in which addresses are offsets of the file.
 * @throws TraceError ENOEXEC if it has no symbols
 */
export function linkRelocatable(elf: ElfFile): Buffer {
  const bytes = Buffer.from(elf.bytes);
  const [table] = elf.sectionsOfType(SECTION.symtab);
  if (table === undefined) throw new TraceError('ENOEXEC', `${elf.file} has no symbols: what it would be linked to is not known`);
  const addresses = placeSymbols(elf, table, bytes);
  const stubs = new Stubs(elf.machine, Math.ceil(bytes.length / STUB_BYTES) * STUB_BYTES);
  const headersAt = wordAt(bytes, ELF_SECTIONS.headers);
  elf.sections.forEach((section, i) => {
    const header = headersAt + i * SECTION_HEADER_BYTES;
    writeInt64(bytes, header + SECTION_HEADER.address, addressOf(section));
    if (section.type !== SECTION.rela) return;
    const target = elf.sections[bytes.readUInt32LE(header + SECTION_HEADER.info)];
    if (target !== undefined) relocate(elf, bytes, section, target, addresses, stubs);
    // What a loader would do is done.
    bytes.writeUInt32LE(0, header + SECTION_HEADER.type);
  });
  return withStubs(elf, bytes, stubs, elf.sections.indexOf(table));
}

function relocate(
  elf: ElfFile,
  bytes: Buffer,
  section: ElfSection,
  target: ElfSection,
  addresses: readonly (number | undefined)[],
  stubs: Stubs,
): void {
  const entries = elf.contents(section);
  for (let at = 0; at + RELA_BYTES <= entries.length; at += RELA_BYTES) {
    const offset = wordAt(entries, at);
    const known = RELOCATIONS[elf.machine][entries.readUInt32LE(at + 8)];
    if (known === undefined || offset < 0 || offset + 4 > target.size || target.type === SECTION.nobits) continue;
    const index = entries.readUInt32LE(at + 12);
    const value = known.of === 'slot' ? stubs.slotOf(index) : (addresses[index] ?? stubs.of(index));
    known.write(bytes, target.offset + offset, value + wordAt(entries, at + 16), addressOf(target) + offset);
  }
}

/** The object with its stubs, as one segment from the file's start on. */
function withStubs(elf: ElfFile, bytes: Buffer, stubs: Stubs, table: number): Buffer {
  const { start } = stubs;
  const code = stubs.code();
  const image = withSections(elf, Buffer.concat([bytes, Buffer.alloc(start - bytes.length)]), [
    { name: '.plt', type: PROGBITS, flags: SECTION_FLAG.alloc | SECTION_FLAG.execute, address: start, bytes: code },
    {
      name: '.rela.plt',
      type: SECTION.rela,
      flags: SECTION_FLAG.alloc,
      address: start + code.length,
      link: table,
      bytes: stubs.relocations(),
    },
  ]);
  const end = BigInt(wordAt(image, ELF_SECTIONS.headers));
  const segment = Buffer.alloc(SEGMENT_BYTES);
  segment.writeUInt32LE(SEGMENT.load, 0);
  segment.writeUInt32LE(SEGMENT_FLAG.execute, 4);
  segment.writeBigUInt64LE(end, 32);
  segment.writeBigUInt64LE(end, 40);
  image.writeBigUInt64LE(BigInt(image.length), ELF_HEADER.segments);
  image.writeUInt16LE(EXECUTABLE, ELF_HEADER.type);
  image.writeUInt16LE(SEGMENT_BYTES, ELF_HEADER.segmentBytes);
  image.writeUInt16LE(1, ELF_HEADER.segmentCount);
  return Buffer.concat([image, segment]);
}
