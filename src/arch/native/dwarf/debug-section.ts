import { inflateSync } from 'node:zlib';
import { attempt } from '../../../base/attempt.js';
import { TraceError } from '../../../base/errno.js';
import type { ElfFile } from '../elf/elf-file.js';

const COMPRESSED = 0x800;
/** Elf64_Chdr: the kind of compression, 4 bytes of nothing, the size, the alignment. */
const HEADER_BYTES = 24;
const ZLIB = 1;

/**
 * The bytes of a section for debuggers (`.debug_line`), uncompressed; undefined: the object has none.
 * @throws TraceError EOPNOTSUPP for compression that Node 20 does not know, ENOEXEC if it is damaged
 */
export function debugSection(elf: ElfFile, name: string): Buffer | undefined {
  const section = elf.section(name);
  if (section === undefined || section.size === 0) return undefined;
  const bytes = elf.contents(section);
  if ((section.flags & COMPRESSED) === 0) return bytes;
  const kind = bytes.length < HEADER_BYTES ? undefined : bytes.readUInt32LE(0);
  if (kind !== undefined && kind !== ZLIB) {
    throw new TraceError('EOPNOTSUPP', `${elf.file}: ${name} is compressed by another algorithm than zlib`);
  }
  const plain = kind && attempt(() => inflateSync(bytes.subarray(HEADER_BYTES), { maxOutputLength: bytes.readUInt32LE(8) || 1 }));
  if (!plain) throw new TraceError('ENOEXEC', `${elf.file}: ${name} is damaged: it cannot be uncompressed`);
  return plain;
}
