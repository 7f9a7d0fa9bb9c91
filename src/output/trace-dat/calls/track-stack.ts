import { MAX_DEPTH } from '../../graph-depth.js';
import type { CallVisitor, Frame, Track } from './call-visitor.js';
import type { CalledFunction } from './called-functions.js';

/** What an entry or exit record says besides its function and depth. */
export interface EntryFacts {
  readonly isResumed: boolean;
  readonly args: string;
}
export interface ExitFacts {
  /** ns of the clock. */
  readonly returned: number;
  /** ns from the call to the return. */
  readonly call: number;
  readonly isSuspended: boolean;
  readonly value: string;
}

type OpenFrame<Place> = { -readonly [Key in keyof Frame<Place>]: Frame<Place>[Key] };

/** The calls that are open on one track, made of its entry and exit records. Records may have been lost anywhere. */
export class TrackStack<Place> {
  readonly track: Track;
  readonly #visitor: CallVisitor<Place>;
  /** By depth; undefined where an entry was lost. */
  readonly #frames: (OpenFrame<Place> | undefined)[] = [];
  /** By depth: ns of the calls that have ended there since their caller began. */
  readonly #inside: number[] = [];
  /** ns: from when on every record is known. */
  #since: number;

  constructor(track: Track, visitor: CallVisitor<Place>, since: number) {
    this.track = track;
    this.#visitor = visitor;
    this.#since = since;
  }

  enter(func: CalledFunction, depth: number, time: number, { isResumed, args }: EntryFacts): void {
    if (depth < 0 || depth > MAX_DEPTH) return;
    this.#cut(depth);
    this.#push(func, depth, time, isResumed, args);
  }

  leave(func: CalledFunction, depth: number, { returned, call, isSuspended, value }: ExitFacts): void {
    if (depth < 0 || depth > MAX_DEPTH) return;
    const inside = this.#inside[depth + 1] ?? 0;
    const isKnown = this.#frames[depth]?.func === func;
    if (!isKnown) {
      this.#cut(depth);
      this.#push(func, depth, Math.max(returned - call, this.#since), false, '');
    }
    const frame = this.#frames[depth]!;
    const duration = isKnown && !frame.isResumed ? call : Math.max(0, returned - frame.start);
    this.#cut(depth);
    this.#inside[depth] = (this.#inside[depth] ?? 0) + duration;
    this.#visitor.end(frame, { duration, self: Math.max(0, duration - inside), call, isSuspended, value });
  }

  /** Records were lost before `time`: what was open may have ended. */
  lost(time: number): void {
    this.#cut(0);
    this.#inside.length = 0;
    this.#since = time;
  }

  /** The recording ends. */
  finish(): void {
    for (const frame of this.#frames) if (frame !== undefined) this.#visitor.stillOpen?.(frame);
  }

  #push(func: CalledFunction, depth: number, start: number, isResumed: boolean, args: string): void {
    const call = { func, track: this.track, isResumed, args, start, isOpen: true };
    const frame: OpenFrame<Place> = Object.assign(call, { place: this.#visitor.begin(call, this.#caller(depth)) });
    while (this.#frames.length < depth) this.#frames.push(undefined);
    this.#frames.push(frame);
    this.#inside[depth + 1] = 0;
  }

  /** The nearest known frame below a depth. */
  #caller(depth: number): Frame<Place> | undefined {
    for (let at = Math.min(depth, this.#frames.length) - 1; at >= 0; at--) {
      if (this.#frames[at] !== undefined) return this.#frames[at];
    }
    return undefined;
  }

  /** Takes the frames from a depth on off the stack. */
  #cut(depth: number): void {
    while (this.#frames.length > depth) {
      const frame = this.#frames.pop();
      if (frame !== undefined) frame.isOpen = false;
    }
  }
}
