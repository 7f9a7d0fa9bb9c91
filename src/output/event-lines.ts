import { addressAt } from '../base/address.js';
import type { Long } from '../events/c-types.js';
import type { EventFormat } from '../events/define.js';
import { FTRACE_EVENTS } from '../events/ftrace-events.js';
import { printedText } from '../events/print/printed-text.js';
import { readersOf } from '../events/read-fields.js';
import { asLine, SYSTEM } from '../events/synthetic/synthetic-event.js';
import { printTime } from './context.js';
import type { EventPrinter, EventPrinters } from './event-printers.js';
import { HWLAT_PRINTERS } from './hwlat-lines.js';
import { type TraceRecord, textRange, typeOf } from './record.js';
import { printArgs } from './rendered-args.js';
import { switchPrinters } from './switch-lines.js';
import { kernelDialect, SymbolPrinter } from './symbol-printer.js';
import type { TraceSeq } from './trace-seq.js';
import type { TraceView } from './trace-view.js';

const NEWLINE = 0x0a;
const SPACE = 0x20;
const IP = FTRACE_EVENTS.function.fields.ip.offset >> 2;
const PARENT_IP = FTRACE_EVENTS.function.fields.parent_ip.offset >> 2;
const PRINT_BUF = FTRACE_EVENTS.print.fields.buf.offset;
const STACK_CALLER = FTRACE_EVENTS.kernel_stack.fields.caller.offset >> 2;
const repeats = readersOf(FTRACE_EVENTS.func_repeats);
const rawData = readersOf(FTRACE_EVENTS.raw_data);
/** Behind the last frame of a stack. */
const NO_CALLER = -1;

/** A 64-bit field in hex, most significant digit first, and a blank (trace_seq_putmem_hex). */
function hexField(seq: TraceSeq, record: TraceRecord, word: number): void {
  seq.hex(record.words[record.at + word + 1]!, 8);
  seq.hex(record.words[record.at + word]!, 8);
  seq.byte(SPACE);
}

const binField = (seq: TraceSeq, record: TraceRecord, word: number): void =>
  seq.putRange(record.bytes, (record.at + word) * 4, 8);

/** Prints the type of an event that has no printer for the style (trace_nop_print). */
export const printType: EventPrinter = (seq, record) => seq.text(`type: ${typeOf(record)}\n`);

/** Copies the text of a print record, without its trailing newline. */
export function printMessage(seq: TraceSeq, record: TraceRecord): void {
  const [start, length] = textRange(record, PRINT_BUF);
  const ends = length > 0 && record.bytes[start + length - 1] === NEWLINE;
  seq.putRange(record.bytes, start, ends ? length - 1 : length);
}

function functionPrinters(view: TraceView, symbols: SymbolPrinter): EventPrinters {
  const parents = view.options['print-parent'];
  return {
    trace(seq, record) {
      const { words, at } = record;
      symbols.print(seq, words, at + IP);
      if (record.size > FTRACE_EVENTS.function.size) {
        const from = at * 4 + FTRACE_EVENTS.function.size;
        printArgs(seq, view.symbols.find(addressAt(words, at + IP)), record.bytes, from, at * 4 + record.size);
      }
      if (parents && (words[at + PARENT_IP] !== 0 || words[at + PARENT_IP + 1] !== 0)) {
        seq.text(' <-');
        symbols.print(seq, words, at + PARENT_IP);
      }
      seq.byte(NEWLINE);
    },
    raw(seq, { words, at }) {
      seq.hex64(words[at + IP + 1]!, words[at + IP]!);
      seq.byte(SPACE);
      seq.hex64(words[at + PARENT_IP + 1]!, words[at + PARENT_IP]!);
      seq.byte(NEWLINE);
    },
    hex(seq, record) {
      hexField(seq, record, IP);
      hexField(seq, record, PARENT_IP);
    },
    bin(seq, record) {
      binField(seq, record, IP);
      binField(seq, record, PARENT_IP);
    },
  };
}

/** An address as `%lu` shows it. */
const unsigned = (address: Long): bigint => BigInt.asUintN(64, BigInt(address));

/** How long before the record the last repeat was: 16 high and 32 low bits. */
const deltaOf = (record: TraceRecord): number => repeats.top_delta_ts(record) * 2 ** 32 + repeats.bottom_delta_ts(record);

function repeatsPrinters(view: TraceView, symbols: SymbolPrinter): EventPrinters {
  const parents = view.options['print-parent'];
  return {
    trace(seq, record) {
      const { words, at } = record;
      symbols.print(seq, words, at + IP);
      if (parents && (words[at + PARENT_IP] !== 0 || words[at + PARENT_IP + 1] !== 0)) {
        seq.text(' <-');
        symbols.print(seq, words, at + PARENT_IP);
      }
      seq.text(` (repeats: ${repeats.count(record)}, last_ts:`);
      printTime(seq, record.ts - deltaOf(record), view.clockInNs);
      seq.text(')\n');
    },
    raw(seq, record) {
      const [ip, parent] = [unsigned(repeats.ip(record)), unsigned(repeats.parent_ip(record))];
      seq.text(`${ip} ${parent} ${repeats.count(record)} ${deltaOf(record)}\n`);
    },
  };
}

function printPrinters(symbols: SymbolPrinter): EventPrinters {
  return {
    trace(seq, record) {
      symbols.print(seq, record.words, record.at + IP);
      seq.text(': ');
      seq.putRange(record.bytes, ...textRange(record, PRINT_BUF));
    },
    raw(seq, record) {
      seq.text('# ');
      seq.hex64(record.words[record.at + IP + 1]!, record.words[record.at + IP]!);
      seq.byte(SPACE);
      seq.putRange(record.bytes, ...textRange(record, PRINT_BUF));
    },
  };
}

function stackPrinter(title: string, symbols: SymbolPrinter): EventPrinter {
  return (seq, { words, at, size }) => {
    seq.text(title);
    for (let word = at + STACK_CALLER; word + 1 < at + (size >> 2); word += 2) {
      const caller = addressAt(words, word);
      if (caller === NO_CALLER || caller === 0) break;
      seq.text(' => ');
      symbols.print(seq, words, word);
      seq.byte(NEWLINE);
    }
  };
}

const printRawData: EventPrinter = (seq, record) => {
  seq.text('# ');
  seq.hex(rawData.id(record));
  seq.text(' buf:');
  for (const byte of rawData.buf(record)) {
    seq.byte(SPACE);
    seq.hex(byte, 2);
  }
  seq.byte(NEWLINE);
};

/** Makes the printers of an event, for one open file. */
type MakePrinters = (view: TraceView, symbols: SymbolPrinter) => EventPrinters;

/** The events of group ftrace whose lines are made by hand, as in the kernel (kernel/trace/trace_output.c). */
const BY_HAND: Readonly<Partial<Record<string, MakePrinters>>> = {
  function: functionPrinters,
  context_switch: (view) => switchPrinters(view, '==>'),
  wakeup: (view) => switchPrinters(view, '  +', '+'),
  kernel_stack: (_, symbols) => ({ trace: stackPrinter('<stack trace>\n', symbols) }),
  print: (_, symbols) => printPrinters(symbols),
  user_stack: (_, symbols) => ({ trace: stackPrinter('<user stack trace>\n', symbols) }),
  hwlat: () => HWLAT_PRINTERS,
  raw_data: () => ({ trace: printRawData, raw: printRawData }),
  func_repeats: repeatsPrinters,
};

/** The printers of events by type, each made when its first record is met. */
export class EventLines {
  readonly #view: TraceView;
  readonly #symbols: SymbolPrinter;
  readonly #byType = new Map<number, EventPrinters | undefined>();

  constructor(view: TraceView) {
    const { options } = view;
    const style = { module: options['sym-offset'], offset: options['sym-offset'], address: options['sym-addr'] };
    this.#view = view;
    this.#symbols = new SymbolPrinter(view.symbols, style);
  }

  /** Undefined for a type that nobody prints. */
  get(type: number): EventPrinters | undefined {
    const known = this.#byType.get(type);
    if (known !== undefined || this.#byType.has(type)) return known;
    const event = this.#view.events.get(type);
    const printers = event && this.#printersOf(event);
    this.#byType.set(type, printers);
    return printers;
  }

  #printersOf(event: EventFormat): EventPrinters | undefined {
    const byHand = event.system === 'ftrace' ? BY_HAND[event.name] : undefined;
    if (byHand !== undefined) return byHand(this.#view, this.#symbols);
    const printed = event.system === SYSTEM ? asLine(event) : event;
    const textOf = printedText(printed, kernelDialect(this.#view.symbols));
    return {
      trace(seq, record) {
        seq.text(`${event.name}: ${textOf(record)}`);
        seq.byte(NEWLINE);
      },
    };
  }
}
