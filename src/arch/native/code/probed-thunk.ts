import type { ParentPlace, SlotPlace } from '../machine/machine.js';
import { Label, mem } from '../machine/operands.js';
import { Assembler } from '../x86-64/assembler.js';
import { RSP } from '../x86-64/registers.js';
import type { CommonCode } from './build-code.js';
import { RED_ZONE } from './probe-frame.js';
import type { Thunk, TracedFunction } from './thunks.js';

/** What a function's site goes to while it has probes: their numbers among the probed places, and the tracer that wants its calls. */
export interface ProbedFunction extends TracedFunction {
  readonly entry?: number | undefined;
  readonly exit?: number | undefined;
  readonly tracer?: 'function' | 'function_graph' | undefined;
}

/** Code for memory at the address for which it was built. */
export interface ProbedThunk {
  readonly bytes: Uint8Array;
  readonly thunk: Thunk;
}

const WORD = 8;

/**
 * Builds the thunk of a function that has probes: its entry's, then the tracer, then a return through the shadow stack if a return probe or
 * function_graph hears the end. As all thunks it is never rewritten.
 */
export function buildProbedThunk(common: CommonCode, address: number, probed: ProbedFunction): ProbedThunk {
  const { n, site, entry, exit, tracer } = probed;
  const code = new Assembler(address);
  const isTop = site.returnSlot === 'top';
  const use: Thunk['use'] = isTop || site.form === 'jump' ? 'jump' : 'call';
  const body = new Label();
  const goesOn = site.form === 'jump' ? body : site.resume;
  if (entry !== undefined) {
    code.push(entry);
    code.call(common.probeEntry[use === 'jump' ? 'jumped' : 'called']);
  }
  if (tracer === 'function') {
    const parent: ParentPlace = isTop ? 'behind a jump' : 'in the frame';
    code.push(n);
    code.call(common.functionEntry[parent]);
  }
  const followsReturn = site.returnSlot !== 'copy' && (exit !== undefined || tracer === 'function_graph');
  if (followsReturn) emitFollowed(code, common, probed, isTop ? 'on the stack' : 'in the frame', goesOn);
  else if (use === 'call') code.ret();
  else code.jmp(goesOn);
  if (goesOn === body) {
    code.bind(body);
    code.append(site.body(code.here));
  }
  return { bytes: code.finish(), thunk: { address, use } };
}

function emitFollowed(
  code: Assembler,
  common: CommonCode,
  { n, exit, tracer }: ProbedFunction,
  place: SlotPlace,
  goesOn: Label | number,
): void {
  const { graphEntry, probedEntry, graphExit, probeEntry } = common;
  const enter = exit === undefined ? graphEntry[place] : probedEntry[place][tracer === 'function_graph' ? 'with graph' : 'alone'];
  code.push(n);
  code.call(enter);
  const returned = code.here;
  if (place === 'on the stack') {
    code.jump('b', goesOn);
    code.lea(RSP, mem(RSP, WORD));
    code.call(goesOn);
  } else code.ret();
  if (code.here - returned !== common.machine.exitDistance[place]) throw new Error('a thunk of another form');
  if (exit !== undefined) {
    code.lea(RSP, mem(RSP, -WORD));
    code.push(exit);
    code.call(probeEntry.returned);
    code.lea(RSP, mem(RSP, WORD));
  }
  code.jmp(graphExit);
}

/**
 * Builds the thunk of any other probed place, to which a jump leads.
 * @param number of the probed place
 * @param body the instructions that the jump took the place of, for an address
 */
export function buildPlaceThunk(
  common: CommonCode,
  address: number,
  number: number,
  body: (at: number) => Uint8Array,
): Uint8Array {
  const code = new Assembler(address);
  code.lea(RSP, mem(RSP, -RED_ZONE));
  code.push(number);
  code.call(common.probeEntry.middle);
  code.lea(RSP, mem(RSP, RED_ZONE));
  code.append(body(code.here));
  return code.finish();
}
