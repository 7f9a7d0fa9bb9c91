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
  return `${events.toLocaleString('en')} events, ${lost.toLocaleString('en')} lost, ${byteText(bytes)}`;
}

/** `fentry: recording 2 processes: 3.2 MB, 0 events lost`: the progress of recordings of running processes. */
export function liveText(recordings: readonly Pick<Progress, 'lost' | 'bytes'>[]): string {
  const sum = (of: (one: Pick<Progress, 'lost' | 'bytes'>) => number): number =>
    recordings.reduce((all, one) => all + of(one), 0);
  const what = recordings.length > 1 ? `recording ${recordings.length} processes` : 'recording';
  return `fentry: ${what}: ${byteText(sum(({ bytes }) => bytes))}, ${sum(({ lost }) => lost).toLocaleString('en')} events lost`;
}

/** The line on stderr that shows the progress of a recording; on a terminal it is rewritten in place, else it is not shown. */
export class ProgressLine {
  readonly #isShown = process.stderr.isTTY === true;
  #width = 0;

  show(text: string): void {
    if (!this.#isShown) return;
    process.stderr.write(`\r${text.padEnd(this.#width)}`);
    this.#width = text.length;
  }

  clear(): void {
    if (!this.#isShown || this.#width === 0) return;
    process.stderr.write(`\r${' '.repeat(this.#width)}\r`);
    this.#width = 0;
  }
}
