import { addressAt } from '../base/address.js';
import type { EventFormat } from '../events/define.js';
import { FTRACE_EVENTS } from '../events/ftrace-events.js';
import { AppendedEntry, AppendedExit } from './appended.js';
import type { Dialect } from './dialect.js';
import { DurationColumn } from './duration.js';
import { ExitFields } from './exit-fields.js';
import { indentedDepth, MAX_DEPTH, MAX_INDENTED } from './graph-depth.js';
import { fieldWord, pidOf, type TraceRecord, typeOf } from './record.js';
import type { RecordCursor } from './record-cursor.js';
import type { RecordMerge } from './record-merge.js';
import { type StoredText, storedText } from './stored-text.js';
import { GRAPH_STYLE, type PrintedSymbol, printSymbol, type SymbolTexts } from './symbol-printer.js';
import type { TraceSeq } from './trace-seq.js';
import type { TraceView } from './trace-view.js';

const INDENT = 2;
const NEWLINE = 0x0a;
const OPEN = 0x28;
const BRACE = 0x7d;
const LEAF_END = storedText(');');
const NESTED_END = storedText(') {');
const COMMENT = storedText(' /*');
const NAME_COMMENT = storedText(' /* ');
const RESUMED = storedText(' resumed');
const COMMENT_END = storedText(' */');

/** The state of one cpu's graph while its records are printed (struct fgraph_cpu_data). */
interface CpuGraph {
  depth: number;
  /** The deepest indentation. */
  indented: number;
  /** The addresses of the entered functions, by depth; 0 if none is open. */
  readonly entered: number[];
}

/** A damaged recording may claim any depth. */
function setEntered(graph: CpuGraph, depth: number, func: number): void {
  if (depth >= 0 && depth <= MAX_DEPTH) graph.entered[depth] = func;
}

/**
 * Prints the calls of the function_graph tracer: duration, function, arguments, braces. In addition to the kernel's forms, a
 * comment says what only JavaScript has: `resumed` after the brace of a coroutine that resumes, `suspended` when it waits,
 * `unwound` when an exception ended the function. These comments are where the kernel puts its own.
 */
export class GraphCalls {
  readonly entryId: number;
  readonly exitId: number;
  readonly duration: DurationColumn;
  readonly #dialect: Dialect;
  readonly #symbols: SymbolTexts;
  readonly #func: number;
  readonly #depth: number;
  readonly #exit: ExitFields;
  readonly #overrun: number | undefined;
  readonly #hasAppended: boolean;
  readonly #showsResults: boolean;
  readonly #showsDepth: boolean;
  #showsTail: boolean;
  /** Asked once, at an exit before every entry. */
  #hasBeginnings: (() => boolean) | undefined;
  readonly #entered = new AppendedEntry();
  readonly #left: AppendedExit;
  readonly #cpus: CpuGraph[] = [];

  /** Throws an Error if the formats of the view's events lack a field. */
  constructor(view: TraceView) {
    const { dialect, options } = view;
    const [entry, exit] = [graphEvent(view, 'funcgraph_entry'), graphEvent(view, 'funcgraph_exit')];
    this.entryId = entry.id;
    this.exitId = exit.id;
    this.duration = new DurationColumn(view);
    this.#dialect = dialect;
    this.#symbols = view.symbols(GRAPH_STYLE);
    this.#func = fieldWord(entry, 'func');
    this.#depth = fieldWord(entry, 'depth');
    this.#exit = new ExitFields(exit);
    this.#overrun = options['funcgraph-overrun'] ? fieldWord(exit, 'overrun') : undefined;
    this.#hasAppended = view.hasAppended;
    this.#showsResults = options['funcgraph-retval'];
    this.#left = new AppendedExit(options['funcgraph-retval-hex']);
    this.#showsDepth = view.hasDepths ?? false;
    this.#showsTail = options['funcgraph-tail'];
    this.#hasBeginnings = view.hasBeginnings;
  }

  /** The number of levels by which a call is indented: each is at most one deeper than any before. */
  indentedDepth(cpu: number, depth: number): number {
    const graph = this.#cpu(cpu);
    if (depth === graph.indented + 1 && depth <= this.#dialect.mostIndented) graph.indented = depth;
    return indentedDepth(depth, graph.indented);
  }

  /** The depth of the function that is open on a cpu. */
  openDepth(cpu: number): number {
    return this.#cpu(cpu).depth;
  }

  /** Prints a call in one line if its exit follows, and takes the exit along; else the line that opens its brace. */
  entry(seq: TraceSeq, record: RecordMerge): void {
    this.#hasBeginnings = undefined;
    const { words, at } = record;
    const depth = words[at + this.#depth]! | 0;
    if (this.#hasAppended) this.#entered.take(record, FTRACE_EVENTS.funcgraph_entry.size, true);
    const exit = this.#leafExit(record);
    this.#enter(record.cpu, depth, exit === undefined ? addressAt(words, at + this.#func) : 0);
    if (exit === undefined) this.duration.printBlank(seq);
    else this.duration.print(seq, this.#exit.duration(exit));
    const place = this.#call(seq, record, at + this.#func, depth)?.place;
    if (exit === undefined) {
      seq.put(NESTED_END);
      placeComment(seq, place);
      if (this.#entered.isResumed) this.#comment(seq, false);
    } else {
      seq.put(LEAF_END);
      placeComment(seq, place);
      if (this.#hasAppended) this.#left.take(exit, FTRACE_EVENTS.funcgraph_exit.size);
      const hasOutcome = this.#left.isPrinted(this.#showsResults);
      if (hasOutcome || this.#entered.isResumed) this.#comment(seq, hasOutcome);
      record.skip();
    }
    this.#end(seq, depth);
  }

  /** Prints the line that closes a brace. */
  exit(seq: TraceSeq, record: TraceRecord): void {
    const { words, at } = record;
    const depth = words[at + this.#exit.depth]! | 0;
    if (this.#hasBeginnings !== undefined) {
      this.#showsTail ||= !this.#hasBeginnings();
      this.#hasBeginnings = undefined;
    }
    const isUnmatched = this.#dialect.namesUnmatched && !this.#leave(record.cpu, depth, addressAt(words, at + this.#exit.func));
    this.duration.print(seq, this.#exit.duration(record));
    seq.spaces(this.indentedDepth(record.cpu, depth) * INDENT);
    seq.byte(BRACE);
    if (this.#hasAppended) this.#left.take(record, FTRACE_EVENTS.funcgraph_exit.size);
    const hasOutcome = this.#left.isPrinted(this.#showsResults);
    if (hasOutcome || isUnmatched || this.#showsTail) {
      const place = this.#nameComment(seq, record, hasOutcome)?.place;
      // The line of the entry, which has the place, is not there.
      if (isUnmatched) placeComment(seq, place);
    }
    this.#end(seq, depth);
    if (this.#overrun !== undefined) seq.text(` (Overruns: ${words[at + this.#overrun]})\n`);
  }

  #cpu(cpu: number): CpuGraph {
    return (this.#cpus[cpu] ??= { depth: 0, indented: MAX_INDENTED, entered: [] });
  }

  /** @param func 0 if the function ends at once */
  #enter(cpu: number, depth: number, func: number): void {
    if (!this.#dialect.namesUnmatched) return;
    const graph = this.#cpu(cpu);
    graph.depth = func === 0 ? depth - 1 : depth;
    setEntered(graph, depth, func);
  }

  /** Returns whether the function was entered at this depth. */
  #leave(cpu: number, depth: number, func: number): boolean {
    const graph = this.#cpu(cpu);
    const isMatch = graph.entered[depth] === func;
    graph.depth = depth - 1;
    setEntered(graph, depth, 0);
    return isMatch;
  }

  /**
   * The exit of a leaf: the next record, if it is of the same task and function. Valid until `skip`. After lost records it is
   * another call's exit; the kernel and trace-cmd take it anyway, without reporting the loss.
   */
  #leafExit(entry: RecordMerge): RecordCursor | undefined {
    const next = this.#dialect.needsNextExit ? entry.peekNext() : entry.peek();
    if (next === undefined || next.lost !== 0 || typeOf(next) !== this.exitId || pidOf(next) !== pidOf(entry)) return undefined;
    const from = entry.at + this.#func;
    const to = next.at + this.#exit.func;
    return next.words[to] === entry.words[from] && next.words[to + 1] === entry.words[from + 1] ? next : undefined;
  }

  /** Indentation, name, the opening parenthesis and the arguments. */
  #call(seq: TraceSeq, { words, cpu }: TraceRecord, func: number, depth: number): PrintedSymbol | undefined {
    seq.spaces(this.indentedDepth(cpu, depth) * INDENT);
    const symbol = this.#symbols.at(words, func);
    if (symbol !== undefined) seq.put(symbol.name);
    else printSymbol(seq, this.#symbols, words, func, this.#dialect.graphHex);
    seq.byte(OPEN);
    this.#entered.printArguments(seq, symbol?.params, symbol?.registers);
    return symbol;
  }

  /** What is to be said of a call that is not a brace's: that it resumed, and how it ended. */
  #comment(seq: TraceSeq, hasOutcome: boolean): void {
    seq.put(COMMENT);
    if (this.#entered.isResumed) seq.put(RESUMED);
    if (hasOutcome) this.#left.print(seq, this.#showsResults);
    seq.put(COMMENT_END);
  }

  /** Behind a closing brace: the function's name and how it ended. */
  #nameComment(seq: TraceSeq, { words, at }: TraceRecord, hasOutcome: boolean): PrintedSymbol | undefined {
    const func = at + this.#exit.func;
    const symbol = this.#symbols.at(words, func);
    const isNamed = symbol !== undefined || this.#dialect.namesUnknown;
    if (!isNamed && !hasOutcome) return undefined;
    seq.put(isNamed ? NAME_COMMENT : COMMENT);
    if (symbol !== undefined) seq.put(symbol.name);
    else if (isNamed) printSymbol(seq, this.#symbols, words, func);
    if (hasOutcome) this.#left.print(seq, this.#showsResults);
    seq.put(COMMENT_END);
    return symbol;
  }

  #end(seq: TraceSeq, depth: number): void {
    if (this.#showsDepth) seq.text(` (${depth})`);
    seq.byte(NEWLINE);
  }
}

/** Where a function is defined, if that is shown: before what is to be said of its call. */
function placeComment(seq: TraceSeq, place: StoredText | undefined): void {
  if (place === undefined) return;
  seq.put(NAME_COMMENT);
  seq.put(place);
  seq.put(COMMENT_END);
}

/** The format of one of the graph's two events. */
function graphEvent({ events }: TraceView, name: 'funcgraph_entry' | 'funcgraph_exit'): EventFormat {
  const event = events.find('ftrace', name);
  if (event === undefined) throw new Error(`there is no event ${name}`);
  return event;
}
