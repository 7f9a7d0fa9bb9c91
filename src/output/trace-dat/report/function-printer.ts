import type { EventFormat } from '../../../events/define.js';
import { FTRACE_EVENTS } from '../../../events/ftrace-events.js';
import { indentedDepth } from '../../graph-depth.js';
import type { TraceRecord } from '../../record.js';
import { AppendedEntry } from './appended.js';
import { CallerStacks } from './caller-stacks.js';
import type { EventPrinter, PrinterTables } from './event-printer.js';
import { fieldWord } from './field.js';
import { putBytes, putSpaces } from './put.js';
import { putAddress, putSymbol } from './put-symbol.js';

const INDENT = 3;
const PARENT_ARROW = Buffer.from(' <-- ', 'latin1');
const OPEN = 40;
const CLOSE = 41;

/** `function`: the function, indented below its caller if that was seen on this CPU. */
export class FunctionPrinter implements EventPrinter {
  readonly #context: PrinterTables;
  readonly #ip: number;
  readonly #parentIp: number;
  readonly #showIndent: boolean;
  readonly #showParent: boolean;
  readonly #extras: boolean;
  readonly #stacks = new CallerStacks();
  readonly #appended = new AppendedEntry();

  constructor(format: EventFormat, context: PrinterTables) {
    this.#context = context;
    this.#ip = fieldWord(format, 'ip');
    this.#parentIp = fieldWord(format, 'parent_ip');
    this.#showIndent = context.options.indent ?? true;
    this.#showParent = context.options.parent ?? false;
    this.#extras = context.options.extras ?? true;
  }

  put(out: Uint8Array, at: number, record: TraceRecord): number {
    const { symbols } = this.#context;
    const { words } = record;
    const ip = record.at + this.#ip;
    const parentIp = record.at + this.#parentIp;
    const func = symbols.at(words, ip);
    const parent = symbols.at(words, parentIp);
    if (parent !== undefined && this.#showIndent) {
      const depth = this.#stacks.depth(record.cpu, parent.id, func?.id ?? 0);
      at = putSpaces(out, at, indentedDepth(depth) * INDENT);
    }
    at = func === undefined ? putAddress(out, at, words[ip + 1]!, words[ip]!) : putBytes(out, at, func.name);
    if (this.#extras && record.size > FTRACE_EVENTS.function.size) {
      this.#appended.take(record, FTRACE_EVENTS.function.size, false);
      out[at] = OPEN;
      at = this.#appended.putArguments(out, at + 1);
      out[at++] = CLOSE;
    }
    if (!this.#showParent) return at;
    return putSymbol(out, putBytes(out, at, PARENT_ARROW), symbols, words, parentIp);
  }
}
