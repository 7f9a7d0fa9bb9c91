import { MAX_DEPTH } from '../../graph-depth.js';
import type { CallVisitor, Track, VisitedCall } from './call-visitor.js';
import type { CalledFunction } from './called-functions.js';
import { CompletedCalls } from './completed-calls.js';
import type { EntryFacts, ExitFacts } from './record-facts.js';

type OpenFrame<Place> = { -readonly [Key in keyof VisitedCall<Place>]: VisitedCall<Place>[Key] };

/** Depths that have room at first. */
const DEPTHS = 64;

/**
 * The open calls of one track, from its entry and exit records. Records may have been lost anywhere. Whatever they say, the
 * calls that visitors get are properly nested.
 */
export class TrackStack<Place> {
  readonly track: Track;
  readonly #visitor: CallVisitor<Place>;
  /** By depth; undefined if an entry was lost. */
  readonly #frames: (OpenFrame<Place> | undefined)[] = [];
  /** By depth: ns of the calls that have ended there since their caller began, and the end of the last one. */
  #inside = new Float64Array(DEPTHS);
  /** -Infinity: none has ended. */
  #ended = new Float64Array(DEPTHS).fill(-Infinity);
  /** ns: the time since which every record is known. */
  #since: number;
  /** The last record's time. */
  #latest = -Infinity;
  readonly #hasEntries: () => boolean;
  #completed: CompletedCalls<Place> | undefined;

  /** @param hasEntries false if only exits were recorded: `tracing_thresh`; asked when there is an exit */
  constructor(track: Track, visitor: CallVisitor<Place>, since: number, hasEntries: () => boolean) {
    this.track = track;
    this.#visitor = visitor;
    this.#since = since;
    this.#hasEntries = hasEntries;
  }

  enter(func: CalledFunction, depth: number, time: number, facts: EntryFacts): void {
    if (depth < 0 || depth > MAX_DEPTH) return;
    this.#makeRoom(depth);
    this.#cut(depth);
    this.#push(func, depth, Math.max(time, this.#floor(depth)), facts);
    this.#latest = time;
  }

  leave(func: CalledFunction, depth: number, facts: ExitFacts): void {
    if (depth < 0 || depth > MAX_DEPTH) return;
    const { returned, call, isSuspended, value, context, activation } = facts;
    if (!this.#hasEntries()) {
      this.#completed ??= new CompletedCalls(this.track, this.#visitor);
      this.#completed.add(func, depth, facts);
      return;
    }
    this.#makeRoom(depth);
    const inside = this.#inside[depth + 1]!;
    const isKnown = this.#frames[depth]?.func === func;
    if (!isKnown) {
      this.#cut(depth);
      this.#push(func, depth, Math.max(returned - call, this.#since, this.#floor(depth)), {
        isResumed: false,
        args: '',
        context,
        activation: undefined,
      });
    }
    this.#cut(depth + 1);
    const frame = this.#frames[depth]!;
    // The record of a call's entry may be some nanoseconds older than the time in its exit.
    if (isKnown && !frame.isResumed) frame.start = Math.max(frame.start, returned - call);
    const end = Math.max(returned, frame.start, this.#ended[depth + 1]!);
    const duration = end - frame.start;
    this.#pop(depth, end);
    this.#inside[depth]! += duration;
    this.#visitor.end(frame, { duration, self: Math.max(0, duration - inside), call, isSuspended, value, activation });
    this.#latest = returned;
  }

  /** Records were lost before `time`: open calls may have ended. */
  lost(time: number, count: number): void {
    this.#cut(0);
    this.#inside.fill(0);
    this.#since = time;
    this.#visitor.lost?.(this.track, time, count);
  }

  /** The recording ends. */
  finish(): void {
    this.#completed?.flush();
    this.#cut(0, true);
  }

  /** A call that begins now at this depth cannot have begun before this time. */
  #floor(depth: number): number {
    return Math.max(this.#ended[depth]!, this.#caller(depth)?.start ?? -Infinity);
  }

  #push(func: CalledFunction, depth: number, start: number, facts: EntryFacts): void {
    const { track } = this;
    const { isResumed, args, context, activation } = facts;
    // Made whole at once: Object.assign() took a tenth of a profile's time.
    const place = undefined as Place;
    const frame: OpenFrame<Place> = { func, track, isResumed, depth, args, context, activation, start, isOpen: true, place };
    frame.place = this.#visitor.begin(frame, this.#caller(depth));
    while (this.#frames.length < depth) this.#frames.push(undefined);
    this.#frames.push(frame);
    this.#inside[depth + 1] = 0;
    this.#ended[depth + 1] = start;
  }

  #pop(depth: number, end: number): OpenFrame<Place> | undefined {
    const frame = this.#frames.pop();
    if (frame === undefined) return undefined;
    frame.isOpen = false;
    this.#ended[depth] = Math.max(end, this.#ended[depth]!);
    return frame;
  }

  /** Lets a call of this depth have callees. */
  #makeRoom(depth: number): void {
    const { length } = this.#ended;
    if (depth + 1 < length) return;
    const inside = new Float64Array(2 * (depth + 1));
    const ended = new Float64Array(2 * (depth + 1)).fill(-Infinity);
    inside.set(this.#inside);
    ended.set(this.#ended);
    this.#inside = inside;
    this.#ended = ended;
  }

  /** The nearest known frame below a depth. */
  #caller(depth: number): VisitedCall<Place> | undefined {
    for (let at = Math.min(depth, this.#frames.length) - 1; at >= 0; at--) {
      if (this.#frames[at] !== undefined) return this.#frames[at];
    }
    return undefined;
  }

  /** Removes the frames from a depth on, whose ends were not recorded: they ended with the last record or before. */
  #cut(depth: number, isLast = false): void {
    while (this.#frames.length > depth) {
      const at = this.#frames.length - 1;
      const end = Math.max(this.#latest, this.#frames[at]?.start ?? -Infinity, this.#ended[at + 1]!);
      const frame = this.#pop(at, end);
      if (frame !== undefined) this.#visitor.unfinished?.(frame, end, isLast);
    }
  }
}
