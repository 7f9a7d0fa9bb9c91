import { fetchRoot } from '../../probes/fetch-root.js';
import type { Fetch } from '../../probes/probe-definition.js';
import { isAtSites, type PointConfig } from '../../probes/probe-point.js';
import type { EventPoint, EventProbe } from '../events/event-point.js';
import type { HandlerProbe } from '../scripts/thread-scripts.js';
import { siteArguments } from './probe-arguments.js';
import type { SettledCalls } from './settled-calls.js';

/** What a probe at sites needs of its thread. */
export interface SiteNeeds {
  readonly functions: FunctionPointsTable;
  readonly settled: SettledCalls<SitePoint>;
}

/** A probe at the sites of functions. */
export class SitePoint implements EventPoint {
  readonly config: PointConfig;
  readonly args;
  readonly #needs: SiteNeeds;
  /** What records the event; absent: nobody wants it. */
  probe: EventProbe | undefined;
  /** What the entry of a call saves for a handler of a script. */
  readonly save: HandlerProbe['save'];
  /** Calls under way whose end it will hear, and those begun above maxactive, which end before them. */
  active = 0;
  skipped = 0;

  /** @param handler what it calls, if that is a handler of a script */
  constructor(config: PointConfig, needs: SiteNeeds, handler?: HandlerProbe) {
    this.config = config;
    this.probe = handler?.probe;
    this.save = handler?.save;
    this.args = siteArguments(config);
    this.#needs = needs;
    needs.functions.add(this);
    if (config.place.kind === 'settled') needs.settled.add(this);
  }

  connect(probe: EventProbe | undefined): void {
    this.probe = probe;
  }

  remove(): void {
    this.#needs.functions.remove(this);
    this.#needs.settled.remove(this);
  }
}

/** The probes of one function. */
export interface FunctionPoints {
  readonly entries: readonly SitePoint[];
  readonly returns: readonly SitePoint[];
  readonly settles: readonly SitePoint[];
  /** Whether its calls are heard when they end. */
  readonly hearsEnd: boolean;
  /** One of those that come later fetches a parameter, or `this`. */
  readonly keepsArguments: boolean;
  /** One of those that come later records who called. */
  readonly keepsCaller: boolean;
  /** Those for which something is saved. */
  readonly saving: readonly SitePoint[];
}

const LISTS = { entry: 'entries', return: 'returns', settled: 'settles' } as const;

const readsCall = (fetch: Fetch): boolean => ['argument', 'this'].includes(fetchRoot(fetch).kind);

const NONE: Pick<FunctionPoints, (typeof LISTS)[keyof typeof LISTS]> = { entries: [], returns: [], settles: [] };

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
    if (!isAtSites(place)) return;
    const list = LISTS[place.kind];
    for (const n of place.functions) {
      const { entries, returns, settles } = this.of[n] ?? NONE;
      const points = { entries, returns, settles };
      this.of[n] = pointsOf({ ...points, [list]: change(points[list]) });
    }
  }
}

function pointsOf(points: typeof NONE): FunctionPoints | undefined {
  const { entries, returns, settles } = points;
  const hearsEnd = returns.length + settles.length > 0;
  if (entries.length === 0 && !hearsEnd) return undefined;
  const later = [...returns, ...settles];
  const keepsArguments = later.some(({ config }) => config.args.some(({ fetch }) => readsCall(fetch)));
  const keepsCaller = later.some(({ config }) => config.handler === undefined);
  return { ...points, hearsEnd, keepsArguments, keepsCaller, saving: later.filter(({ save }) => save !== undefined) };
}
