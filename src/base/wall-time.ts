/** A moment by the recording's clock and by the calendar. */
export interface WallTime {
  /** ns of the recording's clock. */
  readonly time: number;
  /** ns since 1970, right to some microseconds. */
  readonly since1970: number;
}

const NOW = /^now ts: +(\d+)\.(\d{6})$/m;
const WALL = /^wall ts: (\d+)\.(\d{6})$/m;

/** The text of per_cpu/cpuN/stats as a recording keeps it: with a line that says what `now ts` is by the calendar. */
export function withWallTime(stats: string): string {
  const micros = Math.round((performance.timeOrigin + performance.now()) * 1000);
  return `${stats}wall ts: ${Math.floor(micros / 1e6)}.${String(micros % 1e6).padStart(6, '0')}\n`;
}

/** What such a text says; undefined if it does not, or its clock does not count time. */
export function wallTimeOf(stats: string): WallTime | undefined {
  const [now, wall] = [NOW, WALL].map((line) => line.exec(stats));
  if (!now || !wall) return undefined;
  const nanoseconds = ([, seconds, micros]: readonly string[]): number => Number(seconds) * 1e9 + Number(micros) * 1000;
  return { time: nanoseconds(now), since1970: nanoseconds(wall) };
}
