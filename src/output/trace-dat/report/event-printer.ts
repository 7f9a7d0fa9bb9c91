import type { RecordMerge } from '../../record-merge.js';
import type { TimeColumn } from './clock.js';
import type { KallsymsTable } from './kallsyms-table.js';
import type { ReportOptions } from './report-options.js';

/** The common data of the printers of a file's events. */
export interface PrinterTables {
  readonly symbols: KallsymsTable;
  readonly options: ReportOptions;
  /** How the file's times are shown. */
  readonly time: TimeColumn;
  /** Texts of trace_printk formats by address, as printk_formats lists them. */
  readonly printkFormats: ReadonlyMap<string, string>;
}

/** Writes what follows the event's name on its line. */
export interface EventPrinter {
  /** Writes at `at`, returns where it stopped. May take the record that follows along. */
  put(out: Uint8Array, at: number, record: RecordMerge): number;
}
