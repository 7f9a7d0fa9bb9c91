import { Label } from '../machine/operands.js';
import type { Thunk, ThunkFunction } from '../machine/thunk.js';
import type { CommonCode } from './build-code.js';

export type { Thunk } from '../machine/thunk.js';

/** A function that is to be traced. */
export type ThunkedFunction = Omit<ThunkFunction, 'goesOn'>;

export interface FunctionThunks {
  /** The function's number: the index in the arena's table of functions. */
  readonly n: number;
  /** For the function tracer; absent if it was not asked for. */
  readonly function?: Thunk;
  /** For function_graph; absent if it was not asked for, or the function's return address cannot be found. */
  readonly graph?: Thunk;
}

/** The code of some functions, for memory at the address for which it was built. */
export interface ThunkCode {
  readonly bytes: Uint8Array;
  readonly thunks: readonly FunctionThunks[];
}

/** What thunks are made for. */
export type ThunkTracer = 'function' | 'function_graph';

const BOTH: readonly ThunkTracer[] = ['function', 'function_graph'];

/** Builds the thunks of functions. They are never rewritten and never unmapped: a stack may lead into them at any time. */
export function buildThunks(
  common: CommonCode,
  address: number,
  functions: readonly ThunkedFunction[],
  tracers: readonly ThunkTracer[] = BOTH,
): ThunkCode {
  const { machine } = common;
  const code = machine.assembler(address);
  const thunks = functions.map(({ n, site }): FunctionThunks => {
    // Where the function goes on: behind the site, or in a copy of the instructions that the site took the place of.
    const body = new Label();
    const goesOn = site.form === 'jump' ? body : site.resume;
    code.align(16);
    const entry = tracers.includes('function') ? machine.functionThunk(code, common, { n, site, goesOn }) : undefined;
    code.align(16);
    const graph = tracers.includes('function_graph') ? machine.graphThunk(code, common, { n, site, goesOn }) : undefined;
    if (goesOn === body) {
      code.bind(body);
      code.append(site.body(code.here));
    }
    return { n, ...(entry && { function: entry }), ...(graph && { graph }) };
  });
  return { bytes: code.finish(), thunks };
}

/**
 * Builds the thunk of a function with operations: it does them and goes on with another thunk of the function, if there is one.
 * Its operations are those of the table of functions.
 */
export function buildListThunk(common: CommonCode, address: number, { n, site }: ThunkedFunction, next?: Thunk): Uint8Array {
  const code = common.machine.assembler(address);
  common.machine.listThunk(code, common, { n, site, goesOn: site.resume }, next);
  return code.finish();
}

/** What the site does whose thunk has only operations. */
export const listUse = ({ form }: Pick<ThunkedFunction['site'], 'form'>): Thunk['use'] => (form === 'jump' ? 'jump' : 'call');
