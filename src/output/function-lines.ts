import type { Long } from '../events/c-types.js';
import type { EventFormat } from '../events/define.js';
import { FTRACE_EVENTS } from '../events/ftrace-events.js';
import { readersOf } from '../events/read-fields.js';
import { AppendedEntry } from './appended.js';
import type { EventPrinter, EventPrinters, MakePrinters, PrinterParts } from './event-printers.js';
import { indentedDepth } from './graph-depth.js';
import { fieldWord, type TraceRecord } from './record.js';
import { storedText } from './stored-text.js';
import { printPlace, printSymbol } from './symbol-printer.js';
import type { TraceSeq } from './trace-seq.js';

/**
 * Guesses the depth of a function from its caller: each CPU keeps the last chain of functions, and a function is one below its
 * caller. Deeper entries stay until they are overwritten.
 */
class CallerStacks {
  readonly #stacks: number[][] = [];

  /** The depth of the caller (0 when it was not in the chain). Functions are numbers of 1 or more; 0 is unknown. */
  depth(cpu: number, parent: number, child: number): number {
    const stack = (this.#stacks[cpu] ??= []);
    const length = stack.length;
    for (let i = 0; i < length; i++) {
      if (stack[i] === parent) {
        if (child !== 0) stack[i + 1] = child;
        return i;
      }
    }
    stack[0] = parent;
    if (child !== 0) stack[1] = child;
    return 0;
  }
}

const NEWLINE = 0x0a;
const SPACE = 0x20;
const OPEN = 0x28;
const CLOSE = 0x29;
const INDENT = 3;
const repeats = readersOf(FTRACE_EVENTS.func_repeats);

/** Prints the caller of a function, if it is wanted and known. */
function parentPrinter(format: EventFormat, { view, symbols }: PrinterParts): EventPrinter {
  const parentIp = fieldWord(format, 'parent_ip');
  const arrow = storedText(view.dialect.parent);
  if (!view.options['print-parent']) return () => {};
  return (seq, { words, at }) => {
    const index = at + parentIp;
    if (view.dialect.skipsNoParent && words[index] === 0 && words[index + 1] === 0) return;
    seq.put(arrow);
    printSymbol(seq, symbols, words, index);
  };
}

/** A 64-bit field in hex, most significant digit first, and a blank (trace_seq_putmem_hex). */
function hexField(seq: TraceSeq, { words }: TraceRecord, index: number): void {
  seq.hex(words[index + 1]!, 8);
  seq.hex(words[index]!, 8);
  seq.byte(SPACE);
}

/** The styles of `function` but `trace`: its two addresses. */
function addressStyles(ip: number, parentIp: number): Omit<EventPrinters, 'trace'> {
  return {
    raw(seq, { words, at }) {
      seq.hex64(words[at + ip + 1]!, words[at + ip]!);
      seq.byte(SPACE);
      seq.hex64(words[at + parentIp + 1]!, words[at + parentIp]!);
      seq.byte(NEWLINE);
    },
    hex(seq, record) {
      hexField(seq, record, record.at + ip);
      hexField(seq, record, record.at + parentIp);
    },
    bin(seq, { bytes, at }) {
      seq.putRange(bytes, (at + ip) * 4, 8);
      seq.putRange(bytes, (at + parentIp) * 4, 8);
    },
  };
}

/** `parse(text="x") <-main`; if the view wants it, indented below the caller (trace_fn_trace). */
export const functionPrinters: MakePrinters = (format, parts) => {
  const { view, symbols } = parts;
  const ip = fieldWord(format, 'ip');
  const parentIp = fieldWord(format, 'parent_ip');
  const printParent = parentPrinter(format, parts);
  const appended = new AppendedEntry();
  const stacks = new CallerStacks();
  const { size } = FTRACE_EVENTS.function;
  return {
    trace(seq, record) {
      const { words, at } = record;
      const func = symbols.at(words, at + ip);
      if (view.isIndented === true) {
        const parent = symbols.at(words, at + parentIp);
        if (parent !== undefined) seq.spaces(indentedDepth(stacks.depth(record.cpu, parent.id, func?.id ?? 0)) * INDENT);
      }
      if (func !== undefined) seq.put(func.name);
      else printSymbol(seq, symbols, words, at + ip);
      if (view.hasAppended && record.size > size) {
        appended.take(record, size, false);
        seq.byte(OPEN);
        appended.printArguments(seq, func?.params, func?.registers);
        seq.byte(CLOSE);
      }
      if (func !== undefined) printPlace(seq, func);
      printParent(seq, record);
      seq.byte(NEWLINE);
    },
    ...addressStyles(ip, parentIp),
  };
};

/** An address as `%lu` shows it. */
const unsigned = (address: Long): bigint => BigInt.asUintN(64, BigInt(address));

/**
 * `parse <-main (repeats: 3, last_ts: 12.345678)`: how often a call was repeated, and when the last time was
 * (trace_func_repeats_print).
 */
export const repeatsPrinters: MakePrinters = (format, parts) => {
  const { view, symbols, time } = parts;
  const ip = fieldWord(format, 'ip');
  const count = fieldWord(format, 'count');
  const bottom = fieldWord(format, 'bottom_delta_ts');
  const printParent = parentPrinter(format, parts);
  const [before, after] = view.dialect.repeats;
  const countOf = ({ words, at }: TraceRecord): number => words[at + count]! & 0xffff;
  // top_delta_ts shares a word with count, and the two of them fill it.
  const deltaOf = ({ words, at }: TraceRecord): number => (words[at + count]! >>> 16) * 2 ** 32 + words[at + bottom]!;
  return {
    trace(seq, record) {
      printSymbol(seq, symbols, record.words, record.at + ip);
      printParent(seq, record);
      seq.text(`${before}${countOf(record)}${after}`);
      time.print(seq, record.ts - deltaOf(record));
      seq.text(')\n');
    },
    raw(seq, record) {
      const [from, parent] = [unsigned(repeats.ip(record)), unsigned(repeats.parent_ip(record))];
      seq.text(`${from} ${parent} ${countOf(record)} ${deltaOf(record)}\n`);
    },
  };
};
