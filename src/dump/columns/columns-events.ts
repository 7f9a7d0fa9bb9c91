import type { Counter } from '../../answers/timeline/counters.js';
import type { Track, VisitedEvent } from '../../output/trace-dat/calls/call-visitor.js';
import type { ColumnsWriter } from '../../timeline/columns-writer.js';
import type { RunningContext, Stretch, TimelineSink } from '../timeline-events.js';
import type { ColumnNumbers } from './column-numbers.js';

/** The kind of the stretches in which an async context runs. */
const CONTEXTS = 'contexts';
/** The field that says how a request ended. */
const STATUS = 'status';

/** A stretch that has begun. */
interface Begun {
  readonly start: number;
  readonly context: number;
}

/** Writes events, what two of them are the beginning and the end of, the contexts that run, and counters. */
export class ColumnsEvents implements TimelineSink {
  readonly #writer: ColumnsWriter;
  readonly #numbers: ColumnNumbers;
  /** By the stretches' ids. */
  readonly #begun = new Map<number, Begun>();
  /** By the track's index: since when its context runs. */
  readonly #running: number[] = [];

  constructor(writer: ColumnsWriter, numbers: ColumnNumbers) {
    this.#writer = writer;
    this.#numbers = numbers;
  }

  event(event: VisitedEvent): void {
    const { track, time, context, format } = event;
    const kind = this.#numbers.instant(format.system, format.name);
    this.#writer.instant(this.#numbers.track(track), kind, time, context, event.text());
  }

  begin({ id }: Stretch, start: number, { context }: VisitedEvent): void {
    this.#begun.set(id, { start, context });
  }

  end({ id, kind, track, title }: Stretch, time: number, event: VisitedEvent | undefined): void {
    const begun = this.#begun.get(id);
    if (begun === undefined) return;
    this.#begun.delete(id);
    const status = event?.read(STATUS);
    const whole = status === undefined ? title : `${title} ${String(status)}`;
    this.#put(kind, track, begun.start, time, begun.context, whole);
  }

  run({ index }: Track, _context: RunningContext, time: number): void {
    this.#running[index] = time;
  }

  pause(track: Track, { pid, comm }: RunningContext, time: number): void {
    this.#put(CONTEXTS, track, this.#running[track.index] ?? time, time, pid, `${comm} ${pid}`);
  }

  counter(track: Track, counter: Counter, time: number, value: number): void {
    this.#writer.counter(this.#numbers.counter(track, counter), time, value);
  }

  #put(kind: string, track: Track, start: number, end: number, context: number, title: string): void {
    const duration = Math.max(0, Math.round(end - start));
    const numbers = { kind: this.#numbers.slice(kind), track: this.#numbers.track(track) };
    this.#writer.slice({ ...numbers, start: Math.round(start), duration, context, title });
  }
}
