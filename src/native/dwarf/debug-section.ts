import * as zlib from 'node:zlib';
import { attempt } from '../../base/attempt.js';
import { TraceError } from '../../base/errno.js';
import { type ElfFile, type ElfSection, stringAt } from '../elf/elf-file.js';

/** SHF_COMPRESSED */
const COMPRESSED = 0x800;
/** Elf64_Chdr: the kind of compression, 4 bytes of nothing, the size, the alignment. */
const HEADER_BYTES = 24;
/** Before there was that flag: `.zdebug_line`, which begins with this text and its size, from the highest byte. */
const OLD_MARK = 'ZLIB';
const OLD_HEADER_BYTES = 12;

type Inflate = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Buffer;
/** Since Node 22.15. */
const { zstdDecompressSync } = zlib as { readonly zstdDecompressSync?: Inflate };
/** By the number of the kind (ELFCOMPRESS_ZLIB, ELFCOMPRESS_ZSTD). */
const KINDS: Readonly<Record<number, { readonly name: string; readonly inflate: Inflate | undefined }>> = {
  1: { name: 'zlib', inflate: zlib.inflateSync },
  2: { name: 'zstd', inflate: zstdDecompressSync },
};

/** A section of a name, or the compressed one that stood for it before there was a flag for that. */
const sectionOf = (elf: ElfFile, name: string): ElfSection | undefined =>
  elf.section(name) ?? elf.section(name.replace(/^\./, '.z'));

/** Whether an object has a section for debuggers, with or without contents. */
export const hasDebugSection = (elf: ElfFile, name: string): boolean => sectionOf(elf, name) !== undefined;

/**
 * The bytes of a section for debuggers (`.debug_line`), uncompressed; undefined: the object has none.
 * @throws TraceError EOPNOTSUPP for compression that this Node does not know, ENOEXEC if it is damaged
 */
export function debugSection(elf: ElfFile, name: string): Buffer | undefined {
  const section = sectionOf(elf, name);
  if (section === undefined || section.size === 0) return undefined;
  const bytes = elf.contents(section);
  const isOld = section.name !== name;
  if (!isOld && (section.flags & COMPRESSED) === 0) return bytes;
  const plain = isOld ? inflatedOld(bytes) : inflated(elf, name, bytes);
  if (plain === undefined) throw new TraceError('ENOEXEC', `${elf.file}: ${name} is damaged: it cannot be uncompressed`);
  return plain;
}

function inflated(elf: ElfFile, name: string, bytes: Buffer): Buffer | undefined {
  if (bytes.length < HEADER_BYTES) return undefined;
  const kind = KINDS[bytes.readUInt32LE(0)];
  const inflate = kind?.inflate;
  if (inflate === undefined) {
    const how = kind === undefined ? 'is compressed by an algorithm that is not known' : `is compressed by ${kind.name}`;
    const remedy = kind === undefined ? '' : ', which takes Node 22.15 or later';
    throw new TraceError('EOPNOTSUPP', `${elf.file}: ${name} ${how}${remedy}`);
  }
  return attempt(() => inflate(bytes.subarray(HEADER_BYTES), { maxOutputLength: bytes.readUInt32LE(8) || 1 }));
}

function inflatedOld(bytes: Buffer): Buffer | undefined {
  if (bytes.length < OLD_HEADER_BYTES || stringAt(bytes.subarray(0, OLD_MARK.length), 0) !== OLD_MARK) return undefined;
  return attempt(() => zlib.inflateSync(bytes.subarray(OLD_HEADER_BYTES), { maxOutputLength: bytes.readUInt32BE(8) || 1 }));
}
