import { TraceError } from '../base/errno.js';

/**
 * Who samples: a thread of its own that the machine puts where it likes; one of the program's threads after the other; each
 * of them.
 */
export const HWLAT_MODES = ['none', 'round-robin', 'per-cpu'] as const;
/** One of hwlat_detector/mode. */
export type HwlatMode = (typeof HWLAT_MODES)[number];

/** The files of hwlat_detector/: how long the hwlat tracer samples (width) of what time (window), in microseconds, and where. */
export class HwlatSettings {
  #window = 1_000_000;
  #width = 500_000;
  #mode: HwlatMode = 'round-robin';
  readonly #changed: () => void;

  /** @param changed told of each change */
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

  /** @throws TraceError EINVAL for a mode that there is not */
  setMode(word: string): void {
    const mode = HWLAT_MODES.find((known) => known === word);
    if (mode === undefined) throw new TraceError('EINVAL', `must be one of ${HWLAT_MODES.join(', ')}`);
    this.#mode = mode;
    this.#changed();
  }
}
