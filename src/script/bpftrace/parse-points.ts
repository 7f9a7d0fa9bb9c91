import type { AttachPoint } from './syntax-tree.js';

/** Providers whose second part is a path. */
const OF_FILES = ['uprobe', 'u', 'uretprobe', 'ur', 'usdt', 'U'];

/** What was read, and where it ends. */
export interface ReadPoint {
  readonly point: AttachPoint;
  readonly end: number;
}

/**
 * Reads a place of probes from the text: up to a blank, a comma, a brace or the predicate. A slash belongs to it in the path of a
 * file, and in a name in quotes all is meant as it is written.
 * @param from where bpftrace counts it from
 * @param parameter what stands for `$1`; undefined: the text has none of that number
 */
export function readPoint(text: string, start: number, parameter: (index: number) => string): ReadPoint {
  const parts: string[] = [];
  let part = '';
  let at = start;
  for (; at < text.length; at++) {
    const char = text[at]!;
    if (/[\s,{}]/.test(char)) break;
    if (char === '/' && !(parts.length === 1 && OF_FILES.includes(parts[0]!))) break;
    if (char === ':') {
      parts.push(part);
      part = '';
    } else if (char === '"') {
      const end = text.indexOf('"', at + 1);
      if (end === -1 || text.slice(at, end).includes('\n')) break;
      part += text.slice(at + 1, end);
      at = end;
    } else if (char === '$' && /[0-9]/.test(text[at + 1] ?? '')) {
      const [index] = /^\d+/.exec(text.slice(at + 1, at + 20))!;
      part += parameter(Number(index));
      at += index.length;
    } else part += char;
  }
  parts.push(part);
  return { point: { parts, text: text.slice(start, at), at: { from: start, to: at } }, end: at };
}
