import { AtomicsAdd as add } from '../../base/primordials.js';
import type { PointConfig, PointPlace } from '../../probes/probe-point.js';
import type { ProbeBreakpoint, ProbeBreakpoints } from '../breakpoints/probe-breakpoints.js';
import type { EventPoint, EventPointNeeds, EventProbe } from '../events/event-point.js';
import type { Undo } from '../realm/undo.js';
import { breakpointArguments, breakpointNames } from './probe-arguments.js';

/** What a probe at a breakpoint needs of its thread. */
export interface BreakpointPointNeeds extends EventPointNeeds {
  readonly breakpoints: Pick<ProbeBreakpoints, 'set' | 'whenLoaded'> | undefined;
}

/** A probe at a place inside of a function, or at an entry where it reads more than the site passes. */
export class BreakpointPoint implements EventPoint {
  readonly config: PointConfig;
  readonly args;
  readonly #place: Extract<PointPlace, { kind: 'breakpoint' }>;
  readonly #names: readonly string[];
  readonly #needs: BreakpointPointNeeds;
  #probe: EventProbe | undefined;
  #set: ProbeBreakpoint | undefined;
  /** Ends the wait for its text, which this thread has not loaded yet. */
  #waiting: Undo | undefined;

  constructor(config: PointConfig, place: Extract<PointPlace, { kind: 'breakpoint' }>, needs: BreakpointPointNeeds) {
    this.config = config;
    this.#place = place;
    this.#needs = needs;
    this.#names = breakpointNames(config);
    this.args = breakpointArguments(config, this.#names);
  }

  connect(probe: EventProbe | undefined): void {
    this.#probe = probe;
    if (probe === undefined) this.remove();
    else if (this.#set === undefined && this.#waiting === undefined) this.#begin();
  }

  remove(): void {
    this.#waiting?.();
    this.#waiting = undefined;
    this.#set?.remove();
    this.#set = undefined;
  }

  #begin(): void {
    const { n, address, functionKind, ranges, parts } = this.#place;
    const { breakpoints } = this.#needs;
    const set = breakpoints?.set({
      ...{ n, address, kind: functionKind, ranges, parts, expressions: this.#names },
      hit: (values, offset) => this.#hit(values, address + offset),
      ended: (why) => this.#ended(why),
    });
    if (typeof set === 'object') this.#set = set;
    else if (set === 'has no text with sites' && breakpoints !== undefined) {
      // Another thread has it: this one may never run it.
      this.#waiting = breakpoints.whenLoaded(address, () => {
        this.#waiting = undefined;
        if (this.#probe !== undefined && this.#set === undefined) this.#begin();
      });
    } else this.#needs.ended(this.config.event, set ?? 'has no breakpoints here');
  }

  #hit(values: readonly (() => unknown)[], address: number): void {
    const { hits } = this.config;
    if (this.#probe === undefined) return;
    if (hits >= 0) add(this.#needs.words(), hits, 1);
    this.#probe(address, undefined, values, undefined);
  }

  #ended(why: string): void {
    this.#set = undefined;
    if (this.config.missed >= 0) add(this.#needs.words(), this.config.missed, 1);
    this.#needs.ended(this.config.event, why);
  }
}
