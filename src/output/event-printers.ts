import type { EventFormat } from '../events/define.js';
import type { RecordMerge } from './record-merge.js';
import type { SymbolTexts } from './symbol-printer.js';
import type { TimeColumn } from './time-column.js';
import type { TraceSeq } from './trace-seq.js';
import type { TraceView } from './trace-view.js';

/** Prints the part after the context in one style, with the line's end. May take the record that follows along. */
export type EventPrinter = (seq: TraceSeq, record: RecordMerge) => void;

/** The four styles of an event (struct trace_event_functions); an event without one prints its type. */
export interface EventPrinters {
  readonly trace: EventPrinter;
  readonly raw?: EventPrinter;
  readonly hex?: EventPrinter;
  readonly bin?: EventPrinter;
}

/** The common parts of the printers of one open file. */
export interface PrinterParts {
  readonly view: TraceView;
  readonly symbols: SymbolTexts;
  /** Texts of addresses in stacks. */
  readonly stackSymbols: SymbolTexts;
  readonly time: TimeColumn;
}

/** Makes the printers of an event. Throws an Error if its format lacks a field that they need. */
export type MakePrinters = (event: EventFormat, parts: PrinterParts) => EventPrinters;
