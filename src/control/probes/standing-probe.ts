import { needsSymbols, type ProbeDefinition } from '../../probes/probe-definition.js';
import { isAtSites, type PointConfig } from '../../probes/probe-point.js';
import type { PlacedKprobe } from '../ftrace/process-kprobes.js';
import type { ProbeStands } from './probe-stands.js';

/** What all points of a probe have. */
export interface ProbeCommon extends Pick<PointConfig, 'event' | 'hits' | 'missed'> {
  readonly takeId: () => number;
}

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
