import type { PointConfig } from '../../probes/probe-point.js';
import type { PlacedKprobe } from '../ftrace/process-kprobes.js';

/** A probe that stands in several places, because its function was inlined into others. */
export class CopiedProbe implements PlacedKprobe {
  readonly needsSymbols: boolean;
  readonly #parts: readonly PlacedKprobe[];

  constructor(parts: readonly PlacedKprobe[]) {
    this.#parts = parts;
    this.needsSymbols = parts.some((part) => part.needsSymbols);
  }

  points(): readonly PointConfig[] {
    return this.#parts.flatMap((part) => part.points());
  }

  link(linked: readonly number[]): boolean {
    return this.#parts.filter((part) => part.link?.(linked) === true).length > 0;
  }
}
