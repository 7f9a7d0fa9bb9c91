import { hexAddress } from '../../../base/address.js';
import { TraceError } from '../../../base/errno.js';
import type { FindLeftParts } from '../../machine/machine.js';
import { CompiledSite, type SiteUse } from '../../text/site.js';
import { nopOf } from './nops.js';

/** A direct call or jump: an opcode and the distance from its end. */
const OPCODES: Readonly<Record<SiteUse, number>> = { call: 0xe8, jump: 0xe9 };
export const BRANCH_LENGTH = 5;
/** The breakpoint: one byte. */
export const INT3 = 0xcc;

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

/** Other bytes that are no farther from a jump than this belong to the same site. */
const SITE_BYTES = 16;

/** The calls, jumps and breakpoints that are left. */
export const leftParts: FindLeftParts = ({ text, original, address, isLeft, traps }) => {
  const view = new DataView(text.buffer, text.byteOffset, text.length);
  const leads = (at: number): boolean =>
    at >= 0 &&
    at + BRANCH_LENGTH <= text.length &&
    Object.values(OPCODES).includes(text[at]!) &&
    isLeft(address + at + BRANCH_LENGTH + view.getInt32(at + 1, true));
  const parts: [number, number][] = [];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === original[at]) continue;
    const jump = Array.from({ length: BRANCH_LENGTH }, (_, i) => at - i).find(leads);
    if (jump === undefined) {
      if (text[at] === INT3 && traps.has(address + at)) parts.push([at, at + 1]);
      continue;
    }
    let end = jump + BRANCH_LENGTH;
    for (let next = end; next < Math.min(jump + SITE_BYTES, text.length) && !leads(next); next++) {
      if (text[next] !== original[next]) end = next + 1;
    }
    parts.push([jump, end]);
    at = end - 1;
  }
  return parts;
};
