import type { Counter } from '../../answers/timeline/counters.js';
import type { Track, VisitedEvent, WalkedRecording } from '../../output/trace-dat/calls/call-visitor.js';
import { NONE } from '../../timeline/call-row.js';
import { CONTEXTS, REQUESTS } from '../../timeline/columns-format.js';
import type { ColumnsWriter } from '../../timeline/columns-writer.js';
import type { RequestOwners } from '../request-owners.js';
import type { RunningContext, Stretch, TimelineSink } from '../timeline-events.js';
import type { ColumnNumbers } from './column-numbers.js';

/** The field with the number of a request. */
const ID = 'id';
/** The field that says how a request ended. */
const STATUS = 'status';

/** A stretch that has begun. */
interface Begun {
  readonly start: number;
  readonly context: number;
  /** The number of the HTTP request that it is. */
  readonly request: number;
}

/** A context that is known to run on a thread by the calls there: switches are not recorded. */
interface CalledContext {
  readonly pid: number;
  readonly start: number;
  end: number;
}

/** Writes events, what two of them are the beginning and the end of, the contexts that run, and counters. */
export class ColumnsEvents implements TimelineSink {
  readonly #writer: ColumnsWriter;
  readonly #numbers: ColumnNumbers;
  /** By the stretches' ids. */
  readonly #begun = new Map<number, Begun>();
  /** By the track's index: since when its context runs. */
  readonly #running: number[] = [];
  readonly #called = new Map<Track, CalledContext>();
  /** The tracks whose switches are recorded. */
  readonly #switched = new Set<Track>();
  readonly #owners: RequestOwners;
  /** The name of a context. */
  commOf: WalkedRecording['commOf'] = () => undefined;

  /** @param owners knows for which request a thread works; it takes each event behind this */
  constructor(writer: ColumnsWriter, numbers: ColumnNumbers, owners: RequestOwners) {
    this.#owners = owners;
    this.#writer = writer;
    this.#numbers = numbers;
  }

  event(event: VisitedEvent): void {
    const { track, time, context, format } = event;
    const kind = this.#numbers.instant(format.system, format.name);
    this.#writer.instant(this.#numbers.track(track), kind, time, context, event.text());
  }

  begin({ id, kind }: Stretch, start: number, event: VisitedEvent): void {
    const request = kind === REQUESTS ? Number(event.read(ID) ?? NONE) : (this.#owners.owner(event.track)?.id ?? NONE);
    this.#begun.set(id, { start, context: event.context, request });
  }

  end({ id, kind, track, title }: Stretch, time: number, event: VisitedEvent | undefined): void {
    const begun = this.#begun.get(id);
    if (begun === undefined) return;
    this.#begun.delete(id);
    const status = event?.read(STATUS);
    const whole = status === undefined ? title : `${title} ${String(status)}`;
    this.#put(kind, track, time, whole, begun);
  }

  run(track: Track, _context: RunningContext, time: number): void {
    this.#pauseCalled(track);
    this.#switched.add(track);
    this.#running[track.index] = time;
  }

  pause(track: Track, { pid, comm }: RunningContext, time: number): void {
    const request = this.#owners.owner(track)?.id ?? NONE;
    this.#put(CONTEXTS, track, time, `${comm} ${pid}`, { start: this.#running[track.index] ?? time, context: pid, request });
  }

  /** A call begins at the bottom of a thread's stack: so its context runs, if switches do not say so. */
  called(track: Track, pid: number, time: number): void {
    // Without the option async-context, the task of a record is its thread.
    if (pid === track.tid || this.#switched.has(track) || this.#called.get(track)?.pid === pid) return;
    this.#pauseCalled(track);
    if (pid !== 0) this.#called.set(track, { pid, start: time, end: time });
  }

  /** The call at the bottom of a thread's stack returns. */
  returned(track: Track, time: number): void {
    const one = this.#called.get(track);
    if (one !== undefined) one.end = time;
  }

  /** The recording ends. */
  finish(): void {
    for (const track of this.#called.keys()) this.#pauseCalled(track);
  }

  #pauseCalled(track: Track): void {
    const one = this.#called.get(track);
    if (one === undefined) return;
    this.#called.delete(track);
    const { pid, start, end } = one;
    const request = this.#owners.owner(track)?.id ?? NONE;
    this.#put(CONTEXTS, track, end, `${this.commOf(pid) ?? '<...>'} ${pid}`, { start, context: pid, request });
  }

  counter(track: Track, counter: Counter, time: number, value: number): void {
    this.#writer.counter(this.#numbers.counter(track, counter), time, value);
  }

  #put(kind: string, track: Track, end: number, title: string, { start, context, request }: Begun): void {
    const duration = Math.max(0, Math.round(end - start));
    const numbers = { kind: this.#numbers.slice(kind), track: this.#numbers.track(track) };
    this.#writer.slice({ ...numbers, start: Math.round(start), duration, context, title, request });
  }
}
