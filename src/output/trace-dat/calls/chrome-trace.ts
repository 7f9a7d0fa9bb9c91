import type { Call, CallVisitor, Frame, Leave, Track } from './call-visitor.js';
import type { CalledFunction } from './called-functions.js';
import type { TextOut } from './text-out.js';

/** Microseconds, the format's unit, to the nanosecond. */
const micros = (ns: number): number => Math.round(ns) / 1000;

/**
 * Writes calls as the JSON that Perfetto, chrome://tracing and others open (Trace Event Format): a complete event a call, or
 * a stretch of a coroutine between waits; an instant a marker. Nothing is kept but the names of tracks.
 */
export class ChromeTrace implements CallVisitor<undefined> {
  readonly wantsTexts = true;
  readonly #out: TextOut;
  readonly #named = new Set<number>();
  #isFirst = true;

  constructor(out: TextOut) {
    this.#out = out;
    out.write('{"displayTimeUnit":"ns","traceEvents":[');
  }

  get isDone(): boolean {
    return this.#out.isClosed;
  }

  begin({ track }: Call): undefined {
    this.#name(track);
  }

  end({ func, track, start, args, isResumed }: Frame<undefined>, { duration, value, isSuspended }: Leave): void {
    const details = {
      ...(args !== '' && { args }),
      ...(value !== '' && { ret: value }),
      ...(isResumed && { resumed: true }),
      ...(isSuspended && { suspended: true }),
    };
    this.#event('X', func, track, start, { dur: micros(duration), args: details });
  }

  mark(track: Track, time: number, text: string): void {
    this.#name(track);
    this.#event('i', { name: text }, track, time, { s: 't' });
  }

  stillOpen({ func, track, start, args }: Frame<undefined>): void {
    this.#event('B', func, track, start, { args: args === '' ? {} : { args } });
  }

  /** Closes the document. */
  finish(): void {
    this.#out.write('\n]}\n');
  }

  #event(ph: string, { name }: CalledFunction, track: Track, time: number, rest: object): void {
    this.#put({ ph, name, pid: track.pid, tid: track.index, ts: micros(time), ...rest });
  }

  #name({ index, pid, comm }: Track): void {
    if (this.#named.has(index)) return;
    this.#named.add(index);
    this.#put({ ph: 'M', name: 'process_name', pid, args: { name: comm } });
    this.#put({ ph: 'M', name: 'thread_name', pid, tid: index, args: { name: `${comm}-${pid}` } });
  }

  #put(event: object): void {
    this.#out.write(`${this.#isFirst ? '' : ','}\n${JSON.stringify(event)}`);
    this.#isFirst = false;
  }
}
