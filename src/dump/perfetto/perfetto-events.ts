import { type Counter, LOST_RECORDS } from '../../answers/timeline/counters.js';
import type { ReadValue, Track, VisitedEvent } from '../../output/trace-dat/calls/call-visitor.js';
import type { RunningContext, Stretch, TimelineSink } from '../timeline-events.js';
import { TYPE } from './fields.js';
import type { PerfettoThreads } from './perfetto-threads.js';
import type { AnnotationValue, Sequence } from './sequence.js';

/** Categories besides packages and the systems of events. */
const CATEGORY = { recorder: 'recorder', context: 'context' } as const;
/** The upper word of the flows from a wakeup to a run; those of coroutines have others. */
const FLOW_OF_WAKEUP = 0xffffffff;

const shownValue = (value: ReadValue): AnnotationValue => {
  if (typeof value === 'string' || typeof value === 'number') return value;
  return typeof value === 'bigint' ? String(value) : value.join(' ');
};

/** Writes events, and what they mean, as packets of their threads. */
export class PerfettoEvents implements TimelineSink {
  readonly #threads: PerfettoThreads;
  /** By the track's index. */
  readonly #lost: number[] = [];

  constructor(threads: PerfettoThreads) {
    this.#threads = threads;
  }

  event(event: VisitedEvent, flow: number | undefined): void {
    const { track, time, format } = event;
    const sequence = this.#threads.of(track, time);
    const fields = annotationsOf(sequence, event);
    const packet = sequence.named(TYPE.instant, format.system, format.name, time);
    annotate(sequence, fields);
    if (flow !== undefined) sequence.flow(flow, FLOW_OF_WAKEUP, false);
    sequence.done(packet);
  }

  begin({ kind, lane, title, system, track }: Stretch, time: number, event: VisitedEvent): void {
    const row = this.#threads.names.lane(track, undefined, kind, lane);
    const sequence = this.#threads.of(event.track, time);
    const fields = annotationsOf(sequence, event);
    const packet = sequence.titled(TYPE.sliceBegin, system, title, time, row);
    annotate(sequence, fields);
    sequence.done(packet);
  }

  end({ kind, lane, track }: Stretch, time: number, event: VisitedEvent | undefined): void {
    const row = this.#threads.names.lane(track, undefined, kind, lane);
    const sequence = this.#threads.of(track, time);
    const fields = event === undefined ? [] : annotationsOf(sequence, event);
    const packet = sequence.end(time, row);
    annotate(sequence, fields);
    sequence.done(packet);
  }

  run(track: Track, context: RunningContext, time: number, flow: number | undefined): void {
    const row = this.#threads.names.context(track, context);
    const sequence = this.#threads.of(track, time);
    const packet = sequence.named(TYPE.sliceBegin, CATEGORY.context, context.comm, time, row);
    if (flow !== undefined) sequence.flow(flow, FLOW_OF_WAKEUP, true);
    sequence.done(packet);
  }

  pause(track: Track, context: RunningContext, time: number): void {
    const row = this.#threads.names.context(track, context);
    const sequence = this.#threads.of(track, time);
    sequence.done(sequence.end(time, row));
  }

  counter(track: Track, counter: Counter, time: number, value: number): void {
    const row = this.#threads.names.counter(track, counter);
    this.#threads.of(track, time).counter(row, time, value);
  }

  /** Events of a thread were lost since its last one. */
  lost(track: Track, since: number, time: number, count: number): void {
    const sequence = this.#threads.of(track, since);
    const row = this.#threads.names.lane(track, this.#threads.names.thread(track), 'lost', 0);
    const title = count < 0 ? 'events lost' : `${count} events lost`;
    sequence.done(sequence.titled(TYPE.sliceBegin, CATEGORY.recorder, title, since, row));
    sequence.done(sequence.end(time, row));
    this.#lost[track.index] = (this.#lost[track.index] ?? 0) + Math.max(1, count);
    this.counter(track, LOST_RECORDS, time, this.#lost[track.index]!);
  }
}

/** A field of an event, as a packet has it. */
interface Annotation {
  readonly field: number;
  readonly value: AnnotationValue;
  readonly text: number;
}

/** The fields of an event; their names and texts get numbers before its packet is begun. */
const annotationsOf = (sequence: Sequence, event: VisitedEvent): readonly Annotation[] =>
  event.fields.map((name) => {
    const value = shownValue(event.read(name) ?? '');
    return { field: sequence.fieldNumber(name), value, text: typeof value === 'string' ? sequence.textNumber(value) : 0 };
  });

function annotate(sequence: Sequence, annotations: readonly Annotation[]): void {
  for (const { field, value, text } of annotations) sequence.annotate(field, value, text);
}
