import { type ElfFile, wordAt } from './elf-file.js';

/** Bytes of a section's header. */
export const SECTION_HEADER_BYTES = 64;
/** Bytes of a symbol. */
export const SYMBOL_BYTES = 24;
/** sh_type of bytes that only the program knows. */
export const PROGBITS = 1;

/** Fields of an ELF header: where the headers of sections are, how many, and which one has their names. */
export const ELF_SECTIONS = { headers: 40, count: 60, names: 62 } as const;

/** A section that an object gets. */
export interface NewSection {
  readonly name: string;
  readonly type: number;
  readonly flags?: number;
  readonly address?: number;
  readonly link?: number;
  readonly bytes: Buffer;
}

/**
 * The bytes of an object with more sections. Their bytes stand behind all else, one after the other, then the names and the
 * headers of all sections.
 * @param bytes those of the object, which may have been changed
 */
export function withSections(elf: ElfFile, bytes: Buffer, added: readonly NewSection[]): Buffer {
  const count = elf.sections.length + added.length;
  const namesNumber = bytes.readUInt16LE(ELF_SECTIONS.names);
  const oldNames = elf.contents(elf.sections[namesNumber]!);
  const names = Buffer.concat([oldNames, Buffer.from(added.map(({ name }) => `${name}\0`).join(''), 'latin1')]);
  const oldHeaders = wordAt(bytes, ELF_SECTIONS.headers);
  const headers = Buffer.alloc(count * SECTION_HEADER_BYTES);
  bytes.copy(headers, 0, oldHeaders, oldHeaders + elf.sections.length * SECTION_HEADER_BYTES);
  let offset = bytes.length;
  let name = oldNames.length;
  for (const [i, one] of added.entries()) {
    const at = (elf.sections.length + i) * SECTION_HEADER_BYTES;
    headers.writeUInt32LE(name, at);
    headers.writeUInt32LE(one.type, at + 4);
    headers.writeBigUInt64LE(BigInt(one.flags ?? 0), at + 8);
    headers.writeBigInt64LE(BigInt(one.address ?? 0), at + 16);
    headers.writeBigUInt64LE(BigInt(offset), at + 24);
    headers.writeBigUInt64LE(BigInt(one.bytes.length), at + 32);
    headers.writeUInt32LE(one.link ?? 0, at + 40);
    name += one.name.length + 1;
    offset += one.bytes.length;
  }
  headers.writeBigUInt64LE(BigInt(offset), namesNumber * SECTION_HEADER_BYTES + 24);
  headers.writeBigUInt64LE(BigInt(names.length), namesNumber * SECTION_HEADER_BYTES + 32);
  const all = Buffer.concat([bytes, ...added.map((one) => one.bytes), names, headers]);
  all.writeBigUInt64LE(BigInt(offset + names.length), ELF_SECTIONS.headers);
  all.writeUInt16LE(count, ELF_SECTIONS.count);
  return all;
}
