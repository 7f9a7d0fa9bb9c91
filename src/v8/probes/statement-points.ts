import { AtomicsAdd as add } from '../../base/primordials.js';
import type { PointConfig, PointPlace } from '../../probes/probe-point.js';
import type { EventNeeds } from '../events/event-needs.js';
import type { EventPoint, EventPointNeeds, EventProbe } from '../events/event-point.js';
import { SafeMap } from '../realm/primordials.js';
import { siteArguments } from './probe-arguments.js';
import type { StatementCalls, StatementListener } from './statement-calls.js';

type StatementPlace = Extract<PointPlace, { kind: 'statement' }>;

/** What probes at statements need of their thread. */
export interface StatementNeeds extends EventPointNeeds {
  readonly calls: StatementCalls;
  readonly env: EventNeeds;
}

/** A probe at the site of a statement. */
export class StatementPoint implements EventPoint {
  readonly config: PointConfig;
  readonly place: StatementPlace;
  readonly args;
  readonly #points: StatementPoints;
  probe: EventProbe | undefined;

  constructor(config: PointConfig, place: StatementPlace, points: StatementPoints) {
    this.config = config;
    this.place = place;
    this.args = siteArguments(config);
    this.#points = points;
  }

  connect(probe: EventProbe | undefined): void {
    const isNew = this.probe === undefined && probe !== undefined;
    this.probe = probe;
    if (isNew) this.#points.add(this);
    if (probe === undefined) this.#points.remove(this);
  }

  remove(): void {
    this.connect(undefined);
  }
}

/** The probes of a function, by the numbers of its statements. */
interface FunctionStatements {
  readonly points: (readonly StatementPoint[] | undefined)[];
  /** How many there are. */
  count: number;
  readonly listener: StatementListener;
}

/** The probes at the sites of statements, on one thread. */
export class StatementPoints {
  readonly #needs: StatementNeeds;
  readonly #functions = new SafeMap<number, FunctionStatements>();

  constructor(needs: StatementNeeds) {
    this.#needs = needs;
  }

  add(point: StatementPoint): void {
    const { n } = point.place;
    const known = this.#functions.get(n);
    const one = known ?? { points: [], count: 0, listener: this.#listenerOf(n) };
    one.count += change(one.points, point, (ofStatement) => [...ofStatement, point]);
    this.#functions.set(n, one);
    if (known !== undefined || this.#needs.calls.add(n, one.listener)) return;
    this.#functions.delete(n);
    this.#needs.ended(point.config.event, 'has no sites at statements here');
  }

  remove(point: StatementPoint): void {
    const { n } = point.place;
    const known = this.#functions.get(n);
    if (known === undefined) return;
    known.count += change(known.points, point, (ofStatement) => ofStatement.filter((one) => one !== point));
    if (known.count > 0) return;
    this.#functions.delete(n);
    this.#needs.calls.remove(n, known.listener);
  }

  #listenerOf(n: number): StatementListener {
    return (index, values) => {
      const points = this.#functions.get(n)?.points[index];
      if (points !== undefined) this.#hit(points, values);
    };
  }

  #hit(points: readonly StatementPoint[], values: readonly unknown[]): void {
    for (let i = 0; i < points.length; i++) {
      const { probe, config, place } = points[i]!;
      if (probe === undefined) continue;
      if (config.hits >= 0) add(this.#needs.words(), this.#needs.env.isInside ? config.missed : config.hits, 1);
      probe(place.address, undefined, values, undefined);
    }
  }
}

/** Gives the statement of a point other points: what a hit has read stays as it was. Returns how many more there are. */
function change(
  statements: FunctionStatements['points'],
  { place }: StatementPoint,
  changed: (points: readonly StatementPoint[]) => readonly StatementPoint[],
): number {
  const before = statements[place.index] ?? [];
  const points = changed(before);
  statements[place.index] = points.length === 0 ? undefined : points;
  return points.length - before.length;
}
