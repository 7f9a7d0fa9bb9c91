import type { DynFtraceRecords } from '../../ftrace/records.js';
import type { TextTable } from './text-table.js';

/** Why a function cannot be replaced; undefined if it can. */
export function whyKept(
  tracer: { readonly records: Pick<DynFtraceRecords, 'isLoadedBefore'> },
  table: TextTable,
  n: number,
): string | undefined {
  if (tracer.records.isLoadedBefore(n)) return 'it was loaded before fentry, and has no site';
  return table.reason(n) ?? table.function(n).kept;
}
