import { SafeSet } from '../../base/safe-map.js';
import type { ProbedFunction } from '../../port/port.js';
import { SafeMap } from '../realm/primordials.js';
import type { BreakpointRequest } from './breakpoint-request.js';
import type { HitValues } from './hit-values.js';
import type { ProbedText, Where } from './probed-text.js';

export interface SpotProbe {
  readonly request: BreakpointRequest;
  /** Places of its names in those of the spot. */
  values: readonly (() => unknown)[];
}

/** A place with its probes: V8 allows one breakpoint of a session at a place. */
export interface Spot {
  readonly id: number;
  readonly text: ProbedText;
  readonly function: ProbedFunction;
  readonly where: Where;
  readonly key: string;
  offset: number;
  readonly probes: SpotProbe[];
  readonly breakpoints: string[];
  condition: string;
  values: HitValues;
}

/** What tells the places of requests apart. */
export const keyOf = ({ n, address, ranges, parts, isCatch }: BreakpointRequest): string =>
  JSON.stringify([n, address, ranges, parts, isCatch]);

/** The spots of a thread: each is found by its number, by its key, and by its text. */
export class Spots {
  readonly #byId = new SafeMap<number, Spot>();
  readonly #byKey = new SafeMap<string, Spot>();
  readonly #byText = new SafeMap<ProbedText, Set<Spot>>();

  get size(): number {
    return this.#byId.size;
  }

  get(id: number): Spot | undefined {
    return this.#byId.get(id);
  }

  find(key: string): Spot | undefined {
    return this.#byKey.get(key);
  }

  /** Spots of the texts that `isWanted`, which is asked once for each text. */
  ofTexts(isWanted: (text: ProbedText) => boolean): readonly Spot[] {
    const found: Spot[] = [];
    this.#byText.forEach((spots, text) => {
      if (isWanted(text)) found.push(...spots);
    });
    return found;
  }

  add(spot: Spot): void {
    this.#byId.set(spot.id, spot);
    this.#byKey.set(spot.key, spot);
    const ofText = this.#byText.get(spot.text);
    if (ofText === undefined) this.#byText.set(spot.text, new SafeSet([spot]));
    else ofText.add(spot);
  }

  delete({ id, key, text }: Spot): void {
    const spot = this.#byId.get(id);
    if (spot === undefined) return;
    this.#byId.delete(id);
    this.#byKey.delete(key);
    const ofText = this.#byText.get(text);
    ofText?.delete(spot);
    if (ofText?.size === 0) this.#byText.delete(text);
  }

  clear(): void {
    this.#byId.clear();
    this.#byKey.clear();
    this.#byText.clear();
  }
}
