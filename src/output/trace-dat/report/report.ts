import { RecordMerge } from '../../record-merge.js';
import { OPTION } from '../format.js';
import { isFentrys } from '../is-fentrys.js';
import { type OpenTraceDat, openTraceDat } from '../open.js';
import { OpenCursors } from '../open-cursors.js';
import { pageSource } from '../page-source.js';
import type { RecordedBuffer } from '../trace-dat-file.js';
import { TimeColumn } from './clock.js';
import { KallsymsTable } from './kallsyms-table.js';
import { LatencyPrefix, NormalPrefix } from './line-prefix.js';
import { printLines } from './lines.js';
import { bufferLabels, type PrintedBuffer } from './printed-buffer.js';
import { makePrinters } from './printers.js';
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
    const time = new TimeColumn(top.clock, this.#firstTime(), this.#timeOffset(), this.#options.nanoseconds ?? false);
    const open = this.#dat.buffers.map((buffer) => new OpenCursors(this.#dat, buffer, this.#options.cpus, time.origin));
    const Prefix = this.#options.latency === true ? LatencyPrefix : NormalPrefix;
    const labels = bufferLabels(this.#dat.buffers.map(({ name }) => name));
    const buffers = open.map(({ cursors }, i): PrintedBuffer => {
      return { merge: new RecordMerge(cursors), label: labels[i]!, prefix: new Prefix(this.#dat.cmdlines) };
    });
    const printers = makePrinters(this.#dat.formats, {
      symbols: new KallsymsTable(this.#dat.kallsyms, isFentrys(this.#dat)),
      options: { ...this.#options, extras: (this.#options.extras ?? true) && isFentrys(this.#dat) },
      printkFormats: parsePrintkFormats(this.#dat.printkFormats),
      time,
    });
    const subbufBytes = Math.max(...this.#dat.buffers.map((buffer) => buffer.subbufBytes));
    const events = printLines(buffers, { time, printers }, subbufBytes, `cpus=${this.#cpuCount(top)}\n`, this.#sink);
    return { events, warnings: [...this.#warnings, ...open.flatMap((cursors) => cursors.warnings())] };
  }

  /** The earliest first sub-buffer's time. */
  #firstTime(): bigint {
    let first: bigint | undefined;
    for (const buffer of this.#dat.buffers) {
      const page = Buffer.alloc(buffer.subbufBytes);
      for (const extent of buffer.cpus) {
        if (pageSource(this.#dat.file, buffer, extent).read(page) < buffer.subbufBytes) continue;
        const time = page.readBigUInt64LE(0);
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
    if (options.has(OPTION.TSC2NSEC))
      this.#warnings.push('times are raw counts of the processor: the conversion in the file (TSC2NSEC) is not applied');
    let offset = 0n;
    for (const text of options.get(OPTION.OFFSET) ?? []) offset += parseNumber(text);
    for (const text of options.get(OPTION.DATE) ?? []) offset += parseNumber(text) * 1000n;
    return offset;
  }
}

/** A number as strtoll(3) reads it: decimal, or hexadecimal after 0x. */
function parseNumber(text: Buffer): bigint {
  const [, sign, digits] = /^\s*([+-]?)(0x[0-9a-f]+|\d+)/i.exec(text.toString('latin1')) ?? [];
  if (digits === undefined) return 0n;
  return sign === '-' ? -BigInt(digits) : BigInt(digits);
}

/** Lines `0xADDRESS : "TEXT"`. */
function parsePrintkFormats(text: string): Map<string, string> {
  const formats = new Map<string, string>();
  for (const [, address, format] of text.matchAll(/^(?:0x)?([0-9a-f]+) : "(.*)"$/gm)) {
    formats.set(
      BigInt(`0x${address}`).toString(16),
      format!.replaceAll('\\n', '\n').replaceAll('\\t', '\t').replaceAll('\\"', '"'),
    );
  }
  return formats;
}
