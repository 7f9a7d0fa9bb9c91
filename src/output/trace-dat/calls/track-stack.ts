import { MAX_DEPTH } from '../../graph-depth.js';
import type { CallVisitor, Leave, Track, VisitedCall } from './call-visitor.js';
import type { CalledFunction, CalledFunctions } from './called-functions.js';
import { CompletedCalls } from './completed-calls.js';
import type { EntryFacts, ExitFacts } from './record-facts.js';

type OpenFrame<Place> = { -readonly [Key in keyof VisitedCall<Place>]: VisitedCall<Place>[Key] };
type Left = { -readonly [Key in keyof Leave]: Leave[Key] };

/** What the stacks of a recording share. */
export interface StackSource<Place> {
  readonly visitor: CallVisitor<Place>;
  readonly functions: CalledFunctions;
  /** False if only exits were recorded: `tracing_thresh`; asked when there is an exit. */
  readonly hasEntries: () => boolean;
}

/** Depths that have room at first. */
const DEPTHS = 64;

/** What stands in `#words` of a depth: whether its call is known, and the words of its function's address. */
const IS_KNOWN = 0;
const LOW = 1;
const HIGH = 2;
const WORDS = 4;

/**
 * The open calls of one track, from its entry and exit records. Records may have been lost anywhere. Whatever they say, the
 * calls that visitors get are properly nested. A depth has one frame for all its calls, so that a record allocates nothing.
 */
export class TrackStack<Place> {
  readonly track: Track;
  /** What the track's records have in common, see Tracks. */
  readonly key: number;
  readonly #visitor: CallVisitor<Place>;
  readonly #functions: CalledFunctions;
  readonly #hasEntries: () => boolean;
  /** By depth. */
  readonly #frames: OpenFrame<Place>[] = [];
  /** How many depths are open; a call among them is not known if its entry was lost. */
  #depths = 0;
  #words = new Int32Array(DEPTHS * WORDS);
  /** By depth: ns of the calls that have ended there since their caller began, and the end of the last one. */
  #inside = new Float64Array(DEPTHS);
  /** -Infinity: none has ended. */
  #ended = new Float64Array(DEPTHS).fill(-Infinity);
  /** ns: the time since which every record is known. */
  #since: number;
  /** The last record's time. */
  #latest = -Infinity;
  #completed: CompletedCalls<Place> | undefined;
  /** How a call left: one object for all. */
  readonly #left: Left = { duration: 0, self: 0, call: 0, isSuspended: false, activation: undefined, value: '' };

  constructor(track: Track, key: number, { visitor, functions, hasEntries }: StackSource<Place>, since: number) {
    this.track = track;
    this.key = key;
    this.#visitor = visitor;
    this.#functions = functions;
    this.#hasEntries = hasEntries;
    this.#since = since;
  }

  /** @param at where the words of the function's address stand */
  enter(words: Uint32Array, at: number, depth: number, time: number, facts: EntryFacts): void {
    const index = this.#functions.indexAt(words, at);
    if (depth < 0 || depth > MAX_DEPTH) return;
    this.#makeRoom(depth);
    if (this.#depths > depth) this.#cut(depth, false);
    this.#push(index, words, at, depth, Math.max(time, this.#floor(depth)), facts);
    this.#latest = time;
  }

  /** @param at where the words of the function's address stand */
  leave(words: Uint32Array, at: number, depth: number, facts: ExitFacts): void {
    // The entry of most exits has named the function already.
    const index = this.#isAt(words, at, depth) ? this.#frames[depth]!.funcIndex : this.#functions.indexAt(words, at);
    if (depth < 0 || depth > MAX_DEPTH) return;
    const { returned, call } = facts;
    if (!this.#hasEntries()) {
      this.#completed ??= new CompletedCalls(this.track, this.#visitor);
      this.#completed.add(this.#functions.get(index), depth, { ...facts });
      return;
    }
    this.#makeRoom(depth);
    const inside = this.#inside[depth + 1]!;
    const isKnown = this.#isKnown(depth) && this.#frames[depth]!.funcIndex === index;
    if (!isKnown) {
      this.#cut(depth, false);
      const start = Math.max(returned - call, this.#since, this.#floor(depth));
      this.#push(index, words, at, depth, start, { isResumed: false, args: '', context: facts.context, activation: undefined });
    }
    if (this.#depths > depth + 1) this.#cut(depth + 1, false);
    const frame = this.#frames[depth]!;
    // The record of a call's entry may be some nanoseconds older than the time in its exit.
    if (isKnown && !frame.isResumed) frame.start = Math.max(frame.start, returned - call);
    const end = Math.max(returned, frame.start, this.#ended[depth + 1]!);
    const duration = end - frame.start;
    this.#depths = depth;
    this.#ended[depth] = Math.max(end, this.#ended[depth]!);
    this.#inside[depth]! += duration;
    const left = this.#left;
    left.duration = duration;
    left.self = Math.max(0, duration - inside);
    left.call = call;
    left.isSuspended = facts.isSuspended;
    left.activation = facts.activation;
    left.value = facts.value;
    this.#visitor.end(frame, left);
    this.#latest = returned;
  }

  /** Records were lost before `time`: open calls may have ended. */
  lost(time: number, count: number): void {
    this.#cut(0, false);
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

  /** @param index the function's */
  #push(index: number, words: Uint32Array, at: number, depth: number, start: number, facts: EntryFacts): void {
    const func = this.#functions.get(index);
    const frame = this.#frames[depth] ?? this.#newFrame(func, depth, start);
    frame.func = func;
    frame.funcIndex = index;
    frame.start = start;
    frame.isResumed = facts.isResumed;
    frame.args = facts.args;
    frame.context = facts.context;
    frame.activation = facts.activation;
    const known = this.#words;
    for (let lost = this.#depths; lost < depth; lost++) known[lost * WORDS + IS_KNOWN] = 0;
    known[depth * WORDS + IS_KNOWN] = 1;
    known[depth * WORDS + LOW] = words[at]!;
    known[depth * WORDS + HIGH] = words[at + 1]!;
    frame.place = this.#visitor.begin(frame, this.#caller(depth));
    this.#depths = depth + 1;
    this.#inside[depth + 1] = 0;
    this.#ended[depth + 1] = start;
  }

  /** The frame of a depth that had no call yet. */
  #newFrame(func: CalledFunction, depth: number, start: number): OpenFrame<Place> {
    const { track } = this;
    const place = undefined as Place;
    const made = {
      func,
      funcIndex: func.index,
      track,
      isResumed: false,
      depth,
      args: '',
      context: 0,
      activation: undefined,
      start,
      place,
    };
    for (let at = this.#frames.length; at < depth; at++) this.#frames.push({ ...made, depth: at });
    this.#frames.push(made);
    return made;
  }

  /** Whether the call of a depth is known, and is of the function at this address. */
  #isAt(words: Uint32Array, at: number, depth: number): boolean {
    if (!this.#isKnown(depth)) return false;
    const known = this.#words;
    const base = depth * WORDS;
    return known[base + LOW] === (words[at]! | 0) && known[base + HIGH] === (words[at + 1]! | 0);
  }

  #isKnown(depth: number): boolean {
    return depth >= 0 && depth < this.#depths && this.#words[depth * WORDS + IS_KNOWN] === 1;
  }

  /** Lets a call of this depth have callees. */
  #makeRoom(depth: number): void {
    const { length } = this.#ended;
    if (depth + 1 < length) return;
    const room = 2 * (depth + 1);
    const words = new Int32Array(room * WORDS);
    const inside = new Float64Array(room);
    const ended = new Float64Array(room).fill(-Infinity);
    words.set(this.#words);
    inside.set(this.#inside);
    ended.set(this.#ended);
    this.#words = words;
    this.#inside = inside;
    this.#ended = ended;
  }

  /** The nearest known frame below a depth. */
  #caller(depth: number): VisitedCall<Place> | undefined {
    for (let at = Math.min(depth, this.#depths) - 1; at >= 0; at--) if (this.#isKnown(at)) return this.#frames[at];
    return undefined;
  }

  /** Removes the frames from a depth on, whose ends were not recorded: they ended with the last record or before. */
  #cut(depth: number, isLast: boolean): void {
    while (this.#depths > depth) {
      const at = this.#depths - 1;
      const frame = this.#isKnown(at) ? this.#frames[at]! : undefined;
      const end = Math.max(this.#latest, frame?.start ?? -Infinity, this.#ended[at + 1]!);
      this.#depths = at;
      if (frame === undefined) continue;
      this.#ended[at] = Math.max(end, this.#ended[at]!);
      this.#visitor.unfinished?.(frame, end, isLast);
    }
  }
}
