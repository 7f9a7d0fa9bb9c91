import { hexAddress } from '../../base/address.js';
import { kallsymsLine, type SymbolTable } from '../../ftrace/symbols.js';
import { LOADED_BEFORE } from '../../ftrace/text.js';
import type { TraceFile } from '../tracefs/node.js';
import { readOnly } from '../tracefs/text-file.js';
import { functionText } from './filter-files.js';
import type { FunctionTable } from './function-table.js';

/** What the lists of functions need of the process. */
export interface ListedProcess {
  functions(): FunctionTable;
  symbols(): SymbolTable;
}

const LINES_PER_PIECE = 512;

/** One line for each function for which `line` returns one, in pieces of many lines. */
function* functionLines(table: FunctionTable, line: (n: number) => string | undefined): Generator<string> {
  let piece = '';
  let lines = 0;
  for (const n of table.numbers()) {
    const text = line(n);
    if (text === undefined) continue;
    piece += text;
    if (++lines % LINES_PER_PIECE === 0) {
      yield piece;
      piece = '';
    }
  }
  yield piece;
}

const hasSite = (table: FunctionTable, n: number): boolean => table.reason(n) === undefined;

/** available_filter_functions: every function that can be traced. */
export const availableFilterFunctions = (process: ListedProcess): TraceFile =>
  readOnly(() => {
    const functions = process.functions();
    return functionLines(functions, (n) => (hasSite(functions, n) ? `${functionText(functions, n)}\n` : undefined));
  });

/** available_filter_functions_addrs: the same with the address of each before it. */
export const availableFilterFunctionsAddrs = (process: ListedProcess): TraceFile =>
  readOnly(() => {
    const functions = process.functions();
    return functionLines(functions, (n) =>
      hasSite(functions, n) ? `${hexAddress(functions.address(n))} ${functionText(functions, n)}\n` : undefined,
    );
  });

/** functions_without_sites: the functions that cannot be traced, their places, and the reasons. */
export const functionsWithoutSites = (process: ListedProcess): TraceFile =>
  readOnly(() => {
    const functions = process.functions();
    return functionLines(functions, (n) => {
      const reason = functions.reason(n) ?? (functions.isLoadedBefore(n) ? LOADED_BEFORE : undefined);
      return reason === undefined ? undefined : `${functionText(functions, n)}\t${functions.location(n)}\t${reason}\n`;
    });
  });

/**
 * `name [module] (2) R`, whose trampoline the site calls when it is one subscriber's own, and whether a breakpoint is the site.
 */
function callersLine(table: FunctionTable, n: number): string {
  const trampoline = table.trampoline(n);
  const regs = `${table.wantsRegs(n) ? ' R' : '  '}${table.isModified(n) ? ' I' : '  '}  `;
  const tramp = trampoline === undefined ? '' : `\ttramp: ftrace_trampoline (${trampoline})`;
  const by = table.isLoadedBefore(n) ? '\tbreakpoint' : '';
  return `${functionText(table, n)} (${table.refs(n)})${regs}${tramp}${by}\n`;
}

/** enabled_functions: the number of subscribers of each traced function, and the trampoline if there is only one. */
export const enabledFunctions = (process: ListedProcess): TraceFile =>
  readOnly(() => {
    const functions = process.functions();
    return functionLines(functions, (n) => (functions.refs(n) === 0 ? undefined : callersLine(functions, n)));
  });

/** touched_functions: the same for every function that was ever traced. */
export const touchedFunctions = (process: ListedProcess): TraceFile =>
  readOnly(() => {
    const functions = process.functions();
    return functionLines(functions, (n) => (functions.touched(n) ? callersLine(functions, n) : undefined));
  });

/** dyn_ftrace_total_info: functions with sites, the pages that their records take, and linked texts. */
export const dynFtraceTotalInfo = (process: ListedProcess): TraceFile => readOnly(() => process.functions().totalInfo());

/** kallsyms: all symbols, including fentry's own. */
export const kallsyms = (process: ListedProcess): TraceFile =>
  readOnly(function* () {
    let piece = '';
    let lines = 0;
    for (const symbol of process.symbols().parts()) {
      piece += kallsymsLine(symbol);
      if (++lines % LINES_PER_PIECE === 0) {
        yield piece;
        piece = '';
      }
    }
    yield piece;
  });
