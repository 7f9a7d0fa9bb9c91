import type { LinkedText, TextFunction } from '../../ftrace/text.js';
import type { TextAnnouncement, TextAnnouncements } from '../../port/port.js';

/** A text with functions of these names; a name in `without` has no site, for that reason. */
export function announcedText(
  firstFunction: number,
  names: readonly string[],
  rest: Partial<LinkedText> = {},
  without: Readonly<Record<string, string>> = {},
): TextAnnouncement {
  const functions = names.map((name, index): TextFunction => {
    const reason = without[name];
    const place = { start: index * 16, end: index * 16 + 12, line: index + 1, column: 1 };
    return { name, kind: 0, params: [], ...place, ...(reason && { reason }) };
  });
  const length = names.length * 16;
  const base = -0x7f000000 + firstFunction * 16;
  const text = { file: `/app/${firstFunction}.js`, module: '', length, base, firstFunction, functions, ...rest };
  return { firstFunction, functionCount: names.length, read: () => text };
}

/** Threads that announce nothing by themselves. */
export const NO_ANNOUNCEMENTS: TextAnnouncements = { take: () => [], done() {} };
