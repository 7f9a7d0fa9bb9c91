import { compileGlob, isPlain } from '../../base/glob.js';
import { isEndOf } from '../../base/is-end-of.js';
import type { MachineCode } from '../../port/port.js';
import type { ScriptPoint } from '../../script/program.js';
import type { ProcessTracer } from '../ftrace/process-tracer.js';
import type { TextTable } from '../ftrace/text-table.js';

/** What is needed of the process to find the functions of a point. */
export interface ScriptFunctionsNeeds {
  readonly table: TextTable;
  readonly tracer: Pick<ProcessTracer, 'names'>;
  readonly port: { readonly machineCode?: Pick<MachineCode, 'has'> };
}

type FunctionPoint = Extract<ScriptPoint, { kind: 'function' }>;

const matching = (pattern: string): ((text: string) => boolean) =>
  isPlain(pattern) ? (text) => text === pattern : compileGlob(pattern).test;

/** Whether a function is one of those at which a point stands: a test of numbers. */
export function functionTestOf(point: FunctionPoint, { table, port }: ScriptFunctionsNeeds): (n: number) => boolean {
  const { symbol, module, file, line, at } = point;
  const isName = matching(symbol);
  const isModule = module === undefined ? undefined : matching(module);
  const isFile = file === undefined ? undefined : isPlain(file) ? (path: string) => isEndOf(file, path) : compileGlob(file).test;
  return (n) => {
    if (!isName(table.name(n)) || table.reason(n) !== undefined || port.machineCode?.has(n) === true) return false;
    if (isModule?.(table.module(n)) === false || isFile?.(table.authorsFile(n)) === false) return false;
    if (line !== undefined && table.line(n) !== line) return false;
    return at === 'entry' || table.function(n).unheard === undefined;
  };
}

/** The functions at which a point stands now. */
export function functionsOf(point: FunctionPoint, needs: ScriptFunctionsNeeds): readonly number[] {
  const { listed } = needs.tracer.names();
  return listed.filter(functionTestOf(point, needs));
}
