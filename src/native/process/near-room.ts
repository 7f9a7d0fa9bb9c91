import { PAGE, upToPage } from '../../base/page.js';
import { processMachine } from '../machines/process-machine.js';
import { type AddressRange, bytesIn } from './address-range.js';
import { isExecutable, type MappedObject } from './process-maps.js';
import type { ProcessMemory } from './process-memory.js';

const { reach: REACH, addressBits } = processMachine;
const GRAIN = 65_536;
/** Below this address nothing is mapped. */
const LOWEST = 65_536;
const HIGHEST = 2 ** addressBits - GRAIN;
/** Bytes above an executable that stay free for its heap. */
const HEAP = 2 ** 30;

/** How large a region is, in bytes: the first of these for which there is room. */
export const ROOM_BYTES = [2 ** 26, 2 ** 24, 2 ** 22] as const;

/** Texts, and a region that all of them reach. */
export interface TextGroup<Text extends AddressRange> {
  readonly texts: readonly Text[];
  readonly room: AddressRange;
}

/** The texts in as few groups as there is room for; a text for which there is none is in no group. */
export function textGroups<Text extends AddressRange>(
  maps: readonly AddressRange[],
  texts: readonly Text[],
): readonly TextGroup<Text>[] {
  const groups: TextGroup<Text>[] = [];
  for (const text of [...texts].sort((a, b) => a.start - b.start)) {
    const others = [...maps, ...groups.slice(0, -1).map(({ room }) => room)];
    const last = groups.at(-1);
    const more = last && regionNear(others, [...last.texts, text]);
    if (more !== undefined && isAsLarge(more, last!.room)) {
      groups[groups.length - 1] = { texts: [...last!.texts, text], room: more };
      continue;
    }
    const room = regionNear(last === undefined ? maps : [...others, last.room], [text]);
    if (room !== undefined) groups.push({ texts: [text], room });
  }
  return groups;
}

const isAsLarge = (one: AddressRange, other: AddressRange): boolean => bytesIn(one) >= bytesIn(other);

/** The largest region that all of these texts reach. */
export function regionNear(maps: readonly AddressRange[], texts: readonly AddressRange[]): AddressRange | undefined {
  for (const bytes of ROOM_BYTES) {
    const start = nearRoom(maps, texts, bytes);
    if (start !== undefined) return { start, end: start + bytes };
  }
  return undefined;
}

/**
 * Where a region of so many bytes has room from which all of these texts can be reached: below them, because a heap grows above;
 * or as far above as possible. Undefined: nowhere.
 */
export function nearRoom(maps: readonly AddressRange[], texts: readonly AddressRange[], bytes: number): number | undefined {
  const first = Math.min(...texts.map(({ start }) => start));
  const last = Math.max(...texts.map(({ end }) => end));
  const lowest = Math.max(LOWEST, last - REACH);
  const highest = Math.min(HIGHEST, first + REACH);
  let below: number | undefined;
  let above: number | undefined;
  for (const { start, end } of gaps(maps)) {
    const from = Math.ceil(Math.max(start, lowest) / GRAIN) * GRAIN;
    const to = Math.floor(Math.min(end, highest) / GRAIN) * GRAIN;
    if (to - from < bytes) continue;
    if (to <= first) below = to - bytes;
    else above = Math.max(from, Math.min(to - bytes, Math.floor((last + HEAP) / GRAIN) * GRAIN));
  }
  return below ?? above;
}

/** What lies between mappings, with a page to both sides. */
function gaps(maps: readonly AddressRange[]): readonly AddressRange[] {
  const mapped = maps.filter(({ start }) => start >= 0).sort((a, b) => a.start - b.start);
  const starts = [...mapped.map(({ start }) => start), HIGHEST];
  const ends = [0, ...mapped.map(({ end }) => end)];
  return starts.map((start, i) => ({ start: ends[i]! + PAGE, end: start - PAGE })).filter(({ start, end }) => end > start);
}

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
