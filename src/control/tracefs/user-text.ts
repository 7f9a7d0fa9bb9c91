import { TraceError } from '../../base/errno.js';
import { PAGE } from '../../base/page.js';

/**
 * What a written text is to a file that copies at most `size` characters of it into a buffer and reads that as a C string: it
 * ends at its first NUL.
 */
export const userText = (text: string, size?: number): string => text.slice(0, size).split('\0', 1)[0]!;

/**
 * The text of a write to a file that takes less than a page, with the zero byte at its end: a filter or a trigger.
 * @param what is written, for the error: `a filter`
 * @throws TraceError EINVAL for a longer one
 */
export function pageText(text: string, what: string): string {
  if (text.length >= PAGE) throw new TraceError('EINVAL', `${what} of more than ${PAGE - 1} characters`);
  return userText(text);
}
