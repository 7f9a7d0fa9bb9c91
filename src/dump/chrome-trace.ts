import type { Call, CallVisitor, Leave, Track, VisitedCall } from '../output/trace-dat/calls/call-visitor.js';
import type { CalledFunction } from '../output/trace-dat/calls/called-functions.js';
import { TextOut } from '../output/trace-dat/calls/text-out.js';
import type { Dump } from './dumped-recording.js';

/** Nanoseconds as microseconds, in digits that read back as ns / 1000. */
const micros = (ns: number): string => String(Math.round(ns) / 1000);

/** Less than a double's distance to its neighbour, more than half of it. */
const NEIGHBOUR = Number.EPSILON * 0.75;

/**
 * The duration from one time to another, in microseconds, so that start plus duration, read back as doubles, is the end.
 * Otherwise a call that ends with its caller, or where the next call begins, would end a little later.
 */
function duration(start: number, end: number): number {
  const [from, to] = [Math.round(start) / 1000, Math.round(end) / 1000];
  const short = (Math.round(end) - Math.round(start)) / 1000;
  if (from + short === to) return short;
  let exact = to - from;
  if (from + exact > to) exact -= exact * NEIGHBOUR;
  else if (from + exact < to) exact += exact * NEIGHBOUR;
  return exact;
}

/** The categories of functions without a module, of markers, and of the recorder's own messages. */
const CATEGORY = { app: 'app', marker: 'trace_marker', recorder: 'recorder' } as const;

/**
 * Writes calls as the JSON that Perfetto, chrome://tracing, speedscope and others open (Trace Event Format): a complete event
 * for each call, or each part of a coroutine between waits; an instant event for each marker or loss. The calls of a thread are
 * properly nested. Only the names of tracks are kept in memory.
 */
class ChromeTrace implements CallVisitor<undefined> {
  readonly wantsTexts = true;
  readonly #out: TextOut;
  readonly #processes = new Set<number>();
  readonly #threads = new Set<number>();
  /** By the function's index. */
  readonly #heads: string[] = [];
  readonly #places: string[] = [];
  #separator = '\n';

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

  end(frame: VisitedCall<undefined>, { duration: ns, value, isSuspended }: Leave): void {
    this.#call(frame, frame.start + ns, isSuspended ? ',"suspended":true' : '', value);
  }

  unfinished(frame: VisitedCall<undefined>, end: number): void {
    this.#call(frame, end, ',"unfinished":true', '');
  }

  mark(track: Track, time: number, text: string): void {
    this.#instant(track, time, text, CATEGORY.marker);
  }

  lost(track: Track, time: number, count: number): void {
    this.#instant(track, time, count < 0 ? 'events lost' : `${count} events lost`, CATEGORY.recorder);
  }

  /** Closes the document. */
  finish(): void {
    this.#out.write('\n]}\n');
  }

  #call({ func, track, start, args, isResumed }: VisitedCall<undefined>, end: number, ended: string, value: string): void {
    let details = isResumed ? `,"resumed":true${ended}` : ended;
    if (value !== '') details = `,"ret":${JSON.stringify(value)}${details}`;
    if (args !== '') details = `,"args":${JSON.stringify(args)}${details}`;
    if (func.where !== '') details = `${this.#placeOf(func)}${details}`;
    const shown = details === '' ? '' : `,"args":{${details.slice(1)}}`;
    this.#put(`${this.#head(func)}${place(track, start)},"dur":${duration(start, end)}${shown}}`);
  }

  #placeOf(func: CalledFunction): string {
    return (this.#places[func.index] ??= `,"place":${JSON.stringify(func.where)}`);
  }

  /** The part of an event that is the same for all calls of a function. */
  #head(func: CalledFunction): string {
    const known = this.#heads[func.index];
    if (known !== undefined) return known;
    const category = func.module === '' ? CATEGORY.app : func.module;
    const head = `{"ph":"X","name":${JSON.stringify(func.name)},"cat":${JSON.stringify(category)}`;
    this.#heads[func.index] = head;
    return head;
  }

  #instant(track: Track, time: number, text: string, category: string): void {
    this.#name(track);
    this.#put(`{"ph":"i","name":${JSON.stringify(text)},"cat":"${category}"${place(track, time)},"s":"t"}`);
  }

  #name({ index, tid, name, process }: Track): void {
    if (this.#threads.has(index)) return;
    this.#threads.add(index);
    const { pid } = process;
    if (!this.#processes.has(pid)) {
      this.#processes.add(pid);
      this.#put(JSON.stringify({ ph: 'M', name: 'process_name', pid, args: { name: process.name } }));
    }
    this.#put(JSON.stringify({ ph: 'M', name: 'thread_name', pid, tid, args: { name } }));
  }

  #put(event: string): void {
    this.#out.write(`${this.#separator}${event}`);
    this.#separator = ',\n';
  }
}

const place = ({ tid, process }: Track, time: number): string => `,"pid":${process.pid},"tid":${tid},"ts":${micros(time)}`;

/** `--chrome`. */
export const dump: Dump = (recording, output) => {
  const out = new TextOut(output);
  const trace = new ChromeTrace(out);
  const { warnings } = recording.walk(trace);
  trace.finish();
  out.flush();
  return warnings;
};
