import type { NativeSite } from '../text/site.js';
import { Assembler } from '../x86-64/assembler.js';
import { Label, mem, RSP } from '../x86-64/operands.js';
import type { CommonCode } from './build-code.js';
import type { ParentPlace } from './function-trampoline.js';
import { EXIT_DISTANCE, type SlotPlace } from './graph-trampolines.js';

/** A function that is to be traced. */
export interface TracedFunction {
  /** Its number: the index in the arena's table of functions. */
  readonly n: number;
  readonly site: Pick<NativeSite, 'form' | 'returnSlot' | 'resume' | 'body'>;
}

/** What the site of a function must do to be traced, and where its code is. */
export interface Thunk {
  readonly address: number;
  readonly use: 'call' | 'jump';
}

export interface FunctionThunks {
  readonly n: number;
  /** For the function tracer. */
  readonly function: Thunk;
  /** For function_graph; absent if the function's return address cannot be found. */
  readonly graph?: Thunk;
}

/** The code of some functions, for memory at the address for which it was built. */
export interface ThunkCode {
  readonly bytes: Uint8Array;
  readonly thunks: readonly FunctionThunks[];
}

const WORD = 8;

/** Builds the thunks of functions. They are never rewritten and never unmapped: a stack may lead into them at any time. */
export function buildThunks(common: CommonCode, address: number, functions: readonly TracedFunction[]): ThunkCode {
  const code = new Assembler(address);
  const thunks = functions.map(({ n, site }): FunctionThunks => {
    // Where the function goes on: behind the site, or in a copy of the instructions that the site took the place of.
    const body = new Label();
    const goesOn = site.form === 'jump' ? body : site.resume;
    const entry = emitFunctionThunk(code, common, n, site, goesOn);
    const graph = emitGraphThunk(code, common, n, site, goesOn);
    if (goesOn === body) {
      code.bind(body);
      code.append(site.body(code.here));
    }
    return graph === undefined ? { n, function: entry } : { n, function: entry, graph };
  });
  return { bytes: code.finish(), thunks };
}

type Site = TracedFunction['site'];
type Place = Label | number;

function emitFunctionThunk(code: Assembler, common: CommonCode, n: number, site: Site, goesOn: Place): Thunk {
  code.align(16);
  const address = code.here;
  const use = site.form === 'jump' ? 'jump' : 'call';
  const parent: ParentPlace = site.returnSlot !== 'top' ? 'in the frame' : use === 'jump' ? 'behind a jump' : 'behind a call';
  code.push(n);
  code.call(common.functionEntry[parent]);
  if (use === 'call') code.ret();
  else code.jmp(goesOn);
  return { address, use };
}

function emitGraphThunk(code: Assembler, common: CommonCode, n: number, site: Site, goesOn: Place): Thunk | undefined {
  if (site.returnSlot === 'copy') return undefined;
  const place: SlotPlace = site.returnSlot === 'top' ? 'on the stack' : 'in the frame';
  code.align(16);
  const address = code.here;
  code.push(n);
  code.call(common.graphEntry[place]);
  const returned = code.here;
  const use = place === 'on the stack' || site.form === 'jump' ? 'jump' : 'call';
  if (place === 'on the stack') {
    code.jump('b', goesOn);
    // The call puts the exit where the return address was: calls and returns stay paired.
    code.lea(RSP, mem(RSP, WORD));
    code.call(goesOn);
  } else if (use === 'call') code.ret();
  else throw new Error(`function ${n}: a jump in the midst of a function, which has built its frame`);
  if (code.here - returned !== EXIT_DISTANCE[place]) throw new Error('a thunk of another form');
  code.jmp(common.graphExit);
  return { address, use };
}

/**
 * Builds the thunk of a function with operations: it does them and goes on with another thunk of the function, if there is one. Its operations
 * are those of the table of functions.
 */
export function buildListThunk(common: CommonCode, address: number, { n, site }: TracedFunction, next?: Thunk): Uint8Array {
  const code = new Assembler(address);
  const use = next?.use ?? listUse(site);
  code.push(n);
  code.call(common.listEntry[site.returnSlot !== 'top' ? 'in the frame' : use === 'jump' ? 'behind a jump' : 'behind a call']);
  if (next !== undefined) code.jmp(next.address);
  else if (use === 'call') code.ret();
  else code.append(site.body(code.here));
  return code.finish();
}

/** What the site does whose thunk has only operations. */
export const listUse = ({ form }: Pick<NativeSite, 'form'>): Thunk['use'] => (form === 'jump' ? 'jump' : 'call');
