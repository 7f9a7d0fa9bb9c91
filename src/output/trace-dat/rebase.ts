import { addressOf, hexAddress, parseAddress } from '../../base/address.js';
import { highWord } from '../../base/words.js';
import { type EventsById, FIRST_ID } from '../../events/registry.js';
import { PageCursor } from '../../ring-buffer/index.js';

/**
 * A recording of several processes has one table of symbols. So that their addresses differ, those of each process move by its
 * number: addresses of user space up, past all that user space has, others down, because the texts there lie in the last 4 GiB.
 * Of more processes than USER_PROCESSES, whose addresses would not be exact numbers any more, those of user space may be the
 * same.
 */
const USER_STEP = 2 ** 48;
const USER_PROCESSES = 32;
const KERNEL_STEP = 2 ** 32;
const WORD = 2 ** 32;

/** common_type, in a record's first word. */
const ID_BITS = 0xffff;

const ADDRESS_WORDS = 2;
/** Behind the last frame of a stack. */
const NO_CALLER = -1;

/** How far addresses with this high word move; a multiple of 2^32. */
const distance = (high: number, slot: number): number =>
  high >>> 31 === 0 ? (slot % USER_PROCESSES) * USER_STEP : -slot * KERNEL_STEP;

/** The address of a process in a recording. @param slot the number of the process there; the first one's addresses stay */
export const rebasedAddress = (address: number, slot: number): number =>
  address === 0 ? 0 : address + distance(highWord(address), slot);

/** Moves the addresses in a text like kallsyms. */
export const rebaseSymbols = (text: string, slot: number): string =>
  slot === 0 ? text : text.replace(/^[0-9a-f]{16}(?= )/gm, (digits) => hexAddress(rebasedAddress(parseAddress(digits), slot)));

/** Moves the addresses in the records of these events in a page. Changes the page, which is aligned to words. */
export function rebasePage(page: Uint8Array, slot: number, events: EventsById): void {
  if (slot === 0) return;
  const words = new Uint32Array(page.buffer, page.byteOffset, page.length >>> 2);
  const cursor = new PageCursor().open(words, 0);
  while (cursor.next()) {
    const record = cursor.payload >>> 2;
    const end = record + (cursor.length >>> 2);
    for (const { offset, isRest } of events.get(words[record]! & ID_BITS)?.addresses ?? []) {
      const from = record + (offset >>> 2);
      rebaseAddresses(words, from, isRest ? end : Math.min(end, from + ADDRESS_WORDS), slot);
    }
  }
}

/** What changes in the records of a process when it comes into a recording, for events that got their ids at run time. */
export interface RecordChanges {
  /** The number of the process there. */
  readonly slot: number;
  /** The ids that its events have there. */
  readonly ids: ReadonlyMap<number, number>;
  /** The id of a record there whose event is none of these. */
  readonly unknown: number;
  /** The offsets of the addresses in the records of each of its events. */
  readonly addresses: ReadonlyMap<number, readonly number[]>;
}

/** Changes the records in a page, which is aligned to words. */
export function changePage(page: Uint8Array, { slot, ids, unknown, addresses }: RecordChanges): void {
  const words = new Uint32Array(page.buffer, page.byteOffset, page.length >>> 2);
  const cursor = new PageCursor().open(words, 0);
  while (cursor.next()) {
    const record = cursor.payload >>> 2;
    const end = record + (cursor.length >>> 2);
    const id = words[record]! & ID_BITS;
    if (id < FIRST_ID) continue;
    words[record] = (words[record]! & ~ID_BITS) | (ids.get(id) ?? unknown);
    if (slot === 0) continue;
    for (const offset of addresses.get(id) ?? []) {
      const from = record + (offset >>> 2);
      rebaseAddresses(words, from, Math.min(end, from + ADDRESS_WORDS), slot);
    }
  }
}

function rebaseAddresses(words: Uint32Array, from: number, end: number, slot: number): void {
  for (let at = from; at + 1 < end; at += ADDRESS_WORDS) {
    const high = words[at + 1]!;
    const address = addressOf(high, words[at]!);
    if (address === NO_CALLER) return;
    // All 64 bits count, also of what is no text. Storing the word cuts it.
    if (address !== 0) words[at + 1] = high + distance(high, slot) / WORD;
  }
}
