import { TEXT_HIGH } from '../../arch/arch.js';
import { FTRACE_EVENTS } from '../../events/ftrace-events.js';
import { PageCursor } from '../../output/page-cursor.js';

const { function: func, funcgraph_entry, funcgraph_exit, print } = FTRACE_EVENTS;

/** Word of the high half of each address in an event's record, by the event's id. */
const HIGH_WORDS: Readonly<Record<number, readonly number[]>> = {
  [func.id]: [func.fields.ip.offset / 4 + 1, func.fields.parent_ip.offset / 4 + 1],
  [funcgraph_entry.id]: [funcgraph_entry.fields.func.offset / 4 + 1],
  [funcgraph_exit.id]: [funcgraph_exit.fields.func.offset / 4 + 1],
  [print.id]: [print.fields.ip.offset / 4 + 1],
};

/** Gives the addresses in a page, whose high bits are TEXT_HIGH, other high bits. Changes the page. */
export function rebasePage(page: Uint8Array, high: number): void {
  let given: Uint8Array | undefined = page;
  const cursor = new PageCursor(0, () => {
    const next = given;
    given = undefined;
    return next;
  });
  while (cursor.advance()) {
    const { words, at } = cursor;
    for (const word of HIGH_WORDS[words[at]! & 0xffff] ?? []) if (words[at + word] === TEXT_HIGH) words[at + word] = high;
  }
}
