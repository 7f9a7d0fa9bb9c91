import type { TraceDirectory, TraceFile } from '../tracefs/node.js';
import { parseUnsigned } from '../tracefs/numbers.js';
import { directory } from '../tracefs/path.js';
import { textFile } from '../tracefs/text-file.js';
import { HWLAT_MODES, type HwlatSettings } from './hwlat-settings.js';

const number = (show: () => number, store: (us: number) => void): TraceFile =>
  textFile({ mode: 0o640, show: () => `${show()}\n`, store: (text) => store(parseUnsigned(text)) });

/** hwlat_detector/: mode, width and window of the hwlat tracer. */
export const hwlatDirectory = (settings: HwlatSettings): TraceDirectory =>
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
