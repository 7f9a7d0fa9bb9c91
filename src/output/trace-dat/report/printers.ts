import type { EventFormat } from '../../../events/define.js';
import type { EventPrinter, PrinterTables } from './event-printer.js';
import { FunctionPrinter } from './function-printer.js';
import { GraphEntryPrinter, GraphExitPrinter } from './graph-printers.js';
import { PrintFormatPrinter } from './print-format-printer.js';
import { RepeatsPrinter } from './repeats-printer.js';
import { BputsPrinter, PrintPrinter, StackPrinter } from './text-printers.js';

/** An event of the file: the name in its line, and the printer of the rest. */
export interface NamedPrinter {
  /** ` name: ` and spaces up to the column where all begin. */
  readonly name: Uint8Array;
  readonly printer: EventPrinter;
}

type Make = (format: EventFormat, context: PrinterTables, formats: ReadonlyMap<string, EventFormat>) => EventPrinter;

/** Printers of the events for which trace-cmd also has special printers. */
const PRINTERS: Readonly<Record<string, Make>> = {
  function: (format, context) => new FunctionPrinter(format, context),
  funcgraph_entry: (format, context, formats) => {
    const exit = formats.get('funcgraph_exit');
    return exit === undefined ? new PrintFormatPrinter(format, context) : new GraphEntryPrinter(format, exit, context);
  },
  funcgraph_exit: (format, context) => new GraphExitPrinter(format, context),
  print: (format, context) => new PrintPrinter(format, context),
  bputs: (format, context) => new BputsPrinter(format, context),
  func_repeats: (format, context) => new RepeatsPrinter(format, context),
  kernel_stack: (format, context) => new StackPrinter(format, context),
};

const NAME_COLUMN = 20;
/** To limit the length of the line. */
const MAX_NAME = 256;

const namePart = (name: string): Uint8Array =>
  Buffer.from(` ${name.slice(0, MAX_NAME)}: ${' '.repeat(Math.max(0, NAME_COLUMN - name.length))}`, 'utf8');

/** The printers of a file's events by their common_type. */
export function makePrinters(formats: readonly EventFormat[], context: PrinterTables): (NamedPrinter | undefined)[] {
  const byName = new Map(formats.filter(({ system }) => system === 'ftrace').map((format) => [format.name, format]));
  const printers: (NamedPrinter | undefined)[] = [];
  for (const format of formats) {
    if (format.id > 0xffff) continue;
    let printer: EventPrinter;
    try {
      printer =
        (format.system === 'ftrace' && PRINTERS[format.name]?.(format, context, byName)) ||
        new PrintFormatPrinter(format, context);
    } catch {
      printer = new PrintFormatPrinter(format, context);
    }
    printers[format.id] = { name: namePart(format.name), printer };
  }
  return printers;
}

/** For a common_type that the file has no format of. */
export function unknownPrinter(id: number): NamedPrinter {
  return {
    name: namePart('(NULL)'),
    printer: { put: (out, at) => at + Buffer.from(out.buffer, out.byteOffset).write(`[UNKNOWN EVENT ${id}]`, at) },
  };
}
