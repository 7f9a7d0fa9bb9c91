import { grouped } from '../../base/grouped.js';
import { visibleLine } from '../../base/visible.js';
import type { AnswerStyle } from '../answer.js';
import { foldCode } from '../own-code.js';
import type { Place } from '../place.js';
import { placeText } from '../place-text.js';
import type { TopAnswer, TopFunction, TopOrder } from './top-answer.js';

/** The size of a terminal, or of what is printed. */
export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/** A column left of the function's name. */
interface Column {
  readonly title: string;
  readonly width: number;
  readonly text: (one: TopFunction, seconds: number) => string;
  /** Where the terminal is narrow, columns of a greater number are left out first. */
  readonly rank: number;
  readonly isLeft?: true;
}

const NS_PER_US = 1000;
const NS_PER_MS = 1_000_000;
const whole = (value: number): string => grouped(Math.round(value));

const COLUMNS: readonly Column[] = [
  { title: 'calls/s', width: 11, rank: 0, text: ({ calls }, seconds) => whole(calls / seconds) },
  { title: 'ms/s', width: 9, rank: 1, text: ({ time }, seconds) => (time / NS_PER_MS / seconds).toFixed(2) },
  { title: 'avg us', width: 12, rank: 2, text: ({ calls, time }) => (calls === 0 ? '-' : (time / NS_PER_US / calls).toFixed(3)) },
  { title: 'module', width: 16, rank: 3, isLeft: true, text: ({ package: from = '' }) => visibleLine(from) },
];
/** So many more lines of a file are named. */
const MOST_LINES = 3;
/** What a function's name has at least. */
const NAME_WIDTH = 8;

/** What the order is called. */
const ORDER_TEXT: Readonly<Record<TopOrder, string>> = {
  calls: 'by calls',
  time: 'by time',
  self: 'by self time',
};

/** The columns that fit, in their order. */
function columnsFor(columns: number): readonly Column[] {
  let left = columns - NAME_WIDTH;
  const fitting = new Set<Column>();
  for (const column of [...COLUMNS].sort((a, b) => a.rank - b.rank)) {
    left -= column.width + 1;
    if (left < 0) break;
    fitting.add(column);
  }
  return COLUMNS.filter((column) => fitting.has(column));
}

const cell = (text: string, { width, isLeft }: Column): string =>
  isLeft ? text.slice(0, width).padEnd(width) : text.padStart(width);

/**
 * The lines of a reading, none longer than the screen and no more than it has. The application's functions are shown, and one
 * line for the others.
 * @param most functions
 */
export function topText(
  answer: TopAnswer,
  { columns, rows }: ScreenSize,
  most: number,
  style: AnswerStyle = {},
): readonly string[] {
  const { seconds, notes, threads, application, functions: all } = answer;
  const time = all.reduce((sum, one) => sum + one.time, 0);
  const { shown, folded } = foldCode(all, (one) => one.time, time, style.all === true);
  const titles = columnsFor(columns);
  const line = (text: (column: Column) => string, name: string): string =>
    [...titles.map((column) => cell(text(column), column)), name].join(' ');
  const head = [
    headline(answer),
    ...(threads.length > 1 ? [`threads: ${threadsText(answer)}`] : []),
    ...notes.map(visibleLine),
    '',
    line(({ title }) => title, 'function'),
  ].map((text) => text.slice(0, columns).trimEnd());
  const room = Math.max(0, rows - head.length - (folded === undefined ? 0 : 1));
  const functions = shown.slice(0, Math.min(most, room));
  const width = functions.reduce((widest, { name }) => Math.max(widest, visibleLine(name).length), 0);
  const lines = functions.map((one) => {
    const text = line((column) => column.text(one, seconds), visibleLine(one.name))
      .slice(0, columns)
      .trimEnd();
    const column = line(() => '', '').length + width;
    return text + placeBehind(one, column - text.length, columns - text.length, { folder: application, ...style });
  });
  const none = all.length === 0 ? ['no function was called'] : [];
  const last = folded === undefined ? [] : [folded.slice(0, columns)];
  return [...head, ...none, ...lines, ...last].slice(0, rows);
}

/** A function's place in a column so far behind, if there is room for it. */
function placeBehind({ place, places }: TopFunction, behind: number, room: number, style: AnswerStyle): string {
  const gap = ' '.repeat(Math.max(0, behind) + 2);
  const others = places === undefined ? '' : othersText(places);
  if (place === undefined || gap.length + placeText(place, { folder: style.folder }).length + others.length > room) return '';
  return gap + placeText(place, style) + others;
}

/** `,25`: the lines of all places but the first, if they are in one file; else how many there are. */
function othersText([first, ...others]: readonly Place[]): string {
  const areLines = others.length <= MOST_LINES && others.every(({ file }) => file === first!.file);
  return areLines ? others.map(({ line }) => `,${line}`).join('') : ` and ${others.length} more`;
}

function headline({ pid, program, seconds, cpu, threads, order }: TopAnswer): string {
  const calls = threads.reduce((sum, one) => sum + one.calls, 0);
  const cpuText = cpu === undefined ? '' : `, CPU ${Math.round((100 * cpu) / seconds)} %`;
  return `${pid} (${visibleLine(program)})${cpuText}, ${whole(calls / seconds)} calls/s, ${ORDER_TEXT[order]}`;
}

const threadsText = ({ threads, seconds }: TopAnswer): string =>
  threads.map(({ cpu, calls }) => `cpu${cpu} ${whole(calls / seconds)} calls/s`).join(', ');
