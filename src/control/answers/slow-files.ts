import type { TraceNode } from '../tracefs/node.js';
import { parseUnsigned } from '../tracefs/numbers.js';
import { lazyDirectory } from '../tracefs/path.js';
import { textFile } from '../tracefs/text-file.js';
import { loadAnswers } from './load-answers.js';
import type { SlowTurns } from './slow-turns.js';

/** The files beside `slow`: slow_ms, and a pipe for each threshold that somebody asks for. */
export const slowFiles = (turns: () => SlowTurns): Readonly<Record<string, TraceNode>> => ({
  slow_ms: textFile({
    mode: 0o640,
    show: () => `${turns().thresholdMs}\n`,
    store: (text) => turns().keep(parseUnsigned(text)),
  }),
  slow_pipes: lazyDirectory({
    files: () => [],
    directories: () => [],
    get: (name) =>
      /^[1-9]\d{0,8}$/.test(name)
        ? { kind: 'file', mode: 0o440, open: (flags) => new (loadAnswers().SlowPipe)(turns(), Number(name), flags) }
        : undefined,
  }),
});
