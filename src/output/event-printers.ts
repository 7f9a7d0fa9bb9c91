import type { TraceRecord } from './record.js';
import type { TraceSeq } from './trace-seq.js';

/** Prints the part after the context in one style, with the line's end. */
export type EventPrinter = (seq: TraceSeq, record: TraceRecord) => void;

/** The four styles of an event (struct trace_event_functions); an event without one prints its type. */
export interface EventPrinters {
  readonly trace: EventPrinter;
  readonly raw?: EventPrinter;
  readonly hex?: EventPrinter;
  readonly bin?: EventPrinter;
}
