import { TraceError } from '../../base/errno.js';
import type { Feature } from '../tracefs/feature.js';
import type { TraceDirectory, TraceFile } from '../tracefs/node.js';
import { parseUnsigned } from '../tracefs/numbers.js';
import { directory } from '../tracefs/path.js';
import { textFile } from '../tracefs/text-file.js';

/**
 * Which thread samples: a separate one, on any CPU of the machine; the program's threads, one after the other; each of the
 * program's threads.
 */
const HWLAT_MODES = ['none', 'round-robin', 'per-cpu'] as const;
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

const number = (show: () => number, store: (us: number) => void): TraceFile =>
  textFile({ mode: 0o640, show: () => `${show()}\n`, store: (text) => store(parseUnsigned(text)) });

/** hwlat_detector/: mode, width and window of the hwlat tracer. */
const hwlatDirectory = (settings: HwlatSettings): TraceDirectory =>
  directory({
    mode: textFile({
      mode: 0o640,
      show: () => `${HWLAT_MODES.map((mode) => (mode === settings.mode ? `[${mode}]` : mode)).join(' ')}\n`,
      store: (text) => settings.setMode(text.trim()),
    }),
    width: number(
      () => settings.width,
      (us) => settings.setWidth(us),
    ),
    window: number(
      () => settings.window,
      (us) => settings.setWindow(us),
    ),
  });

/** What hwlat adds to the tree. */
export const hwlatFeature: Feature<{ readonly top: { readonly latency: { readonly hwlat: HwlatSettings } } }> = {
  name: 'hwlat',
  files: ({ top }) => ({ hwlat_detector: hwlatDirectory(top.latency.hwlat) }),
  help: `
  hwlat_detector/      - how long (width) of what time (window) hwlat samples, and on which threads (mode)
`,
};
