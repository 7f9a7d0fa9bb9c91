import { Label } from '../machine/operands.js';
import type { ProbedThunkFunction } from '../machine/probe-machine.js';
import type { CommonCode } from './build-code.js';
import type { Thunk } from './thunks.js';

/** Code for memory at the address for which it was built. */
export interface ProbedThunk {
  readonly bytes: Uint8Array;
  readonly thunk: Thunk;
}

/** Builds what a function's site goes to while it has probes. As all thunks it is never rewritten. */
export function buildProbedThunk(common: CommonCode, address: number, probed: Omit<ProbedThunkFunction, 'goesOn'>): ProbedThunk {
  const { site } = probed;
  const { machine } = common;
  const code = machine.assembler(address);
  const body = new Label();
  const goesOn = site.form === 'jump' ? body : site.resume;
  const thunk = machine.probes.functionThunk(code, common, { ...probed, goesOn });
  if (goesOn === body) {
    code.bind(body);
    code.append(site.body(code.here));
  }
  return { bytes: code.finish(), thunk };
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
  const { machine } = common;
  const code = machine.assembler(address);
  machine.probes.placeThunk(code, common, number);
  code.append(body(code.here));
  return code.finish();
}
