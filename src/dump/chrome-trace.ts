import type { Counter } from '../answers/timeline/counters.js';
import type {
  Call,
  CallVisitor,
  Leave,
  Track,
  VisitedCall,
  VisitedEvent,
  WalkedRecording,
} from '../output/trace-dat/calls/call-visitor.js';
import type { CalledFunction } from '../output/trace-dat/calls/called-functions.js';
import { fieldsJson } from '../output/trace-dat/calls/fields-json.js';
import { TextOut } from '../output/trace-dat/calls/text-out.js';
import type { Dump } from './dumped-recording.js';
import { type RunningContext, type Stretch, TimelineEvents, type TimelineSink } from './timeline-events.js';

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

/** The categories of functions without a module, of markers, of the recorder's own messages, and of async contexts. */
const CATEGORY = { app: 'app', marker: 'trace_marker', recorder: 'recorder', context: 'context' } as const;

/** What a process's main thread is called there. */
const MAIN_THREAD = 'main';

/** `,"args":{...}` with the fields of an event. */
const fieldsOf = (event: VisitedEvent): string => (event.fields.length === 0 ? '' : `,"args":${fieldsJson(event)}`);

/**
 * Writes calls as the JSON that DevTools, Perfetto, chrome://tracing and others open (Trace Event Format): a complete event for
 * each call, or each part of a coroutine between waits; an instant event for each marker, loss and other event; an asynchronous
 * event for what two events are the beginning and the end of, and for each time that an async context runs; counters. The calls
 * of a thread are properly nested. Only names are kept in memory, and what is open.
 */
class ChromeTrace implements CallVisitor<undefined> {
  readonly wantsTexts = true;
  readonly #out: TextOut;
  readonly #events = new TimelineEvents(new ChromeEvents((track, event) => this.#onThread(track, event)));
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

  open({ isFentrys }: WalkedRecording): void {
    this.#events.hasContexts = isFentrys;
  }

  hit(func: CalledFunction, { track, time }: VisitedEvent): void {
    const where = func.where === '' ? '' : `,"args":{${this.#placeOf(func).slice(1)}}`;
    this.#onThread(track, `${this.#head(func).replace('"X"', '"i"')}${place(track, time)},"s":"t"${where}}`);
  }

  event(event: VisitedEvent): void {
    this.#events.take(event);
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
    this.#events.finish();
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
    this.#onThread(track, `{"ph":"i","name":${JSON.stringify(text)},"cat":"${category}"${place(track, time)},"s":"t"}`);
  }

  #onThread(track: Track, event: string): void {
    this.#name(track);
    this.#put(event);
  }

  #name({ index, tid, name, process }: Track): void {
    if (this.#threads.has(index)) return;
    this.#threads.add(index);
    const { pid } = process;
    if (!this.#processes.has(pid)) {
      this.#processes.add(pid);
      this.#put(JSON.stringify({ ph: 'M', name: 'process_name', pid, args: { name: process.name } }));
    }
    // DevTools' tables stay empty for a thread with the title of its process.
    const shown = name === process.name ? MAIN_THREAD : name;
    this.#put(JSON.stringify({ ph: 'M', name: 'thread_name', pid, tid, args: { name: shown } }));
  }

  #put(event: string): void {
    this.#out.write(`${this.#separator}${event}`);
    this.#separator = ',\n';
  }
}

const place = ({ tid, process }: Track, time: number): string => `,"pid":${process.pid},"tid":${tid},"ts":${micros(time)}`;

/** Writes events, and what they mean. */
class ChromeEvents implements TimelineSink {
  readonly #put: (track: Track, event: string) => void;

  constructor(put: (track: Track, event: string) => void) {
    this.#put = put;
  }

  event(event: VisitedEvent): void {
    const { track, time, format } = event;
    const { name, system } = format;
    this.#put(
      track,
      `{"ph":"i","name":${JSON.stringify(name)},"cat":${JSON.stringify(system)}${place(track, time)},"s":"t"${fieldsOf(event)}}`,
    );
  }

  begin(stretch: Stretch, time: number, event: VisitedEvent): void {
    this.#async('b', stretch, time, fieldsOf(event));
  }

  end(stretch: Stretch, time: number, event: VisitedEvent | undefined): void {
    this.#async('e', stretch, time, event === undefined ? '' : fieldsOf(event));
  }

  run(track: Track, context: RunningContext, time: number): void {
    this.#context('b', track, context, time);
  }

  pause(track: Track, context: RunningContext, time: number): void {
    this.#context('e', track, context, time);
  }

  counter(track: Track, { name, unit }: Counter, time: number, value: number): void {
    const shown = track.tid === track.process.pid ? name : `${name}, ${track.name}`;
    this.#put(track, `{"ph":"C","name":${JSON.stringify(shown)}${place(track, time)},"args":{"${unit}":${value}}}`);
  }

  #async(phase: 'b' | 'e', { kind, title, id, track }: Stretch, time: number, fields: string): void {
    const head = `{"ph":"${phase}","name":${JSON.stringify(title)},"cat":${JSON.stringify(kind)},"id":${id}`;
    this.#put(track, `${head}${place(track, time)}${fields}}`);
  }

  #context(phase: 'b' | 'e', track: Track, { pid, comm }: RunningContext, time: number): void {
    const head = `{"ph":"${phase}","name":${JSON.stringify(`${comm}-${pid}`)},"cat":"${CATEGORY.context}","id":${pid}`;
    this.#put(track, `${head}${place(track, time)}}`);
  }
}

/** `--chrome`. */
export const dump: Dump = (recording, output) => {
  const out = new TextOut(output);
  const trace = new ChromeTrace(out);
  const { warnings } = recording.walk(trace);
  trace.finish();
  out.flush();
  return warnings;
};
