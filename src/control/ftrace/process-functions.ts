import { FTRACE_FL } from '../../ftrace/records.js';
import type { FunctionTable } from './function-table.js';
import type { ProcessTracer } from './process-tracer.js';
import type { TextTable } from './text-table.js';

/** The functions that are decoded now, as the tree sees them: their texts, and what their sites call. */
export function processFunctions(table: TextTable, tracer: ProcessTracer): FunctionTable {
  const { records } = tracer;
  const has = (n: number, flag: number): boolean => (records.flags(n) & flag) !== 0;
  return {
    numbers: () => table.numbers(),
    count: table.count,
    name: (n) => table.name(n),
    find: (name, module) => table.find(name, module),
    module: (n) => table.module(n),
    address: (n) => table.address(n),
    params: (n) => table.function(n).params,
    reason: (n) => table.reason(n),
    kept: (n) => table.function(n).kept,
    isEarly: (n) => records.isEarly(n),
    location: (n) => table.location(n),
    refs: (n) => records.references(n),
    touched: (n) => has(n, FTRACE_FL.TOUCHED),
    wantsRegs: (n) => has(n, FTRACE_FL.REGS),
    isModified: (n) => has(n, FTRACE_FL.IPMODIFY),
    totalInfo: () => records.totalInfo(),
    trampoline: (n) => tracer.trampoline(n),
  };
}
