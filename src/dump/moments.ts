import type { CallVisitor, Track } from '../output/trace-dat/calls/call-visitor.js';
import { walkCalls } from '../output/trace-dat/calls/walk-calls.js';

/** How many ns a unit is. */
const UNITS: Readonly<Record<string, number>> = { '': 1e9, s: 1e9, ms: 1e6, us: 1e3, ns: 1 };
const DURATION = /^(\+?)(\d+(?:\.\d+)?)(s|ms|us|ns)?$/;
const CLOCK_TIME = /^@(\d+)(?:\.(\d{1,9}))?$/;

/** Words on the command line that say when: `1.5`, `20ms`, `+0.5s`, `@4711.123456`, or the text of a mark. */
export interface MomentWords {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Times as ns of the recording's clock. */
export interface Moments {
  readonly from?: number;
  readonly to?: number;
}

/** A time that the recording does not have; the message says what was looked for. */
export class MomentError extends Error {}

/** Looks for the first event, and marks. */
class MomentFinder implements CallVisitor<undefined> {
  readonly wantsTexts = true;
  readonly #isMark: (time: number, text: string) => boolean;
  readonly #wantsFirst: boolean;
  first: number | undefined;
  found: number | undefined;

  /** @param isMark undefined if only the first event is looked for */
  constructor(isMark?: (time: number, text: string) => boolean) {
    this.#isMark = isMark ?? (() => false);
    this.#wantsFirst = isMark === undefined;
  }

  get isDone(): boolean {
    return this.#wantsFirst ? this.first !== undefined : this.found !== undefined;
  }

  begin({ start }: { readonly start: number }): undefined {
    this.first ??= start;
  }

  end(): void {}

  hit(_func: unknown, { time }: { readonly time: number }): void {
    this.first ??= time;
  }

  event({ time }: { readonly time: number }): void {
    this.first ??= time;
  }

  mark(_track: Track, time: number, text: string): void {
    this.first ??= time;
    if (this.found === undefined && this.#isMark(time, text)) this.found = time;
  }
}

/**
 * The times that words mean: `1.5` and `20ms` since the first event; `+20ms` since `from`; `@` the time that `report` prints;
 * anything else the first mark that contains the text, for `to` behind `from`.
 * @throws MomentError
 */
export function momentsOf(path: string, cpus: ReadonlySet<number> | undefined, { from, to }: MomentWords): Moments {
  const start = from === undefined ? undefined : momentOf(path, cpus, from, '--from', undefined);
  const end = to === undefined ? undefined : momentOf(path, cpus, to, '--to', start);
  if (start !== undefined && end !== undefined && end < start) throw new MomentError(`--to ${to} is before --from ${from}`);
  return { ...(start !== undefined && { from: start }), ...(end !== undefined && { to: end }) };
}

function momentOf(
  path: string,
  cpus: ReadonlySet<number> | undefined,
  word: string,
  option: string,
  from: number | undefined,
): number {
  const [, seconds, digits = ''] = CLOCK_TIME.exec(word) ?? [];
  if (seconds !== undefined) return Number(seconds) * 1e9 + Number(digits.padEnd(9, '0'));
  const [, plus, number, unit = ''] = DURATION.exec(word) ?? [];
  if (number !== undefined) {
    const finder = new MomentFinder();
    walkCalls(path, cpus, finder);
    const base = plus === '+' && from !== undefined ? from : finder.first;
    if (base === undefined) throw new MomentError(`${option} ${word}: the recording has no events`);
    return base + Math.round(Number(number) * UNITS[unit]!);
  }
  const finder = new MomentFinder((time, text) => text.includes(word) && (from === undefined || time > from));
  walkCalls(path, cpus, finder);
  if (finder.found === undefined) {
    const behind = from === undefined ? '' : ' behind --from';
    throw new MomentError(
      `${option} ${word}: no mark${behind} contains this text; a time is seconds since the first event (1.5, 20ms), or @ and one of report's`,
    );
  }
  return finder.found;
}
