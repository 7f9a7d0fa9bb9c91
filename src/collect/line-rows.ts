import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import type { SlowTurn } from '../answers/slow/slow-answer.js';
import type { NamedCells } from '../tables/table-data.js';
import type { LineFile } from './collector-state.js';

/** The contents of a histogram at a moment: a line of the file `histograms`. */
export interface HistogramLine {
  /** Microseconds since 1970. */
  readonly time: number;
  readonly system: string;
  readonly event: string;
  readonly trigger: string;
  readonly entries: readonly {
    readonly key: Readonly<Record<string, string>>;
    readonly hitcount: number;
    readonly values: Readonly<Record<string, number>>;
  }[];
}

/** A row without what tells the process: its time, and the other cells. */
type LineRow = readonly [time: number, cells: NamedCells];

/** How the lines of each file become rows. */
const MAKERS: Readonly<Record<LineFile, (line: unknown) => readonly LineRow[]>> = {
  turns: (line) => [turnRow(line as SlowTurn)],
  histograms: (line) => histogramRows(line as HistogramLine),
};

const microseconds = (date: string): number => new Date(date).getTime() * 1000;

function turnRow(turn: SlowTurn): LineRow {
  const { at, ms, thread, callbacks, functions } = turn;
  const [most] = functions;
  const { name = '', place, package: from = '' } = most?.frame ?? callbacks[0]?.frame ?? {};
  const cells = {
    thread: thread.thread,
    duration: ms * 1e6,
    began: callbacks[0]?.kind ?? '',
    function: name,
    package: from,
    file: place?.file ?? '',
    line: most?.line ?? place?.line ?? null,
    share: most?.share ?? 0,
    turn: JSON.stringify(turn),
  };
  return [microseconds(at), cells];
}

function histogramRows({ time, system, event, trigger, entries }: HistogramLine): readonly LineRow[] {
  return entries.map(({ key, hitcount, values }) => [
    time,
    { thread: null, system, event, trigger, key: JSON.stringify(key), hitcount, values: JSON.stringify(values) },
  ]);
}

/** The rows of the lines between two offsets of a file. A line that is none is left out. */
export function lineRows(file: LineFile, path: string, from: number, to: number): readonly LineRow[] {
  if (to <= from || !existsSync(path)) return [];
  const bytes = Buffer.alloc(to - from);
  const fd = openSync(path, 'r');
  let length: number;
  try {
    length = readSync(fd, bytes, 0, bytes.length, from);
  } finally {
    closeSync(fd);
  }
  return bytes
    .toString('utf8', 0, length)
    .split('\n')
    .flatMap((line) => {
      if (line === '') return [];
      try {
        return MAKERS[file](JSON.parse(line));
      } catch {
        // The collector was killed while it wrote it.
        return [];
      }
    });
}
