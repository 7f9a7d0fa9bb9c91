import { TEXT_HIGH } from '../../../arch/arch.js';
import { FTRACE_EVENTS } from '../../../events/ftrace-events.js';
import { PageCursor } from '../../../ring-buffer/index.js';

const { function: func, funcgraph_entry, funcgraph_exit, print } = FTRACE_EVENTS;

/** Byte offset of the high half of each address in an event's record, by the event's id. */
const HIGH_HALVES: Readonly<Record<number, readonly number[]>> = {
  [func.id]: [func.fields.ip.offset + 4, func.fields.parent_ip.offset + 4],
  [funcgraph_entry.id]: [funcgraph_entry.fields.func.offset + 4],
  [funcgraph_exit.id]: [funcgraph_exit.fields.func.offset + 4],
  [print.id]: [print.fields.ip.offset + 4],
};

/** Gives the addresses in a page, whose high bits are TEXT_HIGH, other high bits. Changes the page, which is aligned to words. */
export function rebasePage(page: Uint8Array, high: number): void {
  const words = new Uint32Array(page.buffer, page.byteOffset, page.length >>> 2);
  const cursor = new PageCursor().open(words, 0);
  while (cursor.next()) {
    for (const offset of HIGH_HALVES[words[cursor.payload >>> 2]! & 0xffff] ?? []) {
      const at = (cursor.payload + offset) >>> 2;
      if (words[at] === TEXT_HIGH) words[at] = high;
    }
  }
}
