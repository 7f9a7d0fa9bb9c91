import type { PointConfig } from '../../probes/probe-point.js';
import type { Kprobe } from '../ftrace/process-kprobes.js';

/** A probe that stands in several places, because its function was inlined into others. */
export class CopiedProbe implements Kprobe {
  readonly needsSymbols: boolean;
  readonly #parts: readonly Kprobe[];

  constructor(parts: readonly Kprobe[]) {
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
