import type { Place } from '../../answers/place.js';
import { placeWord } from '../../answers/place-word.js';
import { type Imported, SymbolPlaceLines } from '../../answers/symbol-places.js';
import { hexAddress } from '../../base/address.js';
import { kallsymsLine, type SymbolTable, type TextSymbol } from '../../ftrace/symbols.js';
import { LOADED_BEFORE } from '../../ftrace/text.js';
import type { TraceFile } from '../tracefs/node.js';
import { readOnly } from '../tracefs/text-file.js';
import { functionText } from './filter-files.js';
import type { FunctionTable } from './function-table.js';
import type { StackPlacesTable } from './stack-places.js';

/** What the lists of functions need of the process. */
export interface ListedProcess {
  functions(): FunctionTable;
  symbols(): SymbolTable;
  placeOf(symbol: TextSymbol): Place | undefined;
  imported(symbol: TextSymbol): Imported | undefined;
  readonly stackPlaces: Pick<StackPlacesTable, 'all'>;
  /** The application's folder. */
  readonly folder: string;
}

const LINES_PER_PIECE = 512;

/** Lines in pieces of many. */
function* inPieces(lines: Iterable<string>): Generator<string> {
  let piece = '';
  let count = 0;
  for (const line of lines) {
    piece += line;
    if (++count % LINES_PER_PIECE !== 0) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

/** One line for each function for which `line` returns one, in pieces of many lines. */
function functionLines(table: FunctionTable, line: (n: number) => string | undefined): Generator<string> {
  function* lines(): Generator<string> {
    for (const n of table.numbers()) {
      const text = line(n);
      if (text !== undefined) yield text;
    }
  }
  return inPieces(lines());
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

/** function_places: the same with the place of each behind it, in its author's source. */
export const functionPlaces = (process: ListedProcess): TraceFile =>
  readOnly(() => {
    const functions = process.functions();
    return functionLines(functions, (n) =>
      hasSite(functions, n) ? `${functionText(functions, n)} ${placeWord(functions.place(n))}\n` : undefined,
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
export const kallsyms = (process: ListedProcess): TraceFile => readOnly(() => inPieces(symbolLines(process)));

function* symbolLines(process: ListedProcess): Generator<string> {
  for (const symbol of process.symbols().parts()) yield kallsymsLine(symbol);
}

/** kallsyms_places: where the functions and files of kallsyms are defined, and where addresses of stacks are. */
export const kallsymsPlaces = (process: ListedProcess): TraceFile =>
  readOnly(function* () {
    const lines = new SymbolPlaceLines();
    yield lines.folder(process.folder);
    yield* inPieces(placeLines(process, lines));
  });

function* placeLines(process: ListedProcess, lines: SymbolPlaceLines): Generator<string> {
  for (const symbol of process.symbols().from(0)) {
    const place = process.placeOf(symbol);
    if (place !== undefined) yield lines.symbol(symbol.address, place);
    const imported = process.imported(symbol);
    if (imported !== undefined) yield lines.module(symbol.address, imported);
  }
  for (const [address, place] of process.stackPlaces.all()) yield lines.inStack(address, place);
}
