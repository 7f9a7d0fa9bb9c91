import type { MappedRange } from './process-maps.js';

/** An address range; `end` is the address behind its last byte. */
export interface AddressRange {
  readonly start: number;
  readonly end: number;
}

/** How far a jump or call goes, and a page less. */
const REACH = 2 ** 31 - 4096;
const GRAIN = 65_536;
/** Below this address nothing is mapped. */
const LOWEST = 65_536;
const HIGHEST = 2 ** 47 - GRAIN;
/** Bytes above an executable that stay free for its heap. */
const HEAP = 2 ** 30;

/** The texts in groups, each within reach of its others and of a region of so many bytes beside them. */
export function textGroups<Text extends AddressRange>(texts: readonly Text[], bytes: number): readonly (readonly Text[])[] {
  const groups: Text[][] = [];
  for (const text of [...texts].sort((a, b) => a.start - b.start)) {
    const group = groups.at(-1);
    if (group !== undefined && text.end - group[0]!.start < REACH - bytes - GRAIN) group.push(text);
    else groups.push([text]);
  }
  return groups;
}

/**
 * Where a region of so many bytes has room from which all of these texts can be reached: below them, because a heap grows above; or as far
 * above as possible. Undefined: nowhere.
 */
export function nearRoom(maps: readonly MappedRange[], texts: readonly AddressRange[], bytes: number): number | undefined {
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
function gaps(maps: readonly MappedRange[]): readonly AddressRange[] {
  const mapped = maps.filter(({ start }) => start >= 0).sort((a, b) => a.start - b.start);
  const starts = [...mapped.map(({ start }) => start), HIGHEST];
  const ends = [0, ...mapped.map(({ end }) => end)];
  return starts.map((start, i) => ({ start: ends[i]! + 4096, end: start - 4096 })).filter(({ start, end }) => end > start);
}
