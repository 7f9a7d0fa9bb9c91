import type { EventFormat } from '../events/define.js';
import { FTRACE_EVENTS } from '../events/ftrace-events.js';
import { printedText } from '../events/print/printed-text.js';
import { readersOf } from '../events/read-fields.js';
import { asLine, SYSTEM } from '../events/synthetic/synthetic-event.js';
import type { EventPrinter, EventPrinters, MakePrinters, PrinterParts } from './event-printers.js';
import { functionPrinters, repeatsPrinters } from './function-lines.js';
import { GraphCalls } from './graph-calls.js';
import { asProbeLine, asSyscallLine } from './kernel-formats.js';
import { typeOf } from './record.js';
import { type StoredText, storedText } from './stored-text.js';
import { switchPrinters } from './switch-lines.js';
import { bputsPrinters, printPrinters, rawDataPrinters, stackPrinters, userStackPrinters } from './text-lines.js';
import type { TimeColumn } from './time-column.js';
import type { TraceView } from './trace-view.js';

const NEWLINE = 0x0a;
/** Characters that a line shows at most of a name, and of what a print format prints: a file may claim anything. */
const MAX_NAME = 256;
const MAX_TEXT = 1 << 15;

const sample = readersOf(FTRACE_EVENTS.hwlat);

/** Prints the samples of the hwlat tracer (trace_hwlat_print). */
const hwlatPrinters: MakePrinters = () => ({
  trace(seq, record) {
    const number = String(sample.seqnum(record)).padEnd(5);
    const inner = String(sample.duration(record)).padStart(4);
    const outer = String(sample.outer_duration(record)).padEnd(5);
    const nanos = String(sample.tv_nsec(record)).padStart(9, '0');
    seq.text(`#${number} inner/outer(us): ${inner}/${outer} ts:${sample.tv_sec(record)}.${nanos}`);
    seq.text(` count:${sample.count(record)}`);
    const interrupts = sample.nmi_count(record);
    if (interrupts !== 0) seq.text(` nmi-total:${sample.nmi_total_ts(record)} nmi-count:${interrupts}`);
    seq.text('\n');
  },
  raw(seq, record) {
    const nanos = String(sample.tv_nsec(record)).padStart(9, '0');
    seq.text(`${sample.duration(record)} ${sample.outer_duration(record)} ${sample.tv_sec(record)} `);
    seq.text(`${nanos} ${sample.seqnum(record)}\n`);
  },
});

/** Prints the type of an event that has no printer for the style (trace_nop_print). */
export const printType: EventPrinter = (seq, record) => seq.text(`type: ${typeOf(record)}\n`);

/** The events of group ftrace whose lines are made by code; which of them are, says the dialect. */
const BY_HAND: Readonly<Partial<Record<string, MakePrinters>>> = {
  function: functionPrinters,
  context_switch: (_, { view }) => switchPrinters(view, '==>'),
  wakeup: (_, { view }) => switchPrinters(view, '  +', '+'),
  kernel_stack: stackPrinters,
  print: printPrinters,
  funcgraph_exit(_, { view }) {
    const calls = new GraphCalls(view);
    return { trace: (seq, record) => calls.exit(seq, record) };
  },
  funcgraph_entry(_, { view }) {
    const calls = new GraphCalls(view);
    return { trace: (seq, record) => calls.entry(seq, record) };
  },
  user_stack: userStackPrinters,
  bputs: bputsPrinters,
  hwlat: hwlatPrinters,
  raw_data: rawDataPrinters,
  func_repeats: repeatsPrinters,
};

/** Printers of lines as the event's print format says. */
const formatPrinters: MakePrinters = (event, { view: { dialect }, symbols }) => {
  const printed = dialect.printsSynthetic && event.system === SYSTEM ? asLine(event) : event;
  const textOf = printedText(printed, {
    symbol: (address, withOffset) => symbols.text(address, withOffset),
    pointer: dialect.pointer,
    array: dialect.array,
  });
  return {
    trace(seq, record) {
      seq.text(textOf(record).slice(0, MAX_TEXT));
      if (!dialect.sharesNewline) seq.byte(NEWLINE);
    },
  };
};

function printersOf(event: EventFormat, parts: PrinterParts, isByHand: boolean): EventPrinters {
  const make = isByHand ? BY_HAND[event.name] : undefined;
  try {
    return (make ?? formatPrinters)(event, parts);
  } catch {
    // A file's format may lack a field.
    return formatPrinters(event, parts);
  }
}

/** The printers of an event, and what stands before its text. */
export interface NamedPrinters extends EventPrinters {
  readonly name: StoredText;
}

/** The printers of events by type, each made when its first record is met. */
export class EventLines {
  readonly #parts: PrinterParts;
  readonly #byType: (NamedPrinters | undefined)[] = [];

  constructor(view: TraceView, time: TimeColumn) {
    const { options } = view;
    const style = { module: options['sym-offset'], offset: options['sym-offset'], address: options['sym-addr'] };
    const symbols = view.symbols(style);
    this.#parts = { view, symbols, stackSymbols: view.stackSymbols?.(style) ?? symbols, time };
  }

  /** Undefined for a type of no event. */
  get(type: number): NamedPrinters | undefined {
    return this.#byType[type] ?? this.#add(type);
  }

  /** A type that is not known may become one: events come at run time. */
  #add(type: number): NamedPrinters | undefined {
    const { view } = this.#parts;
    const event = view.events.get(type);
    if (event === undefined) return undefined;
    const { byHand, nameWidth } = view.dialect;
    const isByHand = event.system === 'ftrace' && byHand.has(event.name);
    // In `trace` the kernel prints system calls and probes by hand; trace-cmd goes by their format.
    const syscall = nameWidth === undefined ? asSyscallLine(event) : undefined;
    const probe = nameWidth === undefined ? asProbeLine(event) : undefined;
    const name = `${event.name.slice(0, MAX_NAME)}: `.padEnd(nameWidth ?? 0);
    const printers = {
      ...printersOf(syscall ?? probe ?? event, this.#parts, isByHand),
      name: storedText(syscall !== undefined || (nameWidth === undefined && isByHand) ? '' : name),
    };
    this.#byType[type] = printers;
    return printers;
  }
}
