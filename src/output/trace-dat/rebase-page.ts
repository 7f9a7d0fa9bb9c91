import { TEXT_HIGH } from '../../arch/arch.js';
import type { EventsById } from '../../events/registry.js';
import { PageCursor } from '../../ring-buffer/index.js';

const ADDRESS_WORDS = 2;
/** Behind the last frame of a stack. */
const NO_CALLER = 0xffffffff;

/** Gives the addresses in a page, whose high bits are TEXT_HIGH, other high bits. Changes the page, which is aligned to words. */
export function rebasePage(page: Uint8Array, high: number, events: EventsById): void {
  const words = new Uint32Array(page.buffer, page.byteOffset, page.length >>> 2);
  const cursor = new PageCursor().open(words, 0);
  while (cursor.next()) {
    const record = cursor.payload >>> 2;
    const end = record + (cursor.length >>> 2);
    for (const { offset, isRest } of events.get(words[record]! & 0xffff)?.addresses ?? []) {
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
