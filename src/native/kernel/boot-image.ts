import { spawnSync } from 'node:child_process';
import { gunzipSync } from 'node:zlib';
import { TraceError } from '../../base/errno.js';

/** A kernel as it is booted (`vmlinuz`): code that unpacks the kernel's ELF file, and that file, packed. x86's bzImage only. */

/**
 * Offsets in the setup header of the boot protocol (Documentation/x86/boot.rst): from 2.08 on it says where the packed file is.
 */
const HEADER = { sectors: 0x1f1, magic: 0x202, version: 0x206, payload: 0x248, payloadBytes: 0x24c } as const;
const MAGIC = Buffer.from('HdrS');
const FIRST_VERSION = 0x208;
const SECTOR = 512;
/** Sectors of a header that says 0. */
const DEFAULT_SECTORS = 4;
/** The size of what was packed, behind it. gzip has that by itself. */
const SIZE_BYTES = 4;

const byProgram =
  (command: string, ...args: string[]) =>
  (packed: Buffer): Buffer => {
    const { stdout, error } = spawnSync(command, args, { input: packed.subarray(0, -SIZE_BYTES), maxBuffer: 2 ** 30 });
    if (error !== undefined) throw new TraceError('ENOENT', `the kernel is packed by ${command}, which is not installed`);
    return stdout;
  };

/** How kernels are packed, by the first bytes of what is packed. */
const PACKERS: readonly (readonly [magic: string, unpack: (packed: Buffer) => Buffer])[] = [
  ['1f8b', gunzipSync],
  ['fd377a585a00', byProgram('xz', '-dc')],
  ['28b52ffd', byProgram('zstd', '-dc')],
  ['02214c18', byProgram('lz4', '-dc')],
];

export const isBootImage = (image: Buffer): boolean =>
  image.length > HEADER.payloadBytes + 4 && image.subarray(HEADER.magic, HEADER.magic + MAGIC.length).equals(MAGIC);

/**
 * The ELF file in a boot image.
 * @throws TraceError ENOEXEC if there is none that fentry can unpack; ENOENT if a program that unpacks it is missing
 */
export function unpackBootImage(image: Buffer, file: string): Buffer {
  const version = image.readUInt16LE(HEADER.version);
  if (version < FIRST_VERSION) throw new TraceError('ENOEXEC', `${file} is of a boot protocol before 2.08`);
  const start = ((image[HEADER.sectors] || DEFAULT_SECTORS) + 1) * SECTOR + image.readUInt32LE(HEADER.payload);
  const packed = image.subarray(start, start + image.readUInt32LE(HEADER.payloadBytes));
  const unpack = PACKERS.find(([magic]) => packed.subarray(0, magic.length / 2).toString('hex') === magic)?.[1];
  if (unpack === undefined)
    throw new TraceError('ENOEXEC', `${file} is packed in a way that fentry does not know: it knows gzip, xz, zstd and lz4`);
  const elf = unpack(packed);
  if (elf.length === 0) throw new TraceError('ENOEXEC', `${file} cannot be unpacked`);
  return elf;
}
