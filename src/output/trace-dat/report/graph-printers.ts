import type { EventFormat } from '../../../events/define.js';
import { FTRACE_EVENTS } from '../../../events/ftrace-events.js';
import { indentedDepth } from '../../graph-depth.js';
import { pidOf, type TraceRecord, typeOf } from '../../record.js';
import type { RecordCursor } from '../../record-cursor.js';
import type { RecordMerge } from '../../record-merge.js';
import { AppendedEntry, AppendedExit } from './appended.js';
import { NO_DURATION, putDuration } from './duration.js';
import type { EventPrinter, PrinterTables } from './event-printer.js';
import { ExitFields } from './exit-fields.js';
import { fieldWord } from './field.js';
import { putBytes, putSpaces, putText } from './put.js';
import { hexAddress } from './put-symbol.js';

const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const INDENT = 2;
const OPEN = 40;
const BRACE = 125;
const LEAF_END = latin1(');');
const NESTED_END = latin1(') {');
const COMMENT = latin1(' /* ');
const COMMENT_START = latin1(' /*');
const COMMENT_END = latin1(' */');
const RESUMED = latin1(' resumed');
const RESUMED_COMMENT = latin1(' /* resumed */');

const putIndent = (out: Uint8Array, at: number, depth: number): number => putSpaces(out, at, indentedDepth(depth) * INDENT);

/** `funcgraph_entry`: one line with its exit when that is the very next event, else the opening line. */
export class GraphEntryPrinter implements EventPrinter {
  readonly advances = true;
  readonly #context: PrinterTables;
  readonly #func: number;
  readonly #depth: number;
  readonly #exit: ExitFields;
  readonly #showDepth: boolean;
  readonly #extras: boolean;
  readonly #appended = new AppendedEntry();
  readonly #appendedExit = new AppendedExit();

  constructor(format: EventFormat, exit: EventFormat, context: PrinterTables) {
    this.#context = context;
    this.#func = fieldWord(format, 'func');
    this.#depth = fieldWord(format, 'depth');
    this.#exit = new ExitFields(exit);
    this.#showDepth = context.options.depth ?? false;
    this.#extras = context.options.extras ?? true;
  }

  put(out: Uint8Array, at: number, record: RecordMerge): number {
    const func = record.at + this.#func;
    const depth = record.words[record.at + this.#depth]! | 0;
    if (this.#extras) this.#appended.take(record, FTRACE_EVENTS.funcgraph_entry.size, true);
    const exit = record.peekNext();
    if (exit !== undefined && this.#isReturn(exit, record)) {
      at = putIndent(out, putDuration(out, at, this.#exit.duration(exit)), depth);
      at = putBytes(out, this.#putCall(out, at, record.words, func), LEAF_END);
      if (this.#extras) at = this.#putLeafComment(out, at, exit);
      record.skip();
    } else {
      at = putIndent(out, putBytes(out, at, NO_DURATION), depth);
      at = putBytes(out, this.#putCall(out, at, record.words, func), NESTED_END);
      if (this.#extras && this.#appended.isResumed) at = putBytes(out, at, RESUMED_COMMENT);
    }
    return this.#showDepth ? putText(out, at, ` (${depth})`) : at;
  }

  /** After lost events it is another call's return: trace-cmd takes it anyway, without reporting the loss. */
  #isReturn(exit: RecordCursor, entry: TraceRecord): boolean {
    const from = entry.at + this.#func;
    const to = exit.at + this.#exit.func;
    return (
      exit.lost === 0 &&
      typeOf(exit) === this.#exit.id &&
      pidOf(exit) === pidOf(entry) &&
      exit.words[to] === entry.words[from] &&
      exit.words[to + 1] === entry.words[from + 1]
    );
  }

  #putLeafComment(out: Uint8Array, at: number, exit: TraceRecord): number {
    const outcome = this.#appendedExit;
    outcome.take(exit, FTRACE_EVENTS.funcgraph_exit.size);
    if (outcome.isEmpty && !this.#appended.isResumed) return at;
    at = putBytes(out, at, COMMENT_START);
    if (this.#appended.isResumed) at = putBytes(out, at, RESUMED);
    return putBytes(out, outcome.put(out, at), COMMENT_END);
  }

  /** The name, the opening parenthesis and the arguments. */
  #putCall(out: Uint8Array, at: number, words: Uint32Array, func: number): number {
    const symbol = this.#context.symbols.at(words, func);
    at = symbol === undefined ? putText(out, at, hexAddress(words[func + 1]!, words[func]!)) : putBytes(out, at, symbol.name);
    out[at] = OPEN;
    return this.#extras ? this.#appended.putArguments(out, at + 1) : at + 1;
  }
}

/** `funcgraph_exit` that does not follow its entry at once: the closing line. */
export class GraphExitPrinter implements EventPrinter {
  readonly #context: PrinterTables;
  readonly #exit: ExitFields;
  readonly #tail: boolean;
  readonly #showDepth: boolean;
  readonly #extras: boolean;
  readonly #appended = new AppendedExit();

  constructor(format: EventFormat, context: PrinterTables) {
    this.#context = context;
    this.#exit = new ExitFields(format);
    this.#tail = context.options.tailprint ?? false;
    this.#showDepth = context.options.depth ?? false;
    this.#extras = context.options.extras ?? true;
  }

  put(out: Uint8Array, at: number, record: TraceRecord): number {
    const depth = record.words[record.at + this.#exit.depth]! | 0;
    at = putIndent(out, putDuration(out, at, this.#exit.duration(record)), depth);
    out[at++] = BRACE;
    if (this.#extras) this.#appended.take(record, FTRACE_EVENTS.funcgraph_exit.size);
    const hasOutcome = this.#extras && !this.#appended.isEmpty;
    if (this.#tail || hasOutcome) at = this.#putComment(out, at, record, hasOutcome);
    return this.#showDepth ? putText(out, at, ` (${depth})`) : at;
  }

  /** The function's name and how it ended. */
  #putComment(out: Uint8Array, at: number, record: TraceRecord, hasOutcome: boolean): number {
    const symbol = this.#context.symbols.at(record.words, record.at + this.#exit.func);
    if (symbol === undefined && !hasOutcome) return at;
    at = symbol === undefined ? putBytes(out, at, COMMENT_START) : putBytes(out, putBytes(out, at, COMMENT), symbol.name);
    if (hasOutcome) at = this.#appended.put(out, at);
    return putBytes(out, at, COMMENT_END);
  }
}
