import { TraceError } from '../../base/errno.js';

/**
 * Which thread samples: a separate one, on any CPU of the machine; the program's threads, one after the other; each of the
 * program's threads.
 */
export const HWLAT_MODES = ['none', 'round-robin', 'per-cpu'] as const;
/** One of hwlat_detector/mode. */
export type HwlatMode = (typeof HWLAT_MODES)[number];

/**
 * The files of hwlat_detector/: for how long the hwlat tracer samples (width) in each period (window), in microseconds, and on
 * which threads.
 */
export class HwlatSettings {
  #window = 1_000_000;
  #width = 500_000;
  #mode: HwlatMode = 'round-robin';
  readonly #changed: () => void;

  /** @param changed called after each change */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get window(): number {
    return this.#window;
  }

  get width(): number {
    return this.#width;
  }

  get mode(): HwlatMode {
    return this.#mode;
  }

  /** @throws TraceError EINVAL when it is less than the width */
  setWindow(us: number): void {
    if (us < this.#width) throw new TraceError('EINVAL', `the window must hold the width of ${this.#width} us`);
    this.#window = us;
    this.#changed();
  }

  /** @throws TraceError EINVAL when it is more than the window */
  setWidth(us: number): void {
    if (us > this.#window) throw new TraceError('EINVAL', `the width must fit into the window of ${this.#window} us`);
    this.#width = us;
    this.#changed();
  }

  /** @throws TraceError EINVAL for an unknown mode */
  setMode(word: string): void {
    const mode = HWLAT_MODES.find((known) => known === word);
    if (mode === undefined) throw new TraceError('EINVAL', `must be one of ${HWLAT_MODES.join(', ')}`);
    this.#mode = mode;
    this.#changed();
  }
}
