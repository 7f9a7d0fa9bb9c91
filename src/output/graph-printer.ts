import { addressAt } from '../base/address.js';
import { ENTRY_RESUMED, EXIT_SUSPENDED, EXIT_UNWOUND, FTRACE_EVENTS } from '../events/ftrace-events.js';
import { type EventLines, printMessage } from './event-lines.js';
import { GraphColumns } from './graph-columns.js';
import { indentedDepth, MAX_DEPTH } from './graph-depth.js';
import { number64, type TraceRecord, typeOf } from './record.js';
import type { RecordMerge } from './record-merge.js';
import { printArgs } from './rendered-args.js';
import { GRAPH_STYLE, SymbolPrinter } from './symbol-printer.js';
import { bytesOf, type TraceSeq } from './trace-seq.js';
import type { TraceView } from './trace-view.js';

const ENTRY = FTRACE_EVENTS.funcgraph_entry;
const EXIT = FTRACE_EVENTS.funcgraph_exit;
const FUNC = ENTRY.fields.func.offset >> 2;
const DEPTH = ENTRY.fields.depth.offset >> 2;
const OVERRUN = EXIT.fields.overrun.offset >> 2;
const CALLTIME = EXIT.fields.calltime.offset >> 2;
const RETTIME = EXIT.fields.rettime.offset >> 2;
const PID = 1;

const INDENT = 2;
const NEWLINE = 0x0a;
const NO_ARGS = bytesOf('()');
const OPEN_BRACE = bytesOf(' {');
const RESUMED = ' resumed';
const UNWOUND = ' unwound';
const SUSPENDED = ' suspended';

/** The state of one cpu's graph while its records are printed (struct fgraph_cpu_data). */
interface CpuGraph {
  depth: number;
  /** The addresses of the entered functions, by depth; 0 if none is open. */
  readonly entered: number[];
}

/**
 * Prints the records of the function_graph tracer (print_graph_function). In addition to the kernel's forms, a comment says
 * what only JavaScript has: `resumed` after the brace of a coroutine that resumes, `suspended` when it waits, `unwound` when an
 * exception ended the function. These comments are where the kernel puts its own.
 */
export class GraphPrinter {
  readonly #view: TraceView;
  readonly #events: EventLines;
  readonly #columns: GraphColumns;
  readonly #symbols: SymbolPrinter;
  readonly #cpus = new Map<number, CpuGraph>();

  constructor(view: TraceView, events: EventLines) {
    this.#view = view;
    this.#events = events;
    this.#columns = new GraphColumns(view);
    this.#symbols = new SymbolPrinter(view.symbols, GRAPH_STYLE);
  }

  /**
   * Prints the record that `merge` took; returns false if it is not a record of the graph (functions and stacks are printed as
   * always).
   */
  print(seq: TraceSeq, record: RecordMerge): boolean {
    const type = typeOf(record);
    if (type === ENTRY.id) this.#entry(seq, record);
    else if (type === EXIT.id) this.#return(seq, record);
    else if (type === FTRACE_EVENTS.function.id || type === FTRACE_EVENTS.kernel_stack.id) return false;
    else return this.#comment(seq, record, type);
    return true;
  }

  #cpu(cpu: number): CpuGraph {
    let graph = this.#cpus.get(cpu);
    if (graph === undefined) {
      graph = { depth: 0, entered: [] };
      this.#cpus.set(cpu, graph);
    }
    return graph;
  }

  #entry(seq: TraceSeq, record: RecordMerge): void {
    const { words, at } = record;
    const graph = this.#cpu(record.cpu);
    const depth = words[at + DEPTH]! | 0;
    this.#columns.prologue(seq, record);
    const exit = leafExit(record);
    if (exit === undefined) {
      graph.depth = depth;
      setEntered(graph, depth, addressAt(words, at + FUNC));
      this.#columns.noDuration(seq);
      this.#call(seq, record, depth);
      seq.put(OPEN_BRACE);
      if (isResumed(record)) seq.text(` /*${RESUMED} */`);
      seq.byte(NEWLINE);
      return;
    }
    graph.depth = depth - 1;
    setEntered(graph, depth, 0);
    this.#columns.duration(seq, duration(exit));
    this.#call(seq, record, depth);
    seq.text(';');
    const start = seq.length;
    if (isResumed(record)) seq.text(' /* resumed');
    this.#outcome(seq, exit, seq.length > start ? '' : ' /*');
    if (seq.length > start) seq.text(' */');
    seq.byte(NEWLINE);
    record.skip();
  }

  #return(seq: TraceSeq, record: RecordMerge): void {
    const { words, at } = record;
    const graph = this.#cpu(record.cpu);
    const depth = words[at + DEPTH]! | 0;
    const isMatch = graph.entered[depth] === addressAt(words, at + FUNC);
    graph.depth = depth - 1;
    setEntered(graph, depth, 0);
    this.#columns.prologue(seq, record);
    this.#columns.duration(seq, duration(record));
    seq.spaces(indentedDepth(depth) * INDENT);
    seq.text('}');
    const start = seq.length;
    if (!isMatch || this.#view.options['funcgraph-tail']) this.#name(seq, record);
    this.#outcome(seq, record, seq.length > start ? '' : undefined);
    if (seq.length > start) seq.text(' */');
    seq.byte(NEWLINE);
    if (this.#view.options['funcgraph-overrun']) seq.text(` (Overruns: ${words[at + OVERRUN]})\n`);
  }

  #name(seq: TraceSeq, { words, at }: TraceRecord): void {
    seq.text(' /* ');
    this.#symbols.print(seq, words, at + FUNC);
  }

  /**
   * How the function ended, and what it returned.
   * @param open what opens the comment when there is something to say; undefined: the function's name does
   */
  #outcome(seq: TraceSeq, exit: TraceRecord, open: string | undefined): void {
    if (exit.size <= FTRACE_EVENTS.funcgraph_exit.size) return;
    const at = exit.at * 4 + FTRACE_EVENTS.funcgraph_exit.size;
    const flags = exit.bytes[at]!;
    const length = Math.min(exit.bytes[at + 1]!, exit.at * 4 + exit.size - at - 2);
    const hasValue = length > 0 && this.#view.options['funcgraph-retval'];
    const word = (flags & EXIT_UNWOUND) !== 0 ? UNWOUND : (flags & EXIT_SUSPENDED) !== 0 ? SUSPENDED : '';
    if (word === '' && !hasValue) return;
    if (open === undefined) this.#name(seq, exit);
    else seq.text(open);
    seq.text(word);
    if (!hasValue) return;
    seq.text(' ret=');
    seq.putRange(exit.bytes, at + 2, length);
  }

  /** Indentation, name and arguments. */
  #call(seq: TraceSeq, { words, bytes, at, size }: TraceRecord, depth: number): void {
    seq.spaces(indentedDepth(depth) * INDENT);
    this.#symbols.print(seq, words, at + FUNC);
    const from = at * 4 + FTRACE_EVENTS.funcgraph_entry.size;
    if (size > FTRACE_EVENTS.funcgraph_entry.size && bytes[from + 1]! > 0) {
      printArgs(seq, this.#view.symbols.find(addressAt(words, at + FUNC)), bytes, from + 1, at * 4 + size);
    } else seq.put(NO_ARGS);
  }

  /** Any other record is printed as a comment inside the open function. */
  #comment(seq: TraceSeq, record: TraceRecord, type: number): boolean {
    const event = this.#events.get(type);
    if (event === undefined) return false;
    const { depth } = this.#cpu(record.cpu);
    this.#columns.prologue(seq, record);
    this.#columns.noDuration(seq);
    if (depth > 0) seq.spaces((indentedDepth(depth) + 1) * INDENT);
    seq.text('/* ');
    if (type === FTRACE_EVENTS.print.id) printMessage(seq, record);
    else {
      event.trace(seq, record);
      if (seq.bytes[seq.length - 1] === NEWLINE) seq.length--;
    }
    seq.text(' */\n');
    return true;
  }
}

/** A damaged recording may claim any depth. */
function setEntered(graph: CpuGraph, depth: number, func: number): void {
  if (depth >= 0 && depth <= MAX_DEPTH) graph.entered[depth] = func;
}

const duration = ({ words, at }: TraceRecord): number => number64(words, at + RETTIME) - number64(words, at + CALLTIME);

const isResumed = ({ bytes, at, size }: TraceRecord): boolean =>
  size > FTRACE_EVENTS.funcgraph_entry.size && (bytes[at * 4 + FTRACE_EVENTS.funcgraph_entry.size]! & ENTRY_RESUMED) !== 0;

/**
 * The exit of a leaf: the next record of the cpu, when it is of the same task and function. Valid until `skip`. After lost
 * records it is another call's exit; the kernel takes it anyway, without reporting the loss.
 */
function leafExit(record: RecordMerge): TraceRecord | undefined {
  const next = record.peek();
  if (next === undefined || next.lost !== 0 || (next.words[next.at]! & 0xffff) !== EXIT.id) return undefined;
  const { words, at } = record;
  const isSame =
    next.words[next.at + PID] === words[at + PID] &&
    next.words[next.at + FUNC] === words[at + FUNC] &&
    next.words[next.at + FUNC + 1] === words[at + FUNC + 1];
  return isSame ? next : undefined;
}
