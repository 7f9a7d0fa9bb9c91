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
  readonly port: { readonly machineCode?: Pick<MachineCode, 'has' | 'isAll'> };
}

type FunctionPoint = Extract<ScriptPoint, { kind: 'function' }>;

const matching = (pattern: string): ((text: string) => boolean) =>
  isPlain(pattern) ? (text) => text === pattern : compileGlob(pattern).test;

/** Which functions count: those of machine code, or all others. */
export type CodeKind = 'machine code' | 'other';

/**
 * Whether a point means functions of machine code, too: a glob does only where there is no other text, because Node itself has
 * tens of thousands.
 */
export const meansMachineCode = ({ symbol }: FunctionPoint, { port }: Pick<ScriptFunctionsNeeds, 'port'>): boolean =>
  port.machineCode !== undefined && (port.machineCode.isAll || isPlain(symbol));

/** Whether a function is one of those at which a point stands: a test of numbers. */
export function functionTestOf(
  point: FunctionPoint,
  { table, port }: ScriptFunctionsNeeds,
  kind: CodeKind = 'other',
): (n: number) => boolean {
  if (kind === 'machine code' && !meansMachineCode(point, { port })) return () => false;
  const { symbol, module, file, line, at } = point;
  const isName = matching(symbol);
  const isModule = module === undefined ? undefined : matching(module);
  const isFile = file === undefined ? undefined : isPlain(file) ? (path: string) => isEndOf(file, path) : compileGlob(file).test;
  return (n) => {
    if (!isName(table.name(n)) || table.reason(n) !== undefined) return false;
    if ((port.machineCode?.has(n) === true) !== (kind === 'machine code')) return false;
    if (isModule?.(table.module(n)) === false || isFile?.(table.authorsFile(n)) === false) return false;
    if (line !== undefined && table.line(n) !== line) return false;
    return at === 'entry' || table.function(n).unheard === undefined;
  };
}

/** The functions at which a point stands now. */
export function functionsOf(point: FunctionPoint, needs: ScriptFunctionsNeeds, kind?: CodeKind): readonly number[] {
  const { listed } = needs.tracer.names();
  return listed.filter(functionTestOf(point, needs, kind));
}
