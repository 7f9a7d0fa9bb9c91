import { grouped } from '../../base/grouped.js';
import type { Order, ProfileRow } from './profile-rows.js';

/** One reading of a process. */
export interface TopReading {
  readonly pid: number;
  readonly program: string;
  /** Seconds that the rows are of. */
  readonly seconds: number;
  /** CPU time of the process in them, in seconds; undefined if it cannot be seen. */
  readonly cpu: number | undefined;
  /** Calls on each thread, by its cpu. */
  readonly threads: readonly (readonly [cpu: number, calls: number])[];
  /** Sorted. */
  readonly rows: readonly (ProfileRow & { readonly module: string })[];
  readonly order: Order;
  /** What the user must know to understand the rows. */
  readonly notes: readonly string[];
}

/** The size of a terminal, or of what is printed. */
export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

type Shown = TopReading['rows'][number];

/** A column left of the function's name. */
interface Column {
  readonly title: string;
  readonly width: number;
  readonly text: (row: Shown, seconds: number) => string;
  /** Where the terminal is narrow, columns of a greater number are left out first. */
  readonly rank: number;
  readonly isLeft?: true;
}

const whole = (value: number): string => grouped(Math.round(value));

const COLUMNS: readonly Column[] = [
  { title: 'calls/s', width: 11, rank: 0, text: ({ hits }, seconds) => whole(hits / seconds) },
  { title: 'ms/s', width: 9, rank: 1, text: ({ time }, seconds) => (time / 1000 / seconds).toFixed(2) },
  { title: 'avg us', width: 12, rank: 2, text: ({ hits, time }) => (hits === 0 ? '-' : (time / hits).toFixed(3)) },
  { title: 'module', width: 16, rank: 3, isLeft: true, text: ({ module }) => module },
];
/** What a function's name has at least. */
const NAME_WIDTH = 8;

/** What the order is called. */
const ORDER_TEXT: Readonly<Record<Order, string>> = {
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
 * The lines of a reading, none longer than the screen and no more than it has.
 * @param most functions
 */
export function topLines(reading: TopReading, { columns, rows }: ScreenSize, most: number): readonly string[] {
  const { seconds } = reading;
  const shown = columnsFor(columns);
  const line = (text: (column: Column) => string, name: string): string =>
    [...shown.map((column) => cell(text(column), column)), name].join(' ');
  const head = [
    headline(reading),
    ...(reading.threads.length > 1 ? [`threads: ${threadsText(reading)}`] : []),
    ...reading.notes,
    '',
    line(({ title }) => title, 'function'),
  ];
  const functions = reading.rows.slice(0, Math.max(0, Math.min(most, rows - head.length)));
  const none = functions.length === 0 && reading.rows.length === 0 ? ['no function was called'] : [];
  const lines = [...head, ...none, ...functions.map((row) => line((column) => column.text(row, seconds), row.name))];
  return lines.slice(0, rows).map((text) => text.slice(0, columns).trimEnd());
}

function headline({ pid, program, seconds, cpu, threads, order }: TopReading): string {
  const calls = threads.reduce((sum, [, hits]) => sum + hits, 0);
  const cpuText = cpu === undefined ? '' : `, CPU ${Math.round((100 * cpu) / seconds)} %`;
  return `${pid} (${program})${cpuText}, ${whole(calls / seconds)} calls/s, ${ORDER_TEXT[order]}`;
}

const threadsText = ({ threads, seconds }: TopReading): string =>
  threads.map(([cpu, calls]) => `cpu${cpu} ${whole(calls / seconds)} calls/s`).join(', ');
