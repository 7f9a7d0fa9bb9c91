import { type ElfFile, SEGMENT } from '../elf/elf-file.js';
import type { NativeFunction } from '../text/native-text.js';

/**
 * An object in which functions are armed for good: each jumps to what goes on with it elsewhere, in a segment of its own. A
 * program that runs as before shows that moved instructions do what they did.
 */

const PAGE = 4096;
const HEADER_SIZE = 56;
const READ_AND_RUN = 5;

const pageOf = (address: number): number => Math.ceil(address / PAGE) * PAGE;

/** The bytes of the object with these functions armed. It must lie where its file says. */
export function rewriteObject(elf: ElfFile, functions: readonly NativeFunction[]): Buffer {
  const [, last] = elf.span;
  const address = pageOf(last) + PAGE;
  const offset = pageOf(elf.bytes.length);
  const bodies: Uint8Array[] = [];
  const bytes = Buffer.concat([elf.bytes, Buffer.alloc(offset - elf.bytes.length)]);
  let at = address;
  for (const { site } of functions) {
    if (site === undefined) continue;
    const body = site.body(at);
    bodies.push(body);
    const place = elf.at(site.address, 1)!.byteOffset - elf.bytes.byteOffset;
    bytes.set(site.armed(at, 'jump'), place);
    at += body.length;
  }
  // The segment of a note, which nothing needs, becomes that of the bodies.
  const spare = elf.segments.findIndex(({ type }) => type === SEGMENT.note);
  const header = Number(bytes.readBigUInt64LE(32)) + spare * HEADER_SIZE;
  bytes.writeUInt32LE(SEGMENT.load, header);
  bytes.writeUInt32LE(READ_AND_RUN, header + 4);
  for (const [i, value] of [offset, address, address, at - address, at - address, PAGE].entries()) {
    bytes.writeBigUInt64LE(BigInt(value), header + 8 + 8 * i);
  }
  return Buffer.concat([bytes, ...bodies]);
}
