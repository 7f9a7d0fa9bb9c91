import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { closeSync, openSync, readSync, untraced } from '../../base/untraced-fs.js';
import type { callExpressionAt } from '../instrument/call-expression.js';
import type { ReadExpression } from './assert-message.js';

type FindCall = typeof callExpressionAt;

/** Node 20 reads no further than this into a file, and no further than this past a call's column. */
const READ_BYTES = 32 * 16384;
const READ_AHEAD = 5000;
const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f]/g;

/** `assert.equal(value, true)` fails with the same operator and expectation, but has another message. */
const EQUALITY = /^\w*eq/i;

const escapeControl = (character: string): string =>
  ({ '\b': '\\b', '\f': '\\f' })[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

const beginningOf = (path: string): string => {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.allocUnsafe(READ_BYTES);
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, READ_BYTES, 0));
  } finally {
    closeSync(file);
  }
};

/** Where line `line` (1-based) begins in the text; undefined when it has fewer lines. */
const startOfLine = (text: string, line: number): number | undefined => {
  let at = 0;
  for (let left = line - 1; left > 0; left--) {
    at = text.indexOf('\n', at) + 1;
    if (at === 0) return undefined;
  }
  return at;
};

/** Further lines lose the indentation of the first line. */
const outdent = (text: string, column: number): string => {
  const [first = '', ...rest] = text.split('\n');
  return [first, ...rest.map((line) => `  ${line.slice(Math.min(/^[ \t]*/.exec(line)![0].length, column))}`)].join('\n');
};

/**
 * Reads the expression of an `assert` call from the file, as Node 20 does. The parser comes from the bundle in `fentryFolder`,
 * and is loaded when an assertion has failed.
 */
export const node20Expression = (fentryFolder: string): ReadExpression => {
  let find: FindCall | undefined;
  return (file, line, column) => {
    try {
      const text = beginningOf(file.startsWith('file:') ? fileURLToPath(file) : file);
      const start = startOfLine(text, line);
      if (start === undefined) return undefined;
      const code = text.slice(start, start + column + READ_AHEAD);
      if (EQUALITY.test(code.slice(column - 1))) return undefined;
      find ??= untraced(createRequire(fentryFolder))('./acorn.cjs').callExpressionAt as FindCall;
      const call = find(code, column - 1);
      return call && outdent(code.slice(call.start, call.end).replace(CONTROL, escapeControl), call.start);
    } catch {
      return undefined;
    }
  };
};
