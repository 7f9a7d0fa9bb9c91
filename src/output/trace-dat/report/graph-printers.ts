import type { EventFormat } from '../../../events/define.js';
import { FTRACE_EVENTS } from '../../../events/ftrace-events.js';
import { indentedDepth } from '../../graph-depth.js';
import type { CpuCursor } from '../cpu-cursor.js';
import type { Merge } from '../merge.js';
import { AppendedEntry, AppendedExit } from './appended.js';
import { NO_DURATION, putDuration } from './duration.js';
import type { EventPrinter, PrinterContext } from './event-printer.js';
import { ExitFields } from './exit-fields.js';
import { fieldWord } from './field.js';
import type { ReportSymbol } from './kallsyms-table.js';
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
  readonly #context: PrinterContext;
  readonly #func: number;
  readonly #depth: number;
  readonly #exit: ExitFields;
  readonly #showDepth: boolean;
  readonly #extras: boolean;
  readonly #appended = new AppendedEntry();
  readonly #appendedExit = new AppendedExit();

  constructor(format: EventFormat, exit: EventFormat, context: PrinterContext) {
    this.#context = context;
    this.#func = fieldWord(format, 'func');
    this.#depth = fieldWord(format, 'depth');
    this.#exit = new ExitFields(exit);
    this.#showDepth = context.options.depth ?? false;
    this.#extras = context.options.extras ?? true;
  }

  put(out: Uint8Array, at: number, cursor: CpuCursor, merge: Merge): number {
    const { symbols } = this.#context;
    const { words, word } = cursor;
    const low = words[word + this.#func]!;
    const high = words[word + this.#func + 1]!;
    const depth = words[word + this.#depth]!;
    const pid = words[word + 1]!;
    if (this.#extras) this.#appended.take(cursor, FTRACE_EVENTS.funcgraph_entry.size, true);
    const symbol = symbols.find(high, low);
    merge.advance();
    if (merge.current === cursor && this.#isReturn(cursor, pid, high, low)) {
      at = putIndent(out, putDuration(out, at, this.#exit.duration(cursor)), depth);
      at = putBytes(out, this.#putCall(out, at, symbol, high, low), LEAF_END);
      if (this.#extras) at = this.#putLeafComment(out, at, cursor);
      merge.advance();
    } else {
      at = putIndent(out, putBytes(out, at, NO_DURATION), depth);
      at = putBytes(out, this.#putCall(out, at, symbol, high, low), NESTED_END);
      if (this.#extras && this.#appended.isResumed) at = putBytes(out, at, RESUMED_COMMENT);
    }
    return this.#showDepth ? putText(out, at, ` (${depth})`) : at;
  }

  /** After lost events it is another call's return: trace-cmd takes it anyway, without reporting the loss. */
  #isReturn(cursor: CpuCursor, pid: number, high: number, low: number): boolean {
    const { words, word } = cursor;
    const func = word + this.#exit.func;
    return (
      cursor.missed === 0 &&
      (words[word]! & 0xffff) === this.#exit.id &&
      words[word + 1] === pid &&
      words[func] === low &&
      words[func + 1] === high
    );
  }

  #putLeafComment(out: Uint8Array, at: number, exit: CpuCursor): number {
    const outcome = this.#appendedExit;
    outcome.take(exit, FTRACE_EVENTS.funcgraph_exit.size);
    if (outcome.isEmpty && !this.#appended.isResumed) return at;
    at = putBytes(out, at, COMMENT_START);
    if (this.#appended.isResumed) at = putBytes(out, at, RESUMED);
    return putBytes(out, outcome.put(out, at), COMMENT_END);
  }

  /** The name, the opening parenthesis and the arguments. */
  #putCall(out: Uint8Array, at: number, symbol: ReportSymbol | undefined, high: number, low: number): number {
    at = symbol === undefined ? putText(out, at, hexAddress(high, low)) : putBytes(out, at, symbol.name);
    out[at] = OPEN;
    return this.#extras ? this.#appended.putArguments(out, at + 1) : at + 1;
  }
}

/** `funcgraph_exit` that does not follow its entry at once: the closing line. */
export class GraphExitPrinter implements EventPrinter {
  readonly #context: PrinterContext;
  readonly #exit: ExitFields;
  readonly #tail: boolean;
  readonly #showDepth: boolean;
  readonly #extras: boolean;
  readonly #appended = new AppendedExit();

  constructor(format: EventFormat, context: PrinterContext) {
    this.#context = context;
    this.#exit = new ExitFields(format);
    this.#tail = context.options.tailprint ?? false;
    this.#showDepth = context.options.depth ?? false;
    this.#extras = context.options.extras ?? true;
  }

  put(out: Uint8Array, at: number, cursor: CpuCursor): number {
    const { words, word } = cursor;
    const depth = words[word + this.#exit.depth]!;
    at = putIndent(out, putDuration(out, at, this.#exit.duration(cursor)), depth);
    out[at++] = BRACE;
    if (this.#extras) this.#appended.take(cursor, FTRACE_EVENTS.funcgraph_exit.size);
    const hasOutcome = this.#extras && !this.#appended.isEmpty;
    if (this.#tail || hasOutcome) at = this.#putComment(out, at, cursor, hasOutcome);
    return this.#showDepth ? putText(out, at, ` (${depth})`) : at;
  }

  /** The function's name and how it ended. */
  #putComment(out: Uint8Array, at: number, { words, word }: CpuCursor, hasOutcome: boolean): number {
    const func = word + this.#exit.func;
    const symbol = this.#context.symbols.find(words[func + 1]!, words[func]!);
    if (symbol === undefined && !hasOutcome) return at;
    at = symbol === undefined ? putBytes(out, at, COMMENT_START) : putBytes(out, putBytes(out, at, COMMENT), symbol.name);
    if (hasOutcome) at = this.#appended.put(out, at);
    return putBytes(out, at, COMMENT_END);
  }
}
