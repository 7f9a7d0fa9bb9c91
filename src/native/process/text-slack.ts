import { PAGE, upToPage } from '../../base/page.js';
import { type AddressRange, bytesIn } from './address-range.js';
import { isExecutable, type MappedObject } from './process-maps.js';
import type { ProcessMemory } from './process-memory.js';

const HEADER_BYTES = 64;
const PROGRAM_HEADER_BYTES = 56;
const PT_LOAD = 1;
const PF_X = 1;
const ELF_MAGIC = 0x464c457f;

/**
 * What follows an object's text up to the end of its last page: mapped, executable, and used by nothing. Undefined if the object
 * shows none. Reads the object's headers where they are mapped.
 */
export function textSlack(memory: ProcessMemory, { ranges }: MappedObject): AddressRange | undefined {
  const first = ranges.find(({ offset }) => offset === 0);
  if (first === undefined) return undefined;
  const header = new DataView(memory.read(first.start, HEADER_BYTES).buffer);
  if (header.getUint32(0, true) !== ELF_MAGIC) return undefined;
  const count = header.getUint16(56, true);
  const table = memory.read(first.start + Number(header.getBigUint64(32, true)), count * PROGRAM_HEADER_BYTES);
  for (let at = 0; at < table.length; at += PROGRAM_HEADER_BYTES) {
    const segment = new DataView(table.buffer, at, PROGRAM_HEADER_BYTES);
    if (segment.getUint32(0, true) !== PT_LOAD || (segment.getUint32(4, true) & PF_X) === 0) continue;
    const offset = Number(segment.getBigUint64(8, true));
    const end = offset + Number(segment.getBigUint64(40, true));
    const text = ranges.find((range) => isExecutable(range) && end > range.offset && end <= range.offset + bytesIn(range));
    if (text === undefined || end % PAGE === 0) continue;
    const start = text.start + end - text.offset;
    return { start: Math.ceil(start / 16) * 16, end: upToPage(start) };
  }
  return undefined;
}
