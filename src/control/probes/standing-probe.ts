import { needsSymbols, type ProbeDefinition } from '../../probes/probe-definition.js';
import { isAtSites, type PointConfig } from '../../probes/probe-point.js';
import type { PlacedKprobe } from '../ftrace/process-kprobes.js';
import type { ProbeStand } from './probe-stand.js';

/** What all points of a probe have. */
export interface ProbeCommon extends Pick<PointConfig, 'event' | 'hits' | 'missed'> {
  readonly takeId: () => number;
}

/** The stands of a probe. */
export interface ProbeStands {
  /** The stands that there are now, each by what tells it from the others. */
  all(): ReadonlyMap<unknown, ProbeStand>;
  /**
   * Takes functions that were linked; returns whether there are more stands, or more functions at one. Absent: there never are.
   */
  link?(linked: readonly number[]): boolean;
}

/** The stands of a probe whose places are all known. */
export const fixedStands = (stands: readonly ProbeStand[]): ProbeStands => {
  const all = new Map(stands.entries());
  return { all: () => all };
};

/** A probe of the process: each of its stands is a point that the threads are told of. */
export class StandingProbe implements PlacedKprobe {
  readonly #common: ProbeCommon;
  readonly #maxactive: number;
  readonly #stands: ProbeStands;
  readonly #ids = new Map<unknown, number>();

  readonly needsSymbols: boolean;
  readonly mayGrow: boolean;

  constructor(common: ProbeCommon, definition: ProbeDefinition, stands: ProbeStands) {
    this.#common = common;
    this.#maxactive = definition.maxactive;
    this.needsSymbols = needsSymbols(definition);
    this.#stands = stands;
    this.mayGrow = stands.link !== undefined;
  }

  points(): readonly PointConfig[] {
    const { takeId: _takeId, ...common } = this.#common;
    return Array.from(this.#stands.all(), ([key, { place, args }]) => ({
      id: this.#idOf(key),
      ...common,
      place,
      args,
      maxactive: isAtSites(place) ? this.#maxactive : 0,
    }));
  }

  link(linked: readonly number[]): boolean {
    return this.#stands.link?.(linked) ?? false;
  }

  #idOf(key: unknown): number {
    let id = this.#ids.get(key);
    if (id === undefined) {
      id = this.#common.takeId();
      this.#ids.set(key, id);
    }
    return id;
  }
}
