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
import { functionFilter, type IsShown } from '../output/trace-dat/calls/function-filter.js';

/** What of a recording is dumped; what is absent does not matter. Times are ns of the recording's clock. */
export interface Selection {
  /** Calls that were open then begin then; events before are left out. */
  readonly from?: number;
  /** Calls that are open then end then; events after are left out. */
  readonly to?: number;
  /** Which threads. */
  readonly isTrack?: (track: Track) => boolean;
  /** Which functions' calls are shown; what others do is time of the function that called them. */
  readonly isShown?: IsShown;
}

/** Whether nothing is left out. */
export const selectsAll = (selection: Selection): boolean => Object.values(selection).every((one) => one === undefined);

/** Functions by the words of `--filter` (see functionFilter), and by `--own`: asked of each once, as its calls are many. */
export function shownBy(filter: readonly string[] | undefined, isOwn: boolean): IsShown | undefined {
  if (filter === undefined && !isOwn) return undefined;
  const matches = filter === undefined ? undefined : functionFilter(filter);
  const known = new Map<CalledFunction, boolean>();
  return (func) => {
    let isShown = known.get(func);
    if (isShown === undefined) known.set(func, (isShown = (!isOwn || func.isOwn) && (matches?.(func) ?? true)));
    return isShown;
  };
}

/** Threads of a process, by its pid or name, and threads by their id or name. Undefined: all. */
export function tracksOf(process: string | undefined, thread: string | undefined): Selection['isTrack'] {
  if (process === undefined && thread === undefined) return undefined;
  return (track) =>
    (process === undefined || String(track.process.pid) === process || track.process.name === process) &&
    (thread === undefined || String(track.tid) === thread || track.name === thread);
}

/** A thread for a person: `node-7 (thread 7 of process 7)`. */
export const trackTitle = ({ name, tid, process }: Track): string => `${name} (thread ${tid} of process ${process.pid})`;

type Frame<Place> = { -readonly [Key in keyof VisitedCall<Place>]: VisitedCall<Place>[Key] };

/** Threads that a warning names. */
const MOST_TITLES = 16;

/** A call of the recording, and what the visitor sees of it. */
interface Held<Place> {
  readonly call: Call;
  readonly caller: Held<Place> | undefined;
  /** The nearest caller that is shown. */
  readonly shownCaller: Held<Place> | undefined;
  readonly isShown: boolean;
  /** What the visitor has; undefined as long as it was not told. */
  frame: Frame<Place> | undefined;
  /** ns within the range of the calls that it made. */
  inside: number;
  /** ns within the range of calls that are not shown, without those that are shown. */
  hidden: number;
}

/**
 * Passes a part of the calls and events to a visitor. Calls are cut where the range of time begins and ends, so that what the
 * visitor gets is properly nested, with times that add up.
 */
export class SelectedCalls<Place> implements CallVisitor<Held<Place>> {
  readonly wantsTexts: boolean;
  readonly #visitor: CallVisitor<Place>;
  readonly #from: number;
  readonly #to: number;
  readonly #isTrack: (track: Track) => boolean;
  /** By the tracks' indices: whether they are selected. */
  readonly #tracks: boolean[] = [];
  readonly #titles: string[] = [];
  readonly #isShown: IsShown;
  readonly hit?: (func: CalledFunction, event: VisitedEvent) => void;
  readonly event?: (event: VisitedEvent) => void;

  constructor(visitor: CallVisitor<Place>, { from = -Infinity, to = Infinity, isTrack, isShown }: Selection) {
    this.#visitor = visitor;
    this.wantsTexts = visitor.wantsTexts === true;
    this.#from = from;
    this.#to = to;
    this.#isTrack = (track) => (this.#tracks[track.index] ??= this.#meet(track, isTrack?.(track) ?? true));
    this.#isShown = isShown ?? (() => true);
    if (visitor.hit !== undefined) {
      this.hit = (func, event) => {
        if (this.#isShown(func) && this.#has(event.track, event.time)) visitor.hit!(func, event);
      };
    }
    if (visitor.event !== undefined) {
      this.event = (event) => {
        if (this.#has(event.track, event.time)) visitor.event!(event);
      };
    }
  }

  get isDone(): boolean {
    return this.#visitor.isDone === true;
  }

  open(recording: WalkedRecording): void {
    this.#visitor.open?.(recording);
  }

  begin(call: Call, caller: VisitedCall<Held<Place>> | undefined): Held<Place> {
    const above = caller?.place;
    const shownCaller = above?.isShown === false ? above.shownCaller : above;
    const isShown = this.#isTrack(call.track) && this.#isShown(call.func);
    const held = { call, caller: above, shownCaller, isShown, frame: undefined, inside: 0, hidden: 0 };
    if (isShown && call.start >= this.#from && call.start < this.#to) this.#tell(held);
    return held;
  }

  end({ place: held }: VisitedCall<Held<Place>>, leave: Leave): void {
    const { start } = held.call;
    const end = start + leave.duration;
    if (!this.#meets(start, end)) return;
    const duration = Math.min(end, this.#to) - Math.max(start, this.#from);
    const isCut = duration < leave.duration;
    const self = isCut ? Math.max(0, duration - held.inside) : leave.self;
    if (held.caller !== undefined) held.caller.inside += duration;
    if (!held.isShown) {
      if (held.shownCaller !== undefined) held.shownCaller.hidden += self;
      return;
    }
    const frame = this.#left(held);
    const { hidden } = held;
    this.#visitor.end(frame, isCut ? { ...leave, duration, self, hidden, call: duration } : { ...leave, hidden });
  }

  unfinished({ place: held }: VisitedCall<Held<Place>>, end: number, isLast: boolean): void {
    if (!held.isShown || !this.#meets(held.call.start, end)) return;
    this.#visitor.unfinished?.(this.#left(held), Math.min(end, this.#to), isLast);
  }

  mark(track: Track, time: number, text: string): void {
    if (this.#has(track, time)) this.#visitor.mark?.(track, time, text);
  }

  lost(track: Track, time: number, count: number): void {
    if (this.#has(track, time)) this.#visitor.lost?.(track, time, count);
  }

  /** Words for the user, if no thread is selected. */
  warnings(): readonly string[] {
    if (this.#tracks.length === 0 || this.#tracks.some((isSelected) => isSelected)) return [];
    return [`no thread is selected; the recording has ${this.#titles.join(', ')}`];
  }

  /** Sees a thread for the first time. */
  #meet(track: Track, isSelected: boolean): boolean {
    if (this.#titles.length < MOST_TITLES) this.#titles.push(trackTitle(track));
    return isSelected;
  }

  #has(track: Track, time: number): boolean {
    return time >= this.#from && time <= this.#to && this.#isTrack(track);
  }

  /** Whether a part of the time between is within the range; of a call that takes no time, its moment. */
  #meets(start: number, end: number): boolean {
    return start < this.#to && (end > this.#from || start >= this.#from);
  }

  /** Tells the visitor of a call, after those that called it. */
  #tell(held: Held<Place>): Frame<Place> {
    const untold = [];
    for (let at: Held<Place> | undefined = held; at !== undefined && at.frame === undefined; at = at.shownCaller) untold.push(at);
    for (const one of untold.reverse()) {
      const { func, funcIndex, track, isResumed, depth, args, context, activation, start } = one.call;
      const call = { func, funcIndex, track, isResumed, depth, args, context, activation, start: Math.max(start, this.#from) };
      one.frame = Object.assign(call, { place: this.#visitor.begin(call, one.shownCaller?.frame) });
    }
    return held.frame!;
  }

  /** What the visitor has of a call that ends. */
  #left(held: Held<Place>): Frame<Place> {
    const frame = this.#tell(held);
    frame.start = Math.max(held.call.start, this.#from);
    return frame;
  }
}
