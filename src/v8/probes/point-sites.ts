import { fetchRoot } from '../../probes/fetch-root.js';
import type { Fetch } from '../../probes/probe-definition.js';
import { isAtSites } from '../../probes/probe-point.js';
import type { SettledCalls } from './settled-calls.js';
import type { PointStand, StandingPoint } from './standing-point.js';

/** The points of one function. */
export interface FunctionPoints {
  readonly entries: readonly StandingPoint[];
  readonly returns: readonly StandingPoint[];
  readonly settles: readonly StandingPoint[];
  /** Whether its calls are heard when they end. */
  readonly hearsEnd: boolean;
  /** One of those that come later fetches a parameter, or `this`. */
  readonly keepsArguments: boolean;
  /** One of those that come later records who called. */
  readonly keepsCaller: boolean;
  /** Points for which the entry of a call saves something. */
  readonly saving: readonly StandingPoint[];
  /** Something of a call is kept until its end. */
  readonly keepsCall: boolean;
}

const LISTS = { entry: 'entries', return: 'returns', settled: 'settles' } as const;

const readsCall = (fetch: Fetch): boolean => ['argument', 'this'].includes(fetchRoot(fetch).kind);

const NONE: Pick<FunctionPoints, (typeof LISTS)[keyof typeof LISTS]> = { entries: [], returns: [], settles: [] };

/** Points at the sites of functions, and where the promises that they return settle. */
export class PointSites implements PointStand {
  readonly isKept = true;
  /** By function number. What a call has read from here stays as it was. */
  readonly of: (FunctionPoints | undefined)[] = [];
  readonly #settled: Pick<SettledCalls<StandingPoint>, 'add' | 'remove'>;

  constructor(settled: Pick<SettledCalls<StandingPoint>, 'add' | 'remove'>) {
    this.#settled = settled;
  }

  begin(point: StandingPoint): void {
    this.#change(point, (points) => [...points, point]);
    const { kind } = point.config.place;
    if (kind === 'settled' || (kind === 'return' && point.hearsThrown)) this.#settled.add(point);
  }

  end(point: StandingPoint): void {
    this.#change(point, (points) => points.filter((one) => one !== point));
    this.#settled.remove(point);
  }

  #change({ config: { place } }: StandingPoint, change: (points: readonly StandingPoint[]) => readonly StandingPoint[]): void {
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
  const keepsArguments = later.some(
    ({ config: { args, handler } }) => handler?.readsParameters || args.some(({ fetch }) => readsCall(fetch)),
  );
  const keepsCaller = later.some(({ config }) => config.handler === undefined);
  const saving = later.filter(({ save }) => save !== undefined);
  const keepsCall = keepsArguments || keepsCaller || saving.length + settles.length > 0 || returns.some((one) => one.hearsThrown);
  return { ...points, hearsEnd, keepsArguments, keepsCaller, saving, keepsCall };
}
