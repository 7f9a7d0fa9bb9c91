import { types } from 'node:util';
import type { TextPositions } from '../realm/texts.js';
import { restore } from '../text/restore.js';

const MARKS = /^( *)(\^+)$/;

/**
 * Node puts the line that threw above the stack of an error that has left a script: `name:line`, V8's line, and marks below the
 * place. This replaces it by the original line.
 */
export const correctExcerpt = (error: unknown, name: string, text: Pick<TextPositions, 'originalColumn'>): void => {
  if (!types.isNativeError(error)) return;
  try {
    const { stack } = error;
    if (typeof stack !== 'string' || !stack.startsWith(`${name}:`)) return;
    const [place = '', line = '', marks = '', ...rest] = stack.split('\n');
    const [, before, marked] = MARKS.exec(marks) ?? [];
    const lineNumber = Number(place.slice(name.length + 1));
    const original = restore(line);
    if (before === undefined || marked === undefined || !(lineNumber > 0) || original === line) return;
    const start = text.originalColumn(lineNumber, before.length + 1);
    const end = Math.max(start + 1, text.originalColumn(lineNumber, before.length + marked.length + 1));
    error.stack = [place, original, ' '.repeat(start - 1) + '^'.repeat(end - start), ...rest].join('\n');
  } catch {
    // V8's line is better than none.
  }
};
