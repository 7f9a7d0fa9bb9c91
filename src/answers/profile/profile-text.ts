import type { AnswerStyle } from '../answer.js';
import { foldCode } from '../own-code.js';
import { placedName, widthOfNames } from '../place-text.js';
import { unitTime } from '../unit-time.js';
import type { FunctionTimes, ProfileAnswer } from './profile-answer.js';

const percent = (part: number, whole: number): string =>
  part === 0 || whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)}%`;

/** A column of the table: its title, its width, and its text for a function; `whole`: ns of self time of all. */
const COLUMNS: readonly (readonly [title: string, width: number, text: (one: FunctionTimes, whole: number) => string])[] = [
  ['Total time', 12, ({ total }) => unitTime(total)],
  ['Total', 6, ({ running }, whole) => percent(running, whole)],
  ['Self time', 12, ({ self }) => unitTime(self)],
  ['Self', 6, ({ self }, whole) => percent(self, whole)],
  ['Calls', 10, ({ calls }) => String(calls)],
  ['Average', 12, ({ average }) => unitTime(average)],
  ['p50', 12, ({ p50 }) => unitTime(p50)],
  ['p99', 12, ({ p99 }) => unitTime(p99)],
];

const lineOf = (cells: readonly string[], last: string): string =>
  `  ${cells.map((cell, i) => cell.padStart(COLUMNS[i]![1])).join('  ')}  ${last}`;

const RULE = COLUMNS.map(([, width]) => '='.repeat(width));
const HEADER = [
  lineOf(
    COLUMNS.map(([title]) => title),
    'Function',
  ),
  lineOf(RULE, '='.repeat(20)),
];

/** The table of functions, the application's own; the others are folded into the last line. */
export function* profileText({ application, time, functions }: ProfileAnswer, style: AnswerStyle): Generator<string> {
  const { shown, folded } = foldCode(functions, ({ self }) => self, time, style.all === true);
  const placed = { folder: application, ...style };
  const width = widthOfNames(shown);
  yield* HEADER;
  for (const one of shown) {
    yield lineOf(
      COLUMNS.map(([, , text]) => text(one, time)),
      placedName(one, width, placed),
    );
  }
  if (folded !== undefined) yield `  ${folded}`;
}
