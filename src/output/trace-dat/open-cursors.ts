import { CountedTimes } from './count-conversion.js';
import { CpuCursor } from './cpu-cursor.js';
import type { OpenTraceDat } from './open.js';
import { type PageSource, pageSource } from './page-source.js';
import type { RecordedBuffer } from './trace-dat-file.js';

/** Bytes of sub-buffers in memory for all CPUs together; each has at least two sub-buffers. */
const WINDOW_BYTES = 4 << 20;

/** The CPUs of a buffer that hold events, ready to be walked. */
export class OpenCursors {
  readonly cursors: readonly CpuCursor[];
  readonly #sources: readonly PageSource[];

  /** @param cpus only these when given; @param origin nanoseconds from which times count, see PageCursor.origin */
  constructor(dat: OpenTraceDat, buffer: RecordedBuffer, cpus: ReadonlySet<number> | undefined, origin: number) {
    const wanted = buffer.cpus.filter(({ cpu, size }) => size > 0 && (cpus === undefined || cpus.has(cpu)));
    const window = Math.min(WINDOW_BYTES / 8, Math.floor(WINDOW_BYTES / 2 / Math.max(1, wanted.length)));
    this.#sources = wanted.map((extent) => pageSource(dat.file, buffer, extent));
    this.cursors = wanted.map(({ cpu }, i) => {
      const times = buffer.conversion === undefined ? origin : new CountedTimes(buffer.conversion, origin);
      return new CpuCursor(cpu, this.#sources[i]!, buffer.subbufBytes, window, times);
    });
  }

  /** Errors in the data that were read. */
  warnings(): string[] {
    const warnings = this.cursors.flatMap(({ cpu, damage }) =>
      damage === undefined ? [] : [`CPU ${cpu}: ${damage}; the rest of it is left out`],
    );
    const missing = this.#sources.reduce((sum, source) => sum + source.missingBytes, 0);
    if (missing > 0) warnings.push(`the file is cut: ${missing} bytes of events are missing at its end`);
    return warnings;
  }
}
