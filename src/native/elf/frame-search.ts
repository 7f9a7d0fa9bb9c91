import { attempt } from '../../base/attempt.js';
import { lastAtOrBefore } from '../../base/last-at-or-before.js';
import type { ElfFile } from './elf-file.js';
import { type FrameRange, rangeFrom, rangesIn } from './frame-ranges.js';

/** What .eh_frame_hdr has: its version; how its parts are written (32 bits); bytes before the table, and of a row. */
const VERSION = 1;
const ENCODINGS = [0x1b, 0x03, 0x3b] as const;
const TABLE_AT = 12;
const ROW = 8;

/** What finds the description of one frame among all of an object. */
export interface FrameSearch {
  /** All descriptions. */
  readonly bytes: Buffer;
  /** The range with an address of the object's file; undefined: there is none. */
  at(address: number): FrameRange | undefined;
}

/** Searches an object's .eh_frame, by its table for that (.eh_frame_hdr) if it has one: then little is read. */
export function frameSearch(elf: ElfFile): FrameSearch {
  const section = elf.section('.eh_frame');
  if (section === undefined) return { bytes: Buffer.alloc(0), at: () => undefined };
  const bytes = elf.contents(section);
  const find = byTable(elf, bytes, section.address) ?? (() => searchOf(bytes, section.address).at);
  let at: FrameSearch['at'] | undefined;
  return { bytes, at: (address) => (at ??= find())(address) };
}

/** Searches a table that lies at an address. */
export function searchOf(bytes: Buffer, address: number): FrameSearch {
  const ranges = [...rangesIn(bytes, address)].sort((a, b) => a.start - b.start);
  const starts = ranges.map(({ start }) => start);
  return {
    bytes,
    at(one) {
      const range = ranges[lastAtOrBefore(starts, one)];
      return range !== undefined && one < range.end ? range : undefined;
    },
  };
}

/** Undefined: there is no such table, or it is written in another way than linkers do. */
function byTable(elf: ElfFile, bytes: Buffer, base: number): (() => FrameSearch['at']) | undefined {
  const section = elf.section('.eh_frame_hdr');
  const head = section && elf.contents(section);
  if (head === undefined || head.length < TABLE_AT || head[0] !== VERSION) return undefined;
  if (ENCODINGS.some((encoding, i) => head[i + 1] !== encoding)) return undefined;
  const count = Math.min(head.readUInt32LE(8), Math.floor((head.length - TABLE_AT) / ROW));
  return () => {
    const starts = Float64Array.from({ length: count }, (_, i) => section!.address + head.readInt32LE(TABLE_AT + i * ROW));
    return (address) => {
      const row = lastAtOrBefore(starts, address);
      if (row < 0) return undefined;
      const at = section!.address + head.readInt32LE(TABLE_AT + row * ROW + 4) - base;
      const range = at < 0 ? undefined : attempt(() => rangeFrom(bytes, base, at));
      return range !== undefined && address >= range.start && address < range.end ? range : undefined;
    };
  };
}
