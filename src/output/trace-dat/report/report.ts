import { RecordMerge } from '../../record-merge.js';
import { TracePrinter } from '../../trace-printer.js';
import { nsOfCount } from '../count-conversion.js';
import { OPTION } from '../format.js';
import { type OpenTraceDat, openTraceDat } from '../open.js';
import { OpenCursors } from '../open-cursors.js';
import { pageSource } from '../page-source.js';
import type { RecordedBuffer } from '../trace-dat-file.js';
import { bufferLabels, type PrintedBuffer, printLines } from './lines.js';
import { recordedView, type ShownTimes } from './recorded-view.js';
import type { ReportOptions, ReportResult, ReportSink } from './report-options.js';

/**
 * Prints the events of a trace.dat (fentry's or trace-cmd's, version 6 or 7) as `trace-cmd report` does, in the order of time,
 * to `sink`. Memory does not grow with the file. Throws TraceDatError for a file that cannot be read; the readable part of a
 * damaged or truncated one is printed, and `warnings` says what is missing.
 */
export function report(path: string, options: ReportOptions, sink: ReportSink): ReportResult {
  const dat = openTraceDat(path);
  try {
    return new Report(dat, options, sink).run();
  } finally {
    dat.file.close();
  }
}

class Report {
  readonly #dat: OpenTraceDat;
  readonly #options: ReportOptions;
  readonly #sink: ReportSink;
  readonly #warnings: string[];

  constructor(dat: OpenTraceDat, options: ReportOptions, sink: ReportSink) {
    this.#dat = dat;
    this.#options = options;
    this.#sink = sink;
    this.#warnings = [...dat.warnings];
  }

  run(): ReportResult {
    const [top] = this.#dat.buffers;
    if (top === undefined) throw this.#dat.file.error(undefined, 'holds no buffer of events');
    const times = timesOf(top.clock, this.#firstTime(), this.#timeOffset());
    const open = this.#dat.buffers.map((buffer) => new OpenCursors(this.#dat, buffer, this.#options.cpus, times.origin));
    const labels = bufferLabels(this.#dat.buffers.map(({ name }) => name));
    const buffers = open.map(({ cursors }, i): PrintedBuffer => ({ merge: new RecordMerge(cursors), label: labels[i]! }));
    const printer = new TracePrinter(recordedView(this.#dat, this.#options, times), { annotate: false });
    const events = printLines(buffers, printer, `cpus=${this.#cpuCount(top)}\n`, this.#sink);
    return { events, warnings: [...this.#warnings, ...open.flatMap((cursors) => cursors.warnings())] };
  }

  /** The earliest first sub-buffer's time, in nanoseconds if it has a conversion. */
  #firstTime(): bigint {
    let first: bigint | undefined;
    for (const buffer of this.#dat.buffers) {
      const page = Buffer.alloc(buffer.subbufBytes);
      for (const extent of buffer.cpus) {
        if (pageSource(this.#dat.file, buffer, extent).read(page) < buffer.subbufBytes) continue;
        const stamp = page.readBigUInt64LE(0);
        const time = buffer.conversion === undefined ? stamp : nsOfCount(stamp, buffer.conversion);
        if (first === undefined || time < first) first = time;
      }
    }
    return first ?? 0n;
  }

  /** CPUs of the machine; a file with a part of a recording has fewer. */
  #cpuCount(buffer: RecordedBuffer): number {
    const [count] = this.#dat.options.get(OPTION.CPUCOUNT) ?? [];
    return Math.max(buffer.cpus.length, count !== undefined && count.length >= 4 ? count.readUInt32LE() : 0);
  }

  /** ns that the file wants added to each time: OFFSET in ns, DATE in microseconds. */
  #timeOffset(): bigint {
    const { options } = this.#dat;
    let offset = 0n;
    for (const text of options.get(OPTION.OFFSET) ?? []) offset += parseNumber(text);
    for (const text of options.get(OPTION.DATE) ?? []) offset += parseNumber(text) * 1000n;
    return offset;
  }
}

/** Clocks that trace-cmd shows in seconds; others (counter, x86-tsc, but boot too) as the numbers they are. */
const SECONDS_CLOCKS = /^(local|global|uptime|perf|mono.*|tai|tsc2nsec)$/;
const SECOND = 1_000_000_000n;

/** How a recording's times become exact in a double: they are counted from an origin, which is shown as `seconds`. */
interface Times extends ShownTimes {
  /** See PageCursor.origin. */
  readonly origin: number;
}

/**
 * @param first the earliest time in the recording
 * @param offset ns to add to all
 */
function timesOf(clock: string, first: bigint, offset: bigint): Times {
  if (!SECONDS_CLOCKS.test(clock)) return { clockInNs: false, origin: Number(-offset), seconds: 0 };
  const shown = first + offset;
  const base = shown - (((shown % SECOND) + SECOND) % SECOND);
  return { clockInNs: true, origin: Number(base - offset), seconds: Number(base / SECOND) };
}

/** A number as strtoll(3) reads it: decimal, or hexadecimal after 0x. */
function parseNumber(text: Buffer): bigint {
  const [, sign, digits] = /^\s*([+-]?)(0x[0-9a-f]+|\d+)/i.exec(text.toString('latin1')) ?? [];
  if (digits === undefined) return 0n;
  return sign === '-' ? -BigInt(digits) : BigInt(digits);
}
