import { fetchRoot } from '../../../probes/fetch-root.js';
import type { Fetch } from '../../../probes/probe-definition.js';
import type { PointConfig } from '../../../probes/probe-point.js';
import type { EventPoint, EventProbe } from '../events/event-point.js';
import { siteArguments } from './probe-arguments.js';

/** A probe at the sites of functions. */
export class SitePoint implements EventPoint {
  readonly config: PointConfig;
  readonly args;
  /** What records the event; absent: nobody wants it. */
  probe: EventProbe | undefined;
  /** Calls under way whose end it will hear, and those begun above maxactive, which end before them. */
  active = 0;
  skipped = 0;

  constructor(config: PointConfig) {
    this.config = config;
    this.args = siteArguments(config);
  }

  connect(probe: EventProbe | undefined): void {
    this.probe = probe;
  }
}

/** The probes of one function. */
export interface FunctionPoints {
  readonly entries: readonly SitePoint[];
  readonly returns: readonly SitePoint[];
  /** One of the returns fetches a parameter, or `this`. */
  readonly keepsCall: boolean;
}

const readsCall = (fetch: Fetch): boolean => ['argument', 'this'].includes(fetchRoot(fetch).kind);

const NONE: FunctionPoints = { entries: [], returns: [], keepsCall: false };

/** The probes at the sites of functions. */
export class FunctionPointsTable {
  /** By function number. What a call has read from here stays as it was. */
  readonly of: (FunctionPoints | undefined)[] = [];

  add(point: SitePoint): void {
    this.#change(point, (points) => [...points, point]);
  }

  remove(point: SitePoint): void {
    this.#change(point, (points) => points.filter((one) => one !== point));
  }

  #change({ config: { place } }: SitePoint, change: (points: readonly SitePoint[]) => readonly SitePoint[]): void {
    if (place.kind !== 'entry' && place.kind !== 'return') return;
    for (const n of place.functions) {
      const { entries, returns } = this.of[n] ?? NONE;
      const isEntry = place.kind === 'entry';
      this.of[n] = pointsOf(isEntry ? change(entries) : entries, isEntry ? returns : change(returns));
    }
  }
}

function pointsOf(entries: readonly SitePoint[], returns: readonly SitePoint[]): FunctionPoints | undefined {
  if (entries.length === 0 && returns.length === 0) return undefined;
  const keepsCall = returns.some(({ config }) => config.args.some(({ fetch }) => readsCall(fetch)));
  return { entries, returns, keepsCall };
}
