import { visibleLine } from '../../base/visible.js';
import type { AnswerStyle } from '../answer.js';
import { byteText } from '../byte-text.js';
import { memoryLine } from '../memory-use.js';
import { foldCode } from '../own-code.js';
import { placedName, widthOfNames } from '../place-text.js';
import { threadTitle } from '../thread-title.js';
import type { AllocatedBytes, AllocatingFunction, AllocatingThread, AllocationsAnswer } from './allocations-answer.js';

/** How a table of allocations is shown. */
export interface AllocationsStyle extends AnswerStyle {
  /** Whether the functions with the most memory that lives on come first. */
  readonly byKept?: boolean;
}

/** Functions that are shown unless all are. */
const SHOWN = 20;
const WIDTH = 12;
/** What V8's samples do not tell. */
const INLINED = 'A function that is called often may be counted for its caller, of which V8 has made it a part.';

/** A table of each thread: `1.2 MB/s  0.9 MB/s  remember  lib/cache.js:12`. */
export function allocationsText(value: AllocationsAnswer, style: AllocationsStyle): readonly string[] {
  const placed = { folder: value.application, ...style };
  return value.threads.flatMap((thread, i) => [...(i > 0 ? [''] : []), ...threadLines(thread, placed)]);
}

/** `main thread`, `worker 3 (jobs)`, in one line. */
export const titleOf = (thread: Pick<AllocatingThread, 'thread' | 'name'>): string => threadTitle(thread).replace(/[\n\t]/g, ' ');

function threadLines(thread: AllocatingThread, style: AllocationsStyle): readonly string[] {
  if (thread.silence !== undefined) return [`${titleOf(thread)}: not sampled: it ${visibleLine(thread.silence)}`];
  const { allocatedSeconds, keptSeconds, stoppedMs, functions, before, after } = thread;
  const counted = functions.filter(({ allocated, kept }) => allocated + kept > 0);
  const rates = counted.map((one) => ({
    ...one,
    allocated: one.allocated / allocatedSeconds,
    kept: one.kept / keptSeconds,
  }));
  const amount = (one: AllocatedBytes): number => (style.byKept ? one.kept : one.allocated);
  const sum = (of: (one: AllocatedBytes) => number): number => rates.reduce((total, one) => total + of(one), 0);
  const sorted = rates.sort((a, b) => amount(b) - amount(a) || b.kept - a.kept);
  const { shown, folded } = foldCode(sorted, amount, sum(amount), style.all === true, 'the bytes');
  const rows = style.all ? shown : shown.slice(0, SHOWN);
  const more = shown.length - rows.length;
  const width = widthOfNames(rows);
  const head = [
    `${titleOf(thread)}: ${byteText(sum((one) => one.allocated))}/s allocated in ${allocatedSeconds.toFixed(1)} s, then ` +
      `${byteText(sum((one) => one.kept))}/s in ${keptSeconds.toFixed(1)} s that lives on; it stood still for ` +
      `${(stoppedMs / 1000).toFixed(2)} s at most`,
    memoryLine(before, after),
  ];
  if (counted.length === 0) return [...head, 'nothing was allocated that V8 has sampled'];
  return [
    ...head,
    '',
    `${'allocated/s'.padStart(WIDTH)} ${'lives on/s'.padStart(WIDTH)}  function`,
    ...rows.map((row) => rowText(row, width, style)),
    ...(more > 0
      ? [`${more} more function${more === 1 ? '' : 's'} of the application; --all shows ${more === 1 ? 'it' : 'them'}`]
      : []),
    ...(folded === undefined ? [] : [folded]),
    INLINED,
  ];
}

const rowText = (row: AllocatingFunction, width: number, style: AnswerStyle): string =>
  `${cell(row.allocated)} ${cell(row.kept)}  ${placedName(row, width, style)}`;

const cell = (bytes: number): string => (bytes === 0 ? '-' : byteText(bytes)).padStart(WIDTH);
