import { isPlain } from '../../base/glob.js';
import { isObjectFile } from '../../base/is-object-file.js';
import type { MachineCode } from '../../port/port.js';
import { fetchRoot } from '../../probes/fetch-root.js';
import type { ProbeDefinition, WrittenPlace } from '../../probes/probe-definition.js';
import { ProbeRefusal } from '../../probes/probe-errors.js';
import { isInlined } from '../ftrace/code-lines.js';
import type { TextTable } from '../ftrace/text-table.js';
import { textsOfFile } from './find-place.js';
import { meantBy, type ProbeFunctions, type SymbolPlace } from './probe-functions.js';

/** Some function at a place, or in its text; undefined: none is known. */
function functionAt(place: WrittenPlace, functions: ProbeFunctions, table: TextTable): number | undefined {
  if (place.kind === 'symbol') return meantBy(place, functions)[0];
  if (place.kind === 'function line') return functions.find(place.symbol, undefined)[0];
  if (place.kind === 'address') return table.textAt(place.address)?.firstFunction;
  if (place.kind === 'line') return table.textsOf(place.file)[0]?.firstFunction;
  if (place.kind === 'file offset') return textsOfFile(table, place.file)[0]?.firstFunction;
  return undefined;
}

/** Whether functions that a glob means are machine code: of all of them, of some, of none. */
function partOf(place: SymbolPlace, code: MachineCode, functions: ProbeFunctions): 'all' | 'some' | 'none' {
  const meant = meantBy(place, functions);
  const own = meant.filter((n) => code.has(n)).length;
  if (own === 0) return 'none';
  return own < meant.length ? 'some' : 'all';
}

/** @throws ProbeRefusal if a glob means functions of JavaScript too, of which values are fetched in another way */
export function checkGlob(
  { place, args }: Pick<ProbeDefinition, 'place' | 'args'>,
  code: MachineCode | undefined,
  functions: ProbeFunctions,
): void {
  if (code === undefined || code.isAll || place.kind !== 'symbol' || isPlain(place.symbol) || args.length === 0) return;
  if (partOf(place, code, functions) !== 'some') return;
  throw new ProbeRefusal('BAD_FETCH_ARG', 'the glob means functions of JavaScript and of machine code: write MODULE:GLOB', 0);
}

/** The machine code in which a place is; undefined: it is in other text. */
export function machineCodeAt(
  place: WrittenPlace,
  code: MachineCode | undefined,
  functions: ProbeFunctions,
  table: TextTable,
): MachineCode | undefined {
  if (code === undefined || code.isAll) return code;
  if (place.kind === 'symbol' && !isPlain(place.symbol)) return partOf(place, code, functions) === 'all' ? code : undefined;
  const n = functionAt(place, functions, table);
  if (n !== undefined) return code.has(n) ? code : undefined;
  const isCode =
    (place.kind === 'file offset' && isObjectFile(place.file)) ||
    (place.kind === 'symbol' && place.offset === 0 && isInlined(table, place.symbol)) ||
    (place.kind === 'function line' && isInlined(table, place.symbol));
  return isCode ? code : undefined;
}

/** @throws ProbeRefusal if a probe of machine code asks for what is not there */
export function checkMachineCode({ kind, args }: ProbeDefinition, code: MachineCode): void {
  if (kind === 'settled') throw new ProbeRefusal('FAIL_REG_PROBE', 'machine code returns no promises');
  for (const [i, { fetch, type }] of args.entries()) {
    if (type.name === 'symstr') throw new ProbeRefusal('BAD_TYPE', 'a native program does not know its symbols: use symbol', i);
    const root = fetchRoot(fetch);
    if (root.kind !== 'symbol' || code.addressOf(root.name) !== undefined) continue;
    throw new ProbeRefusal('BAD_PROBE_ADDR', `there is no ${root.name}`, undefined, 'ENOENT');
  }
}
