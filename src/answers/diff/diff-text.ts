import { visibleLine } from '../../base/visible.js';
import type { AnswerStyle } from '../answer.js';
import { foldCode } from '../own-code.js';
import type { Place } from '../place.js';
import { nameText, placedName, placeText, widthOfNames } from '../place-text.js';
import { unitTime } from '../unit-time.js';
import { CAUSE_WORDS, chanceText, changeText, machineLines, VERDICT_WORDS } from './change-words.js';
import type { DiffAnswer, FunctionChange, FunctionSums } from './diff-answer.js';
import { slowedFunctions } from './slowed-functions.js';

const NONE = '-';

const signed = (ns: number): string => (ns === 0 ? '=' : `${ns < 0 ? '-' : '+'}${unitTime(Math.abs(ns))}`);

/** `1.234 ms +12 %`: what it is, and its change. */
function cell(key: keyof FunctionSums, text: (value: number) => string): (one: FunctionChange) => string {
  return ({ before, after }) => {
    if (after === undefined) return NONE;
    return before === undefined ? text(after[key]) : `${text(after[key])} ${changeText(before[key], after[key]).padStart(7)}`;
  };
}

/** A column of the table: its title, its width, and its text for a function. */
const COLUMNS: readonly (readonly [title: string, width: number, text: (one: FunctionChange) => string])[] = [
  ['Change', 12, ({ change }) => signed(change)],
  ['Total time', 19, cell('total', unitTime)],
  ['Self time', 19, cell('self', unitTime)],
  ['Calls', 16, cell('calls', String)],
  ['p50', 19, cell('p50', unitTime)],
  ['p90', 19, cell('p90', unitTime)],
  ['p99', 19, cell('p99', unitTime)],
  ['A call is', 9, ({ verdict }) => VERDICT_WORDS[verdict]],
];

const lineOf = (cells: readonly string[], last: string): string =>
  `  ${cells.map((text, i) => text.padStart(COLUMNS[i]![1])).join('  ')}  ${last}`;

const HEADER = [
  lineOf(
    COLUMNS.map(([title]) => title),
    'Function',
  ),
  lineOf(
    COLUMNS.map(([, width]) => '='.repeat(width)),
    '='.repeat(20),
  ),
];

function sentence(word: string, one: FunctionChange, style: AnswerStyle): string {
  const { cause = 'own', place, was, own, call } = one;
  const name = place === undefined ? nameText(one) : `${nameText(one)} (${placeText(place, style)}${wasText(was, place)})`;
  const p = cause === 'own' ? own?.p : call?.p;
  return `${word}: ${name}: ${CAUSE_WORDS[cause](one)}${p === undefined ? '' : ` (${chanceText(p)})`}`;
}

/** Where it was; a line of the same file is not worth telling. */
const wasText = (was: Place | undefined, { file }: Place): string =>
  was === undefined || was.file === file ? '' : `, before ${visibleLine(was.file)}`;

/** A line for each function that is slower or faster by its own doing. */
export function* verdictLines({ application, functions, drift, noise }: DiffAnswer, style: AnswerStyle): Generator<string> {
  const placed = { folder: application, ...style };
  const slower = slowedFunctions(functions);
  const faster = functions.filter(({ verdict, cause }) => verdict === 'faster' && cause !== 'callees');
  if (slower.length + faster.length === 0) yield 'no function differs by more than chance';
  for (const one of slower) yield sentence('slower', one, placed);
  for (const one of faster) yield sentence('faster', one, placed);
  yield* machineLines({ drift, noise });
}

/** The verdict, then the table of functions: the application's own, the others are folded into the last line. */
export function* diffText(answer: DiffAnswer, style: AnswerStyle): Generator<string> {
  const { application, functions, before, after } = answer;
  const selfOf = (one: FunctionChange): number => (one.before?.self ?? 0) + (one.after?.self ?? 0);
  const { shown, folded } = foldCode(functions, selfOf, before.time + after.time, style.all === true);
  const placed = { folder: application, ...style };
  const width = widthOfNames(shown);
  yield* verdictLines(answer, style);
  yield '';
  yield* HEADER;
  for (const one of shown) {
    yield lineOf(
      COLUMNS.map(([, , text]) => text(one)),
      placedName(one, width, placed),
    );
  }
  if (folded !== undefined) yield `  ${folded}`;
}
