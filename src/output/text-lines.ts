import { addressAt } from '../base/address.js';
import { FTRACE_EVENTS } from '../events/ftrace-events.js';
import { readersOf } from '../events/read-fields.js';
import type { EventPrinter, MakePrinters } from './event-printers.js';
import { fieldWord, type TraceRecord, textRange } from './record.js';
import { hexText, printPlace, printSymbol } from './symbol-printer.js';
import type { TraceSeq } from './trace-seq.js';

const NEWLINE = 0x0a;
const SPACE = 0x20;
const PRINT_BUF = FTRACE_EVENTS.print.fields.buf.offset;
/** Behind the last frame of a stack. */
const NO_CALLER = -1;
const rawData = readersOf(FTRACE_EVENTS.raw_data);

/** Copies the text of a print record, without its trailing newline. */
export function printMessage(seq: TraceSeq, record: TraceRecord): void {
  const [start, length] = textRange(record, PRINT_BUF);
  const ends = length > 0 && record.bytes[start + length - 1] === NEWLINE;
  seq.putRange(record.bytes, start, ends ? length - 1 : length);
}

/** `tracing_mark_write: text` (trace_print_print). */
export const printPrinters: MakePrinters = (format, { symbols }) => {
  const ip = fieldWord(format, 'ip');
  const buf = fieldWord(format, 'buf') * 4;
  return {
    trace(seq, record) {
      printSymbol(seq, symbols, record.words, record.at + ip);
      seq.text(': ');
      seq.putRange(record.bytes, ...textRange(record, buf));
    },
    raw(seq, record) {
      seq.text('# ');
      seq.hex64(record.words[record.at + ip + 1]!, record.words[record.at + ip]!);
      seq.byte(SPACE);
      seq.putRange(record.bytes, ...textRange(record, buf));
    },
  };
};

/** Printers of trace_puts(), whose text stands outside of the ring buffer, in printk_formats (trace_bputs_print). */
export const bputsPrinters: MakePrinters = (format, { view, symbols }) => {
  const ip = fieldWord(format, 'ip');
  const str = fieldWord(format, 'str');
  return {
    trace(seq, { words, at }) {
      printSymbol(seq, symbols, words, at + ip);
      const address = hexText(words[at + str + 1]!, words[at + str]!);
      seq.text(`: ${view.printkFormats?.get(address) ?? `0x${address}`}`);
      if (seq.bytes[seq.length - 1] !== NEWLINE) seq.byte(NEWLINE);
    },
  };
};

/** A title, and a line for each frame below the event's line (trace_stack_print). */
export const stackPrinters: MakePrinters = (format, { view: { dialect }, stackSymbols: symbols }) => {
  const caller = fieldWord(format, 'caller');
  const { title, frame, hasAddresses } = dialect.stack;
  return {
    trace(seq, { words, at, size }) {
      seq.text(title);
      for (let index = at + caller; index + 1 < at + (size >> 2) && addressAt(words, index) !== NO_CALLER; index += 2) {
        seq.text(frame);
        const symbol = symbols.at(words, index);
        if (symbol === undefined) printSymbol(seq, symbols, words, index, dialect.graphHex);
        else {
          seq.put(symbol.name);
          if (hasAddresses) seq.text(` (${hexText(words[index + 1]!, words[index]!)})`);
          printPlace(seq, symbol);
        }
        seq.byte(NEWLINE);
      }
    },
  };
};

/** Printers of a stack of user space, which ends at an address of 0 (trace_user_stack_print). */
export const userStackPrinters: MakePrinters = (format, { symbols }) => {
  const caller = fieldWord(format, 'caller');
  return {
    trace(seq, { words, at, size }) {
      seq.text('<user stack trace>\n');
      for (let index = at + caller; index + 1 < at + (size >> 2); index += 2) {
        if (addressAt(words, index) === 0) break;
        seq.text(' => ');
        printSymbol(seq, symbols, words, index);
        seq.byte(NEWLINE);
      }
    },
  };
};

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

/** `# 1234 buf: 68 69` (trace_raw_data). */
export const rawDataPrinters: MakePrinters = () => ({ trace: printRawData, raw: printRawData });
