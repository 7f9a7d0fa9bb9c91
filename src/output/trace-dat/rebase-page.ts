import { TEXT_HIGH } from '../../arch/arch.js';
import { type AddressField, addressFields } from '../../events/address-fields.js';
import { FTRACE_EVENTS } from '../../events/ftrace-events.js';
import { PageCursor } from '../../ring-buffer/index.js';

/** The fields of each event that hold addresses, by the event's id. */
const ADDRESSES: ReadonlyMap<number, readonly AddressField[]> = new Map(
  Object.values(FTRACE_EVENTS).map((event) => [event.id, addressFields(event)]),
);
const ADDRESS_WORDS = 2;
/** Behind the last frame of a stack. */
const NO_CALLER = 0xffffffff;

/** Gives the addresses in a page, whose high bits are TEXT_HIGH, other high bits. Changes the page, which is aligned to words. */
export function rebasePage(page: Uint8Array, high: number): void {
  const words = new Uint32Array(page.buffer, page.byteOffset, page.length >>> 2);
  const cursor = new PageCursor().open(words, 0);
  while (cursor.next()) {
    const record = cursor.payload >>> 2;
    const end = record + (cursor.length >>> 2);
    for (const { offset, isRest } of ADDRESSES.get(words[record]! & 0xffff) ?? []) {
      const from = record + (offset >>> 2);
      rebaseAddresses(words, from, isRest ? end : Math.min(end, from + ADDRESS_WORDS), high);
    }
  }
}

function rebaseAddresses(words: Uint32Array, from: number, end: number, high: number): void {
  for (let at = from; at + 1 < end; at += ADDRESS_WORDS) {
    if (words[at + 1] === NO_CALLER && words[at] === NO_CALLER) return;
    if (words[at + 1] === TEXT_HIGH) words[at + 1] = high;
  }
}
