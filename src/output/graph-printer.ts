import { FTRACE_EVENTS } from '../events/ftrace-events.js';
import type { EventLines } from './event-lines.js';
import { GraphCalls } from './graph-calls.js';
import { GraphColumns } from './graph-columns.js';
import { typeOf } from './record.js';
import type { RecordMerge } from './record-merge.js';
import { printMessage } from './text-lines.js';
import type { TraceSeq } from './trace-seq.js';
import type { TraceView } from './trace-view.js';

const INDENT = 2;
const NEWLINE = 0x0a;

/** Prints the records of the function_graph tracer under its own columns (print_graph_function). */
export class GraphPrinter {
  readonly #events: EventLines;
  readonly #columns: GraphColumns;
  readonly #calls: GraphCalls;

  constructor(view: TraceView, events: EventLines) {
    this.#events = events;
    this.#columns = new GraphColumns(view);
    this.#calls = new GraphCalls(view);
  }

  /**
   * Prints the record that `merge` took; returns false if it is not a record of the graph (functions and stacks are printed as
   * always).
   */
  print(seq: TraceSeq, record: RecordMerge): boolean {
    const type = typeOf(record);
    if (type === this.#calls.entryId) {
      this.#columns.print(seq, record);
      this.#calls.entry(seq, record);
    } else if (type === this.#calls.exitId) {
      this.#columns.print(seq, record);
      this.#calls.exit(seq, record);
    } else if (type === FTRACE_EVENTS.function.id || type === FTRACE_EVENTS.kernel_stack.id) return false;
    else return this.#comment(seq, record, type);
    return true;
  }

  /** Any other record is printed as a comment inside the open function. */
  #comment(seq: TraceSeq, record: RecordMerge, type: number): boolean {
    const event = this.#events.get(type);
    if (event === undefined) return false;
    const depth = this.#calls.openDepth(record.cpu);
    this.#columns.print(seq, record);
    this.#calls.duration.printBlank(seq);
    if (depth > 0) seq.spaces((this.#calls.indentedDepth(record.cpu, depth) + 1) * INDENT);
    seq.text('/* ');
    if (type === FTRACE_EVENTS.print.id) printMessage(seq, record);
    else {
      seq.put(event.name);
      event.trace(seq, record);
      if (seq.bytes[seq.length - 1] === NEWLINE) seq.length--;
    }
    seq.text(' */\n');
    return true;
  }
}
