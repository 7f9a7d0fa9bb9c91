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
import { NONE } from '../../timeline/call-row.js';
import { CALL_FLAGS, type ColumnsStart } from '../../timeline/columns-format.js';
import { ColumnsWriter, type WrittenCall } from '../../timeline/columns-writer.js';
import type { DumpedRecording } from '../dumped-recording.js';
import { RequestOwners } from '../request-owners.js';
import { TimelineEvents } from '../timeline-events.js';
import { ColumnNumbers } from './column-numbers.js';
import { ColumnsEvents } from './columns-events.js';

/** The kind of the calls that the function tracer records: they have no duration. */
const HIT = { system: 'ftrace', name: 'function' } as const;

type Writable = { -readonly [Name in keyof WrittenCall]: WrittenCall[Name] };

/** Writes what the page reads: calls, events, marks and losses, as the walk tells of them. */
class Columns implements CallVisitor<number> {
  readonly wantsTexts = true;
  readonly #writer: ColumnsWriter;
  readonly #events: TimelineEvents;
  readonly #contexts: ColumnsEvents;
  readonly #owners = new RequestOwners();
  readonly numbers: ColumnNumbers;
  /** By track and function: how many of its calls are open. */
  readonly #open: number[][] = [];
  /** By the function's number. */
  readonly #hits: number[] = [];
  /** One object for all calls: a million of them took seconds. */
  readonly #call: Writable = {
    track: 0,
    func: 0,
    depth: 0,
    start: 0,
    duration: 0,
    inside: 0,
    call: 0,
    flags: 0,
    args: '',
    result: '',
    activation: NONE,
  };

  constructor(writer: ColumnsWriter) {
    this.#writer = writer;
    this.numbers = new ColumnNumbers(writer);
    this.#contexts = new ColumnsEvents(writer, this.numbers, this.#owners);
    this.#events = new TimelineEvents(this.#contexts);
  }

  open({ isFentrys, commOf }: WalkedRecording): void {
    this.#events.hasContexts = isFentrys;
    this.#contexts.commOf = commOf;
  }

  /** Returns the flags of the call that are known now. */
  begin({ func, track, isResumed, context, depth, start }: Call): number {
    if (depth === 0 && track.hasContexts) this.#contexts.called(track, context, start);
    const open = (this.#open[track.index] ??= []);
    const count = open[func.index] ?? 0;
    open[func.index] = count + 1;
    return (isResumed ? CALL_FLAGS.resumed : 0) | (count > 0 ? CALL_FLAGS.inner : 0);
  }

  end(frame: VisitedCall<number>, { duration, self, hidden = 0, call, isSuspended, value, activation }: Leave): void {
    const inside = Math.max(0, duration - self - hidden);
    this.#put(frame, duration, inside, call, isSuspended ? CALL_FLAGS.suspended : 0, value, activation);
  }

  /** The time of its callees is not known: only its duration is shown. */
  unfinished(frame: VisitedCall<number>, end: number): void {
    const duration = end - frame.start;
    this.#put(frame, duration, duration, duration, CALL_FLAGS.unfinished, '');
  }

  hit(func: CalledFunction, { track, time, context }: VisitedEvent): void {
    const number = this.numbers.function(func);
    this.#hits[number] = (this.#hits[number] ?? 0) + 1;
    this.#writer.instant(this.numbers.track(track), this.numbers.instant(HIT.system, HIT.name), time, context, func.name);
  }

  event(event: VisitedEvent): void {
    // Who owns what runs until now is asked for before it is known who owns what runs next.
    this.#events.take(event);
    this.#owners.take(event);
  }

  mark(track: Track, time: number, text: string): void {
    this.#writer.mark(this.numbers.track(track), time, text);
  }

  lost(track: Track, time: number, count: number): void {
    this.#writer.loss(this.numbers.track(track), time, count);
  }

  finish(application: string, warnings: readonly string[]): void {
    this.#events.finish();
    this.#contexts.finish();
    const hits = [...this.#hits.entries()].filter(([, count]) => count !== undefined);
    this.#writer.end({ application, warnings, hits });
  }

  #put(
    frame: VisitedCall<number>,
    duration: number,
    inside: number,
    call: number,
    flags: number,
    result: string,
    activation?: number,
  ): void {
    const { func, track, depth, start, args, place } = frame;
    if (depth === 0 && track.hasContexts) this.#contexts.returned(track, start + duration);
    this.#open[track.index]![func.index]!--;
    const one = this.#call;
    one.track = this.numbers.track(track);
    one.func = this.numbers.function(func);
    one.depth = depth;
    one.start = start;
    one.duration = duration;
    one.inside = inside;
    one.call = call;
    one.flags = place | flags;
    one.args = args;
    one.result = result;
    one.activation = activation ?? frame.activation ?? NONE;
    this.#writer.call(one);
  }
}

/**
 * Writes a recording for the page.
 * @param start what the page calls it
 * @param write gets bytes that it must copy if it keeps them
 * @returns warnings for the user, which the page shows, too; and the files of the application's functions
 */
export function writeColumns(
  recording: DumpedRecording,
  start: ColumnsStart,
  write: (bytes: Uint8Array<ArrayBuffer>) => void,
): { readonly warnings: readonly string[]; readonly ownFiles: ReadonlySet<string> } {
  const columns = new Columns(new ColumnsWriter(write, start));
  const { application, warnings } = recording.walk(columns);
  columns.finish(application, warnings);
  return { warnings, ownFiles: columns.numbers.ownFiles };
}
