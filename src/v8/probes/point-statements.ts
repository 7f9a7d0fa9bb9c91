import type { PointPlace } from '../../probes/probe-point.js';
import { SafeMap } from '../realm/primordials.js';
import type { PointStand, PointThread, StandingPoint } from './standing-point.js';
import type { StatementCalls, StatementListener } from './statement-calls.js';

/** The points of a function, by the numbers of its statements. */
interface FunctionStatements {
  readonly points: (readonly StandingPoint[] | undefined)[];
  readonly listener: StatementListener;
}

/** Points at the sites of statements. */
export class PointStatements implements PointStand {
  readonly #calls: StatementCalls;
  readonly #ended: PointThread['ended'];
  readonly #functions = new SafeMap<number, FunctionStatements>();

  constructor(calls: StatementCalls, { ended }: PointThread) {
    this.#calls = calls;
    this.#ended = ended;
  }

  begin(point: StandingPoint): void {
    const { n, index } = placeOf(point);
    let known = this.#functions.get(n);
    if (known === undefined) {
      known = { points: [], listener: this.#listenerOf(n) };
      if (!this.#calls.add(n, known.listener)) {
        this.#ended(point.config.event, 'has no sites at statements here');
        return;
      }
      this.#functions.set(n, known);
    }
    const before = known.points[index] ?? [];
    // What a hit has read stays as it was.
    if (!before.includes(point)) known.points[index] = [...before, point];
  }

  end(point: StandingPoint): void {
    const { n, index } = placeOf(point);
    const known = this.#functions.get(n);
    const left = known?.points[index]?.filter((one) => one !== point);
    if (known === undefined || left === undefined) return;
    known.points[index] = left.length === 0 ? undefined : left;
    if (known.points.some((points) => points !== undefined)) return;
    this.#functions.delete(n);
    this.#calls.remove(n, known.listener);
  }

  #listenerOf(n: number): StatementListener {
    return (index, values) => {
      const points = this.#functions.get(n)?.points[index];
      if (points === undefined) return;
      for (let i = 0; i < points.length; i++) points[i]!.hit(placeOf(points[i]!).address, undefined, values);
    };
  }
}

const placeOf = ({ config: { place } }: StandingPoint) => place as Extract<PointPlace, { kind: 'statement' }>;
