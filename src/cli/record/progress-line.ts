import { grouped } from '../../base/grouped.js';
import type { Progress } from './recording-folder.js';

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** `1.5 MB`; units of 1024. */
export function byteText(bytes: number): string {
  let unit = 0;
  let value = bytes;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`;
}

/** `123,456 events, 0 lost, 3.2 MB` */
export function progressText({ events, lost, bytes }: Progress): string {
  return `${grouped(events)} events, ${grouped(lost)} lost, ${byteText(bytes)}`;
}

/** `fentry: recording 2 processes: 3.2 MB, 0 events lost`: the progress of recordings of running processes. */
export function liveText(recordings: readonly Pick<Progress, 'lost' | 'bytes'>[]): string {
  const sum = (of: (one: Pick<Progress, 'lost' | 'bytes'>) => number): number =>
    recordings.reduce((all, one) => all + of(one), 0);
  const what = recordings.length > 1 ? `recording ${recordings.length} processes` : 'recording';
  return `fentry: ${what}: ${byteText(sum(({ bytes }) => bytes))}, ${grouped(sum(({ lost }) => lost))} events lost`;
}

/** Where a line is shown that is rewritten in place. */
export type LineStream = Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns'>;

/** The columns of a terminal that does not say how many it has. */
const USUAL_COLUMNS = 80;

/** The line on stderr that shows the progress of what is done; on a terminal it is rewritten in place, else it is not shown. */
export class ProgressLine {
  /** The line that is on the terminal now. */
  static #shown: ProgressLine | undefined;
  readonly #stream: LineStream;
  #width = 0;

  constructor(stream: LineStream = process.stderr) {
    this.#stream = stream;
  }

  /** Makes room for other words. */
  static giveWay(): void {
    ProgressLine.#shown?.clear();
  }

  /** What does not fit into one line of the terminal is left out: it could not be removed. */
  show(text: string): void {
    if (this.#stream.isTTY !== true) return;
    const fitting = text.slice(0, (this.#stream.columns || USUAL_COLUMNS) - 1);
    if (fitting.length === 0) return;
    this.#stream.write(`\r${fitting.padEnd(this.#width)}`);
    this.#width = fitting.length;
    ProgressLine.#shown = this;
  }

  clear(): void {
    if (this.#width === 0) return;
    this.#stream.write(`\r${' '.repeat(this.#width)}\r`);
    this.#width = 0;
    ProgressLine.#shown = undefined;
  }
}
