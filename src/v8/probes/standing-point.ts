import { AtomicsAdd as add } from '../../base/primordials.js';
import type { PointConfig } from '../../probes/probe-point.js';
import type { EventNeeds } from '../events/event-needs.js';
import type { EventPoint, EventProbe } from '../events/event-point.js';
import type { HandlerProbe } from '../scripts/thread-scripts.js';
import type { ThreadTrace } from '../tracers/thread-trace.js';
import { pointArguments } from './probe-arguments.js';
import { type PendingCall, savedFor } from './settled-calls.js';

/** What points in the text of the program need of their thread. */
export interface PointThread {
  /** Has the memory of the counts. */
  readonly trace: Pick<ThreadTrace, 'eventWords'>;
  readonly env: Pick<EventNeeds, 'isInside'>;
  /** Tells that a probe of the event is not hit, or not any more. */
  ended(event: string, why: string): void;
}

/** How points stand in the text of the program: at sites of functions, at those of statements, or at breakpoints. */
export interface PointStand {
  /** Puts a point where it is hit, if it does not stand there. */
  begin(point: StandingPoint): void;
  /** Takes a point away, if it stands there. */
  end(point: StandingPoint): void;
  /** Present: a point stands there while nobody wants its event, too, because it counts the calls that are under way. */
  readonly isKept?: true;
}

/** A probe in the text of the program, on one thread. */
export class StandingPoint implements EventPoint {
  readonly config: PointConfig;
  readonly args;
  readonly #stand: PointStand;
  readonly #trace: PointThread['trace'];
  readonly #env: PointThread['env'];
  /** What records the event, or runs a handler of a script; undefined: nobody wants it. */
  #probe: EventProbe | undefined;
  /** What the entry of a call saves for a handler of a script. */
  readonly save: HandlerProbe['save'];
  /** Whether its handler asks what has ended a call. */
  readonly hearsThrown: boolean;
  /** Calls under way whose end it will hear, and those begun above maxactive, which end before them. */
  #active = 0;
  #skipped = 0;

  /** @param handler to which it is connected, if it has one */
  constructor(config: PointConfig, stand: PointStand, { trace, env }: PointThread, handler?: HandlerProbe) {
    this.config = config;
    this.args = pointArguments(config);
    this.#stand = stand;
    this.#trace = trace;
    this.#env = env;
    this.save = handler?.save;
    this.hearsThrown = handler?.hearsThrown === true;
    if (stand.isKept) stand.begin(this);
  }

  connect(probe: EventProbe | undefined): void {
    this.#probe = probe;
    if (this.#stand.isKept) return;
    if (probe === undefined) this.#stand.end(this);
    else this.#stand.begin(this);
  }

  remove(): void {
    this.#stand.end(this);
  }

  /** Whether anybody wants its event. */
  get isWanted(): boolean {
    return this.#probe !== undefined;
  }

  /**
   * Something has come to the point.
   * @param n the function, or the address of a place inside of it
   */
  hit(n: number, self: unknown, args: readonly unknown[]): void {
    const probe = this.#probe;
    if (probe === undefined) return;
    this.#count();
    probe(n, self, args, undefined, 0);
  }

  /** A call has ended, or has settled with this status after so many nanoseconds. */
  hitAtEnd(n: number, call: PendingCall, value: unknown, status?: string, duration?: number): void {
    const probe = this.#probe;
    if (probe === undefined) return;
    this.#count();
    const saved = this.save === undefined ? undefined : savedFor(call.saved, this);
    probe(n, call.self, call.args, value, call.caller, status, duration, saved);
  }

  #count(): void {
    const { config } = this;
    // What is called while an event is being recorded is not heard, as a kprobe inside a kprobe's handler.
    if (config.hits >= 0) add(this.#trace.eventWords, this.#env.isInside ? config.missed : config.hits, 1);
  }

  /** A call begins whose end it may hear. */
  began(): void {
    const { maxactive, missed } = this.config;
    if (maxactive === 0) return;
    if (this.#active < maxactive) this.#active++;
    else {
      this.#skipped++;
      if (missed >= 0) add(this.#trace.eventWords, missed, 1);
    }
  }

  /** Whether the end of a call is heard. */
  ends(): boolean {
    if (this.#skipped > 0) {
      this.#skipped--;
      return false;
    }
    if (this.#active > 0) this.#active--;
    return true;
  }
}
