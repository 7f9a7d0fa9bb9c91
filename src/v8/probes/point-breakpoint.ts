import { AtomicsAdd as add } from '../../base/primordials.js';
import type { PointPlace } from '../../probes/probe-point.js';
import type { ProbeBreakpoint, ProbeBreakpoints } from '../breakpoints/probe-breakpoints.js';
import type { Undo } from '../realm/undo.js';
import { breakpointNames } from './probe-arguments.js';
import type { PointStand, PointThread, StandingPoint } from './standing-point.js';

/** A point at a place inside of a function, or at an entry where it reads more than the site passes. */
export class PointBreakpoint implements PointStand {
  readonly #place: Extract<PointPlace, { kind: 'breakpoint' }>;
  readonly #breakpoints: Pick<ProbeBreakpoints, 'set' | 'whenLoaded'> | undefined;
  readonly #thread: PointThread;
  #set: ProbeBreakpoint | undefined;
  /** Ends the wait for its text, which this thread has not loaded yet. */
  #waiting: Undo | undefined;

  constructor(
    place: Extract<PointPlace, { kind: 'breakpoint' }>,
    breakpoints: Pick<ProbeBreakpoints, 'set' | 'whenLoaded'> | undefined,
    thread: PointThread,
  ) {
    this.#place = place;
    this.#breakpoints = breakpoints;
    this.#thread = thread;
  }

  begin(point: StandingPoint): void {
    if (this.#set !== undefined || this.#waiting !== undefined) return;
    const { n, address, functionKind, ranges, parts } = this.#place;
    const { event, missed } = point.config;
    const set = this.#breakpoints?.set({
      ...{ n, address, kind: functionKind, ranges, parts, expressions: breakpointNames(point.config) },
      hit: (values, offset) => point.hit(address + offset, undefined, values),
      ended: (why) => {
        this.#set = undefined;
        if (missed >= 0) add(this.#thread.trace.eventWords, missed, 1);
        this.#thread.ended(event, why);
      },
    });
    if (typeof set === 'object') this.#set = set;
    else if (set === 'has no text with sites' && this.#breakpoints !== undefined) {
      // Another thread has it: this one may never run it.
      this.#waiting = this.#breakpoints.whenLoaded(address, () => {
        this.#waiting = undefined;
        if (point.isWanted && this.#set === undefined) this.begin(point);
      });
    } else this.#thread.ended(event, set ?? 'has no breakpoints here');
  }

  end(): void {
    this.#waiting?.();
    this.#waiting = undefined;
    this.#set?.remove();
    this.#set = undefined;
  }
}
