import { hexAddress } from '../../../base/address.js';
import { TraceError } from '../../../base/errno.js';
import { CompiledSite } from '../../text/compiled-site.js';
import type { SiteUse } from '../../text/site.js';
import { nopOf } from './nops.js';

/** A direct call or jump: an opcode and the distance from its end. */
const OPCODES: Readonly<Record<SiteUse, number>> = { call: 0xe8, jump: 0xe9 };
export const BRANCH_LENGTH = 5;

/** The distance from an address to another as an instruction has it. Throws ERANGE beyond 2 GiB. */
export function distance(from: number, to: number): number {
  if (to - from === ((to - from) | 0)) return to - from;
  throw new TraceError('ERANGE', `${hexAddress(to)} is too far away from ${hexAddress(from)}`);
}

/** The instruction at an address that calls or jumps to another. Throws ERANGE beyond 2 GiB. */
export function branch(use: SiteUse, at: number, target: number): Uint8Array {
  const far = distance(at + BRANCH_LENGTH, target);
  return Uint8Array.of(OPCODES[use], far, far >> 8, far >> 16, far >> 24);
}

/** A branch with a NOP behind it, of so many bytes in all. */
export function branchAndNop(use: SiteUse, at: number, target: number, length: number): Uint8Array {
  if (length === BRANCH_LENGTH) return branch(use, at, target);
  const bytes = new Uint8Array(length);
  bytes.set(branch(use, at, target));
  bytes.set(nopOf(length - BRANCH_LENGTH), BRANCH_LENGTH);
  return bytes;
}

/** A site whose bytes may be a NOP: at least 5 of them. */
export class CallSite extends CompiledSite {
  get nop(): Uint8Array {
    return nopOf(this.compiled.length);
  }

  armed(target: number, use: SiteUse): Uint8Array {
    return branchAndNop(use, this.address, target, this.compiled.length);
  }

  body(at: number): Uint8Array {
    return branch('jump', at, this.resume);
  }
}
