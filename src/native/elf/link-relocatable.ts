import { TraceError } from '../../base/errno.js';
import { ELF_ABIS } from '../machines/elf-abis.js';
import { SLOT_AT, STUB_BYTES } from './elf-abi.js';
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

const writeInt64 = (bytes: Buffer, at: number, value: number): void => void bytes.writeBigInt64LE(BigInt(value), at);

/** The stubs of symbols that another object defines, made when something refers to them. */
class Stubs {
  /** The stubs' offset in the file. */
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
    ELF_ABIS[this.#machine].stub(at).copy(stub);
    return stub;
  }

  /** The relocations of their words, by which the stubs have names. */
  relocations(): Buffer {
    const entries = Buffer.alloc(this.#numbers.size * RELA_BYTES);
    let at = 0;
    for (const index of this.#numbers.keys()) {
      entries.writeBigUInt64LE(BigInt(this.slotOf(index)), at);
      entries.writeUInt32LE(ELF_ABIS[this.#machine].jumpSlot, at + 8);
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
    const known = ELF_ABIS[elf.machine].relocations[entries.readUInt32LE(at + 8)];
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
