import { TEXT_HIGH } from '../../arch/arch.js';
import { addressFields } from '../../events/address-fields.js';
import { type EventField, FTRACE_EVENTS } from '../../events/ftrace-events.js';
import { PageCursor } from '../../ring-buffer/index.js';

/** The fields of each event that hold addresses, by the event's id. */
const ADDRESSES: readonly (readonly EventField[] | undefined)[] = Object.values(FTRACE_EVENTS).reduce<(readonly EventField[])[]>(
  (table, format) => {
    table[format.id] = addressFields(format);
    return table;
  },
  [],
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
    for (const { offset, array } of ADDRESSES[words[record]! & 0xffff] ?? []) {
      const from = record + (offset >>> 2);
      // An array's length in the format is that of the kernel's own; the record goes on to its end.
      rebaseAddresses(words, from, array === '' ? Math.min(end, from + ADDRESS_WORDS) : end, high);
    }
  }
}

function rebaseAddresses(words: Uint32Array, from: number, end: number, high: number): void {
  for (let at = from; at + 1 < end; at += ADDRESS_WORDS) {
    if (words[at + 1] === NO_CALLER && words[at] === NO_CALLER) return;
    if (words[at + 1] === TEXT_HIGH) words[at + 1] = high;
  }
}
