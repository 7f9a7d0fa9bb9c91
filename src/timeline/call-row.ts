import { doubled } from '../base/doubled.js';
import { lastAtOrBefore } from '../base/last-at-or-before.js';
import { CALL_FLAGS } from './columns-format.js';

const FIRST_SIZE = 64;
/** No call, and no text. */
export const NONE = -1;

const float64 = (size: number): Float64Array<ArrayBuffer> => new Float64Array(size);
const int32 = (size: number): Int32Array<ArrayBuffer> => new Int32Array(size);
const uint8 = (size: number): Uint8Array<ArrayBuffer> => new Uint8Array(size);

/** The calls at one depth of a track, in the order of time: none begins before the one before it has ended. Times are ns. */
export class CallRow {
  readonly depth: number;
  count = 0;
  starts = float64(FIRST_SIZE);
  durations = float64(FIRST_SIZE);
  /** The time of the callees. */
  insides = float64(FIRST_SIZE);
  functions = int32(FIRST_SIZE);
  /** The index of the caller in the row of the depth below; NONE: it is not there. */
  callers = int32(FIRST_SIZE).fill(NONE);
  flags = uint8(FIRST_SIZE);
  /** From call to return; absent as long as it is the duration of all. */
  calls: Float64Array<ArrayBuffer> | undefined;
  /** Numbers of texts; absent as long as there is none. */
  arguments: Int32Array<ArrayBuffer> | undefined;
  results: Int32Array<ArrayBuffer> | undefined;
  /** What the parts of a coroutine's call have in common; absent as long as there is none. */
  activations: Float64Array<ArrayBuffer> | undefined;
  /** The first call whose caller is still open. */
  #open = 0;

  constructor(depth: number) {
    this.depth = depth;
  }

  /** Adds a call behind the others; returns its index. */
  add(start: number, duration: number, inside: number, func: number, flags: number): number {
    const at = this.count++;
    if (at === this.starts.length) this.#grow();
    this.starts[at] = start;
    this.durations[at] = duration;
    this.insides[at] = inside;
    this.functions[at] = func;
    this.flags[at] = flags;
    if (this.calls !== undefined) this.calls[at] = duration;
    return at;
  }

  /** Says how long a call took from call to return. */
  setCall(at: number, time: number): void {
    this.calls ??= this.durations.slice();
    this.calls[at] = time;
  }

  setArguments(at: number, text: number): void {
    this.arguments ??= int32(this.starts.length).fill(NONE);
    this.arguments[at] = text;
  }

  setResult(at: number, text: number): void {
    this.results ??= int32(this.starts.length).fill(NONE);
    this.results[at] = text;
  }

  setActivation(at: number, number: number): void {
    this.activations ??= float64(this.starts.length).fill(NONE);
    this.activations[at] = number;
  }

  /** Gives its calls to a caller that has ended: those that began with it or later. */
  adopt(caller: number, start: number): void {
    const { callers, starts, count } = this;
    for (let at = count - 1; at >= this.#open && starts[at]! >= start; at--) callers[at] = caller;
    this.#open = count;
  }

  end(at: number): number {
    return this.starts[at]! + this.durations[at]!;
  }

  self(at: number): number {
    return Math.max(0, this.durations[at]! - this.insides[at]!);
  }

  /** From call to return, with the waits of a coroutine. */
  callTime(at: number): number {
    return this.calls === undefined ? this.durations[at]! : this.calls[at]!;
  }

  isSuspended(at: number): boolean {
    return (this.flags[at]! & CALL_FLAGS.suspended) !== 0;
  }

  /** The first call that ends behind a time, from an index on; `count` if there is none. Near ones are found faster. */
  firstEndingAfter(time: number, from = 0): number {
    let step = 1;
    let low = from;
    let high = from;
    while (high < this.count && this.starts[high]! + this.durations[high]! <= time) {
      low = high + 1;
      high += step;
      step *= 2;
    }
    high = Math.min(high, this.count);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.starts[middle]! + this.durations[middle]! <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The calls that run in a range of time, one of no time at its first moment too: the first, and the one behind the last. */
  between(from: number, to: number): readonly [first: number, end: number] {
    let first = this.firstEndingAfter(from);
    while (first > 0 && this.starts[first - 1] === from && this.durations[first - 1] === 0) first--;
    const end = lastAtOrBefore(this.starts.subarray(0, this.count), to) + 1;
    return [first, Math.max(first, end)];
  }

  /** The call that runs at a time; NONE if there is none. */
  at(time: number): number {
    const at = this.firstEndingAfter(time);
    return at < this.count && this.starts[at]! <= time ? at : NONE;
  }

  #grow(): void {
    this.starts = doubled(this.starts);
    this.durations = doubled(this.durations);
    this.insides = doubled(this.insides);
    this.functions = doubled(this.functions);
    const { count } = this;
    this.callers = doubled(this.callers).fill(NONE, count - 1);
    this.flags = doubled(this.flags);
    this.calls &&= doubled(this.calls);
    this.arguments &&= doubled(this.arguments).fill(NONE, count - 1);
    this.results &&= doubled(this.results).fill(NONE, count - 1);
    this.activations &&= doubled(this.activations).fill(NONE, count - 1);
  }
}
