import { FTRACE_EVENTS } from '../events/ftrace-events.js';
import { ContextPrinter } from './context.js';
import { EventLines, type NamedPrinters, printType } from './event-lines.js';
import { GraphPrinter } from './graph-printer.js';
import { pidOf, typeOf } from './record.js';
import { LOST_UNKNOWN } from './record-cursor.js';
import type { RecordMerge } from './record-merge.js';
import { printMessage } from './text-lines.js';
import { TimeColumn } from './time-column.js';
import type { TraceSeq } from './trace-seq.js';
import { isGraph, type TraceView } from './trace-view.js';

const NEWLINE = 0x0a;
const SPACE = 0x20;

/**
 * How many events the buffers had lost when the file was opened: only if some were lost does `trace` say where a cpu's buffer
 * starts.
 */
export interface PrinterState {
  /** Whether lines like `##### CPU 2 buffer started ####` are wanted (TRACE_FILE_ANNOTATE). */
  readonly annotate: boolean;
}

/** Undefined if the formats of a file lack a field of the graph's events: their print formats print them then. */
function graphPrinter(view: TraceView, events: EventLines): GraphPrinter | undefined {
  try {
    return new GraphPrinter(view, events);
  } catch {
    return undefined;
  }
}

/** Prints records, one after the other, as `trace` and `trace_pipe` show them (print_trace_line). */
export class TracePrinter {
  readonly #view: TraceView;
  readonly #events: EventLines;
  readonly #context: ContextPrinter;
  readonly #graph: GraphPrinter | undefined;
  readonly #annotate: boolean;
  readonly #started = new Set<number>();
  #index = 0;

  constructor(view: TraceView, state: PrinterState) {
    const { dialect, clockInNs, timeDigits = 6, timeOrigin = 0 } = view;
    const digits = clockInNs ? timeDigits : 0;
    const time = new TimeColumn({ digits, seconds: timeOrigin, counterGap: dialect.counterGap });
    this.#view = view;
    this.#events = new EventLines(view, time);
    this.#context = new ContextPrinter(view, time);
    this.#graph = isGraph(view) ? graphPrinter(view, this.#events) : undefined;
    this.#annotate = state.annotate && view.options.annotate;
  }

  /** Prints the record that `merge` took; a leaf of the graph takes its exit along. */
  print(seq: TraceSeq, merge: RecordMerge): void {
    if (merge.lost !== 0) this.#lost(seq, merge);
    const index = this.#index++;
    if (this.#graph?.print(seq, merge)) return;
    const { options } = this.#view;
    const type = typeOf(merge);
    const event = this.#events.get(type);
    if (type === FTRACE_EVENTS.print.id && options['trace_printk'] && options['printk-msg-only']) {
      printMessage(seq, merge);
      seq.byte(NEWLINE);
    } else if (options.bin) this.#bin(seq, merge, event);
    else if (options.hex) this.#hex(seq, merge, event);
    else if (options.raw) this.#raw(seq, merge, event, type);
    else this.#line(seq, merge, event, type, index);
  }

  #line(seq: TraceSeq, merge: RecordMerge, event: NamedPrinters | undefined, type: number, index: number): void {
    const { options } = this.#view;
    if (this.#annotate) this.#bufferStart(seq, merge.cpu, index);
    if (options['context-info']) this.#context.print(seq, merge, index);
    if (event === undefined) {
      seq.text(this.#view.dialect.unknown.replace('%d', String(type)));
      return;
    }
    seq.put(event.name);
    event.trace(seq, merge);
    if (this.#view.dialect.sharesNewline && seq.bytes[seq.length - 1] !== NEWLINE) seq.byte(NEWLINE);
  }

  #raw(seq: TraceSeq, record: RecordMerge, event: NamedPrinters | undefined, type: number): void {
    if (this.#view.options['context-info']) {
      seq.decimal(pidOf(record));
      seq.byte(SPACE);
      seq.decimal(record.cpu);
      seq.byte(SPACE);
      seq.decimal(record.ts);
      seq.byte(SPACE);
    }
    if (event === undefined) seq.text(`${type} ?\n`);
    else (event.raw ?? printType)(seq, record);
  }

  #hex(seq: TraceSeq, record: RecordMerge, event: NamedPrinters | undefined): void {
    if (this.#view.options['context-info']) {
      seq.hex(pidOf(record), 8);
      seq.byte(SPACE);
      seq.hex(record.cpu, 8);
      seq.byte(SPACE);
      seq.hex(Math.floor(record.ts / 2 ** 32), 8);
      seq.hex(record.ts % 2 ** 32, 8);
      seq.byte(SPACE);
    }
    if (event !== undefined) (event.hex ?? printType)(seq, record);
    seq.byte(NEWLINE);
  }

  #bin(seq: TraceSeq, record: RecordMerge, event: NamedPrinters | undefined): void {
    if (this.#view.options['context-info']) {
      const context = new DataView(new ArrayBuffer(16));
      context.setInt32(0, pidOf(record), true);
      context.setInt32(4, record.cpu, true);
      context.setUint32(8, record.ts % 2 ** 32, true);
      context.setUint32(12, record.ts / 2 ** 32, true);
      seq.putRange(new Uint8Array(context.buffer), 0, context.byteLength);
    }
    if (event !== undefined) (event.bin ?? printType)(seq, record);
  }

  #lost(seq: TraceSeq, merge: RecordMerge): void {
    const [before, after] = this.#view.dialect.lost;
    const count = merge.lost === LOST_UNKNOWN ? '' : `${merge.lost} `;
    seq.text(`CPU:${merge.cpu} [${before}${count}${after}]\n`);
  }

  #bufferStart(seq: TraceSeq, cpu: number, index: number): void {
    if (this.#started.has(cpu)) return;
    this.#started.add(cpu);
    if (index > 1) seq.text(`##### CPU ${cpu} buffer started ####\n`);
  }
}

const CHUNK_BYTES = 1 << 16;

/** The lines of all records that `merge` has now, in chunks of about 64 KiB. */
export function* traceLines(printer: TracePrinter, merge: RecordMerge, seq: TraceSeq): Generator<Uint8Array> {
  while (merge.take()) {
    printer.print(seq, merge);
    if (seq.length >= CHUNK_BYTES) yield seq.take();
  }
  if (seq.length > 0) yield seq.take();
}
