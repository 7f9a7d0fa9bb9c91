import type {
  Call,
  CallVisitor,
  Leave,
  Track,
  VisitedCall,
  VisitedEvent,
  WalkedRecording,
} from '../../output/trace-dat/calls/call-visitor.js';
import type { CalledFunction } from '../../output/trace-dat/calls/called-functions.js';
import type { ReportSink } from '../../output/trace-dat/index.js';
import { ActiveSpans } from '../active-spans.js';
import type { Dump } from '../dumped-recording.js';
import { TimelineEvents } from '../timeline-events.js';
import { TYPE } from './fields.js';
import { PerfettoEvents } from './perfetto-events.js';
import { PerfettoThreads } from './perfetto-threads.js';

const MARKER = 'trace_marker';

/** The upper word of the flow from one part of a coroutine's call to the next; the lower one is of the call. */
const flowOf = (func: CalledFunction, track: Track): number => (func.index & 0xffff) | ((track.index & 0x7fff) << 16);

/**
 * Writes calls and events as Perfetto's own format, track events: a slice for each call, or each part of a coroutine between
 * waits, whose parts a flow connects; an instant for each event; a slice for what two events are the beginning and the end of; a
 * track for each async context; counters. Memory grows with the names, not with the calls.
 */
class PerfettoTrace implements CallVisitor<undefined> {
  readonly wantsTexts = true;
  readonly #threads: PerfettoThreads;
  readonly #shown: PerfettoEvents;
  readonly #events: TimelineEvents;
  readonly #spans = new ActiveSpans();
  /** By the track's index: its last moment so far. */
  readonly #latest: number[] = [];

  constructor(sink: ReportSink) {
    this.#threads = new PerfettoThreads(sink);
    this.#shown = new PerfettoEvents(this.#threads);
    this.#events = new TimelineEvents(this.#shown);
  }

  get isDone(): boolean {
    return this.#threads.out.isClosed;
  }

  open(recording: WalkedRecording): void {
    this.#threads.open(recording);
    this.#events.hasContexts = recording.isFentrys;
  }

  begin({ func, track, start, args, context, activation, isResumed }: Call): undefined {
    const sequence = this.#threads.of(track, start);
    const argsField = args === '' ? 0 : sequence.fieldNumber('args');
    const contextField = track.hasContexts ? sequence.fieldNumber('context') : 0;
    const text = args === '' ? 0 : sequence.textNumber(args);
    const resumedField = isResumed ? sequence.fieldNumber('resumed') : 0;
    const span = this.#spans.of(track);
    const traceField = span === undefined ? 0 : sequence.fieldNumber('trace_id');
    const spanField = span === undefined ? 0 : sequence.fieldNumber('span_id');
    const packet = sequence.begin(func, start);
    if (resumedField !== 0) sequence.annotate(resumedField, true);
    if (argsField !== 0) sequence.annotate(argsField, args, text);
    if (contextField !== 0) sequence.annotate(contextField, context);
    if (span !== undefined) {
      sequence.annotate(traceField, span.trace);
      sequence.annotate(spanField, span.span);
    }
    if (activation !== undefined) sequence.flow(activation, flowOf(func, track), true);
    sequence.done(packet);
    this.#latest[track.index] = start;
  }

  end({ func, track, start }: VisitedCall<undefined>, { duration, activation, value, isSuspended }: Leave): void {
    const end = start + duration;
    const sequence = this.#threads.of(track, end);
    const result = value === '' ? 0 : sequence.fieldNumber('result');
    const suspended = isSuspended ? sequence.fieldNumber('suspended') : 0;
    const text = value === '' ? 0 : sequence.textNumber(value);
    const packet = sequence.end(end);
    if (suspended !== 0) sequence.annotate(suspended, true);
    if (result !== 0) sequence.annotate(result, value, text);
    if (activation !== undefined) sequence.flow(activation, flowOf(func, track), false);
    sequence.done(packet);
    this.#latest[track.index] = end;
  }

  unfinished({ track }: VisitedCall<undefined>, end: number): void {
    const sequence = this.#threads.of(track, end);
    const field = sequence.fieldNumber('unfinished');
    const packet = sequence.end(end);
    sequence.annotate(field, true);
    sequence.done(packet);
  }

  hit(func: CalledFunction, { track, time }: VisitedEvent): void {
    const sequence = this.#threads.of(track, time);
    sequence.done(sequence.hit(func, time));
    this.#latest[track.index] = time;
  }

  mark(track: Track, time: number, text: string): void {
    const sequence = this.#threads.of(track, time);
    sequence.done(sequence.titled(TYPE.instant, MARKER, text, time));
    this.#latest[track.index] = time;
  }

  event(event: VisitedEvent): void {
    this.#events.take(event);
    this.#spans.take(event);
    this.#latest[event.track.index] = event.time;
  }

  lost(track: Track, time: number, count: number): void {
    const { index } = track;
    this.#spans.forget(track);
    this.#shown.lost(track, Math.min(time, this.#latest[index] ?? time), time, count);
    this.#latest[index] = time;
  }

  /** Writes what is left. */
  finish(): void {
    this.#events.finish();
    this.#threads.out.flush();
  }
}

/** `--perfetto`. */
export const dump: Dump = (recording, output) => {
  const trace = new PerfettoTrace(output);
  const { warnings } = recording.walk(trace);
  trace.finish();
  return warnings;
};
