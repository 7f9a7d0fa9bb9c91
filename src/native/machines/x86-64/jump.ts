import { Refused } from '../../../base/refused.js';
import type { PlacedCode } from '../../text/code-place.js';
import { MovedSite } from '../../text/site.js';
import { type KnownUses, USE } from '../../text/start-places.js';
import { Decoder, type FlowKind } from './decode.js';
import { movedCode } from './move.js';
import { nopLength } from './nops.js';
import { BRANCH_LENGTH, branchAndNop, INT3 } from './site.js';

/**
 * Functions that were compiled without a site: whether a jump can take the place of their first instructions, as the kernel asks
 * it for a kprobe (can_optimize() of arch/x86/kernel/kprobes/opt.c).
 */

/** Why not, as in `functions_without_sites`. */
export const NO_JUMP = {
  short: 'compiled without a site, and too short for a jump',
  unknown: 'compiled without a site, and its first instructions are not known',
  target: 'compiled without a site, and a jump goes to the middle of its first 5 bytes',
  pointer: 'compiled without a site, and a table or pointer has an address in the middle of its first 5 bytes',
  data: 'compiled without a site, and its first 5 bytes are read as data',
  loop: 'compiled without a site, and a loop goes back to its first instruction',
  call: 'compiled without a site, and its first 5 bytes have a call and more',
  stack: 'compiled without a site, and its first instructions depend on where the stack is',
} as const;

const ENDBR64 = 0xfa1e0ff3;
/** pop to a register: 58 to 5f. */
const POP = 0x58;
/** Bits of ModRM behind ff. */
const FAR_CALL = 3;

/** Whether an instruction finds something at the stack pointer that a call put there, and would find it elsewhere if moved. */
function needsStack(decoder: Decoder, code: Buffer, at: number): boolean {
  const { map, opcode, modrm, opcodeAt } = decoder;
  if (map !== 0) return false;
  if ((opcode & 0xf8) === POP) return true;
  // A far call puts more there than a moved call does.
  if (opcode === 0xff && ((modrm >> 3) & 7) === FAR_CALL) return true;
  // call *8(%rsp): the address that a moved call pushes first would shift it.
  return decoder.flow === 'call' && modrm !== -1 && modrm >> 6 !== 3 && (modrm & 7) === 4 && (code[at + opcodeAt + 2]! & 7) === 4;
}

/** The length of what fills the space behind a function, at an offset; 0: it is something else. */
const paddingLength = (code: Buffer, at: number): number => (code[at] === INT3 ? 1 : nopLength(code, at));

/** A site of as many instructions as a jump takes the place of. */
export class JumpSite extends MovedSite {
  protected jumpTo(target: number): Uint8Array {
    return branchAndNop('jump', this.address, target, this.compiled.length);
  }

  body(at: number): Uint8Array {
    return movedCode({ code: this.compiled, address: this.address }, 0, this.moved, at);
  }
}

/**
 * The site of a function: or the reason why it cannot have one.
 *
 * @param placed its bytes and those behind it up to the next function, where they are in the process
 * @param size of the function
 * @param known what of the object is used, at the file's addresses
 * @param start the function's there
 */
export function jumpSite(placed: PlacedCode, size: number, known: KnownUses, start: number): JumpSite | Refused {
  const { code } = placed;
  const from = size >= 4 && code.readUInt32LE(0) === ENDBR64 ? 4 : 0;
  const decoder = new Decoder();
  let end = from;
  let instructionsEnd = from;
  let flow: FlowKind = 'next';
  let pointed = 0;
  while (end - from < BRANCH_LENGTH) {
    if (flow === 'call') return new Refused(NO_JUMP.call);
    const isOver = flow === 'jump' || flow === 'return';
    if (isOver) {
      // Nothing runs what fills the space behind the function.
      const padding = paddingLength(code, end);
      if (padding === 0) return new Refused(NO_JUMP.short);
      end += padding;
      continue;
    }
    if (end >= size) return new Refused(NO_JUMP.short);
    // Pointers lead to instructions: a number that only looks like one mostly does not.
    if (end > from) pointed |= known.uses(start + end, start + end + 1) & USE.pointed;
    if (!decoder.read(code, end)) return new Refused(NO_JUMP.unknown);
    if (needsStack(decoder, code, end)) return new Refused(NO_JUMP.stack);
    flow = decoder.flow;
    end += decoder.length;
    instructionsEnd = end;
  }
  if (end > code.length) return new Refused(NO_JUMP.short);
  const uses = known.uses(start + from + 1, start + end);
  if (uses & USE.jumped) return new Refused(NO_JUMP.target);
  if (pointed !== 0) return new Refused(NO_JUMP.pointer);
  const first = known.uses(start, start + 1) | known.uses(start + from, start + from + 1);
  if ((uses | first) & USE.data) return new Refused(NO_JUMP.data);
  if (first & USE.loop) return new Refused(NO_JUMP.loop);
  const compiled = Uint8Array.prototype.slice.call(code, from, end);
  return new JumpSite(placed.address + from, compiled, instructionsEnd - from);
}
