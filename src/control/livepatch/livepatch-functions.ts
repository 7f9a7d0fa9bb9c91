import { fileURLToPath } from 'node:url';
import { TraceError } from '../../base/errno.js';
import type { PatchedFunction, Replacement } from '../../ftrace/tracers/diversions.js';
import type { ProcessTracer } from '../ftrace/process-tracer.js';
import type { TextTable } from '../ftrace/text-table.js';
import { whyKept } from '../ftrace/why-kept.js';

/** A function that a live patch replaces, as sysfs names it: OBJECT/FUNCTION,SYMPOS. */
export interface LivepatchFunction {
  /** `vmlinux`, or the npm package. */
  readonly object: string;
  readonly name: string;
  /** The function's place among the functions of this name in the object, from 1. */
  readonly sympos: number;
}

/** A function that a patch replaces: as its files list it, and as threads patch it. */
export interface ResolvedFunction {
  readonly listed: LivepatchFunction;
  readonly patched: PatchedFunction;
}

/** `SYMBOL`, `SYMBOL,SYMPOS`, `SYMBOL [PACKAGE]`. */
const EXPORTED = /^([^\s,]+)(?:,(\d+))?(?: \[([^\]]+)\])?$/;
const OWN_PACKAGE = 'vmlinux';

const pathOf = (file: string): string => {
  try {
    return file.startsWith('file:') ? fileURLToPath(file.replace(/\?.*/, '')) : file;
  } catch {
    return file;
  }
};

/**
 * Finds the functions that the exports of a patch's file replace (klp_find_object_symbol): a name that several functions have
 * needs its package, or its place among them. Functions of the files of patches do not count.
 * @param files the paths of all files that were loaded as patches
 * @param isMeant which functions can be replaced by such a file: those of its own kind
 * @throws TraceError EINVAL if one is not found, not unique or cannot be replaced; EBUSY if it has an owner
 */
export function resolveReplacements(
  replacements: readonly Replacement[],
  files: ReadonlySet<string>,
  tracer: ProcessTracer,
  table: TextTable,
  isMeant: (n: number) => boolean,
): readonly ResolvedFunction[] {
  return replacements.map((replacement) => {
    const { symbol } = replacement;
    const [, name = '', place, module] = EXPORTED.exec(symbol) ?? [];
    const found = table.find(name, module, (n) => isMeant(n) && !files.has(pathOf(table.file(n))));
    const n = chosen(found, place, symbol, table);
    checkReplaceable(n, replacement, tracer, table);
    const object = table.module(n);
    const sympos = found.filter((other) => table.module(other) === object).indexOf(n) + 1;
    const { params, repack, start, end } = table.function(n);
    const low = table.address(n) >>> 0;
    return {
      listed: { object: object === '' ? OWN_PACKAGE : object, name, sympos },
      patched: { n, params, symbol, start: low, end: low + end - start, ...(repack !== undefined && { repack }) },
    };
  });
}

/** @throws TraceError EBUSY if one of the functions has an owner */
export function checkOwners(functions: readonly ResolvedFunction[], tracer: ProcessTracer): void {
  for (const { patched } of functions) checkOwner(patched.n, patched.symbol, tracer);
}

function checkOwner(n: number, symbol: string, tracer: ProcessTracer): void {
  const owner = tracer.diversions.ownerOf(n);
  if (owner !== undefined) throw new TraceError('EBUSY', `${symbol} has an owner that may replace it: ${owner}`);
}

function chosen(found: readonly number[], place: string | undefined, symbol: string, table: TextTable): number {
  const n = place === undefined || place === '0' ? found[0] : found[Number(place) - 1];
  if (n === undefined) throw new TraceError('EINVAL', `no function of the program is called ${symbol}`);
  if ((place === undefined || place === '0') && found.length > 1) {
    const places = found.map((one, index) => `${symbol},${index + 1} is ${table.location(one)}`).join('; ');
    throw new TraceError('EINVAL', `${found.length} functions are called ${symbol}: ${places}`);
  }
  return n;
}

function checkReplaceable(n: number, { symbol, repack }: Replacement, tracer: ProcessTracer, table: TextTable): void {
  const kept = whyKept(tracer, table, n);
  if (kept !== undefined) throw new TraceError('EINVAL', `${symbol} cannot be replaced: ${kept}`);
  checkOwner(n, symbol, tracer);
  const old = table.function(n).repack;
  if (old === '')
    throw new TraceError('EINVAL', `${symbol} cannot be replaced: the values of its parameters cannot be passed on`);
  if (old !== undefined && old !== repack) {
    throw new TraceError(
      'EINVAL',
      `the parameters of ${symbol} are not the same: a list with patterns or default values needs one with the same names in the same places`,
    );
  }
}
