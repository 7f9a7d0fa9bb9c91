import { closeSync, openSync, readSync } from 'node:fs';
import { attempt } from '../../base/attempt.js';
import { downToPage, PAGE } from '../../base/page.js';
import { type AddressRange, isWithin } from './address-range.js';
import type { ProcessMemory } from './process-memory.js';

const TWO_32 = 2 ** 32;
/** Bytes that are read at once. */
const PIECE = 2 ** 20;
/** Bytes of an entry of /proc/PID/pagemap, and the bits of its last byte that say that the page has content. */
const ENTRY_BYTES = 8;
const PRESENT_OR_SWAPPED = 0xc0;

/** A word of a process's memory. */
export interface MemoryWord {
  readonly address: number;
  readonly value: number;
}

/**
 * The aligned words of a process's memory from one address to another that lie in one of some ranges. Memory that is gone has
 * none.
 */
function* wordsIn(memory: ProcessMemory, { start, end }: AddressRange, ranges: readonly AddressRange[]): Generator<MemoryWord> {
  const lowest = Math.min(...ranges.map((range) => Math.floor(range.start / TWO_32)));
  const highest = Math.max(...ranges.map((range) => Math.floor(range.end / TWO_32)));
  for (let from = Math.ceil(start / 8) * 8; from < end; from += PIECE) {
    const bytes = attempt(() => memory.read(from, Math.min(PIECE, end - from)));
    const words = new Uint32Array(bytes?.buffer ?? new ArrayBuffer(0), 0, (bytes?.length ?? 0) >>> 2);
    for (let i = 1; i < words.length; i += 2) {
      const high = words[i]!;
      if (high < lowest || high > highest) continue;
      const value = high * TWO_32 + words[i - 1]!;
      if (isWithin(value, ranges)) yield { address: from + (i - 1) * 4, value };
    }
  }
}

/** Whether some memory has a word in one of some ranges for which something holds. */
export function hasWord(
  memory: ProcessMemory,
  parts: readonly AddressRange[],
  ranges: readonly AddressRange[],
  holds: (word: MemoryWord) => boolean = () => true,
): boolean {
  for (const part of parts) for (const word of wordsIn(memory, part, ranges)) if (holds(word)) return true;
  return false;
}

/** The parts of a range whose pages have content of their own: all others read as zeros, or as what a file has. */
export function residentParts(pid: number, { start, end }: AddressRange): readonly AddressRange[] {
  const fd = openSync(`/proc/${pid}/pagemap`, 'r');
  try {
    const parts: { start: number; end: number }[] = [];
    const entries = Buffer.alloc(PIECE);
    for (let from = downToPage(start); from < end; ) {
      const wanted = Math.min(PIECE, Math.ceil((end - from) / PAGE) * ENTRY_BYTES);
      const got = readSync(fd, entries, 0, wanted, (from / PAGE) * ENTRY_BYTES);
      if (got === 0) break;
      for (let at = 0; at < got; at += ENTRY_BYTES, from += PAGE) {
        if ((entries[at + ENTRY_BYTES - 1]! & PRESENT_OR_SWAPPED) === 0) continue;
        const last = parts.at(-1);
        if (last?.end === from) last.end += PAGE;
        else parts.push({ start: from, end: from + PAGE });
      }
    }
    return parts.map((part) => ({ start: Math.max(part.start, start), end: Math.min(part.end, end) }));
  } finally {
    closeSync(fd);
  }
}
