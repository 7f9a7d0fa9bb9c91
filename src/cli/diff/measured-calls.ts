import type { Frame } from '../../answers/place.js';
import { DurationBatches } from '../../base/duration-batches.js';
import { DurationHistogram } from '../../base/duration-histogram.js';
import type { Call, CallVisitor, Leave, VisitedCall } from '../../output/trace-dat/calls/call-visitor.js';
import type { CalledFunction } from '../../output/trace-dat/calls/called-functions.js';
import type { MeasuredFunction } from '../../timeline/compare.js';

/** What is measured of a function's calls. Times are ns. */
class Measured implements MeasuredFunction {
  readonly name: string;
  readonly place?: NonNullable<Frame['place']>;
  readonly package?: string;
  readonly isOwn: boolean;
  calls = 0;
  total = 0;
  running = 0;
  self = 0;
  readonly times = new DurationHistogram();
  readonly callBatches = new DurationBatches();
  readonly ownBatches = new DurationBatches();
  readonly callees = new Map<Measured, number>();
  /** By track: how many calls are open. */
  readonly open: number[] = [];
  /** The places of its calls, so that a call needs no object of its own. */
  readonly outermost: Place = { of: this, isOutermost: true };
  readonly inner: Place = { of: this, isOutermost: false };

  constructor({ symbol, place, module, isOwn }: CalledFunction) {
    this.name = symbol;
    if (place !== undefined) this.place = place;
    if (module !== '') this.package = module;
    this.isOwn = isOwn;
  }
}

/** An open call's function, and whether that was not open on the track already. */
interface Place {
  readonly of: Measured;
  readonly isOutermost: boolean;
}

/**
 * Measures the calls of each function so that two recordings can be compared: as `report --profile` adds them up, and their times
 * in the order in which they came. Memory does not grow with the number of calls.
 */
export class MeasuredCalls implements CallVisitor<Place> {
  /** By the function's index. */
  readonly #functions: Measured[] = [];

  begin({ func, track, isResumed }: Call, parent: VisitedCall<Place> | undefined): Place {
    const of = this.#of(func);
    const open = of.open[track.index] ?? 0;
    of.open[track.index] = open + 1;
    if (parent !== undefined && !isResumed) {
      const { callees } = parent.place.of;
      callees.set(of, (callees.get(of) ?? 0) + 1);
    }
    return open === 0 ? of.outermost : of.inner;
  }

  end({ place: { of, isOutermost }, track }: VisitedCall<Place>, { call, self, duration, isSuspended }: Leave): void {
    of.open[track.index]!--;
    of.self += self;
    of.ownBatches.add(self);
    if (isOutermost) of.running += duration;
    if (isSuspended) return;
    of.calls++;
    of.times.add(call);
    of.callBatches.add(call);
    if (isOutermost) of.total += call;
  }

  unfinished({ place, track }: VisitedCall<Place>): void {
    place.of.open[track.index]!--;
  }

  hit(func: CalledFunction): void {
    this.#of(func).calls++;
  }

  /** The functions that were called. */
  functions(): readonly MeasuredFunction[] {
    return this.#functions.filter((one) => one !== undefined && (one.calls > 0 || one.self > 0));
  }

  #of(func: CalledFunction): Measured {
    return (this.#functions[func.index] ??= new Measured(func));
  }
}
