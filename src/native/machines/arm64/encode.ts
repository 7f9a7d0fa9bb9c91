import { hexAddress } from '../../../base/address.js';
import { TraceError } from '../../../base/errno.js';
import type { SiteUse } from '../../text/site.js';

/** The instructions of arm64 that sites and moved code are made of, as words. */

export const NOP = 0xd503201f;
/** mov x9, x30: what a call at a function's entry would lose. */
export const MOV_X9_LR = 0xaa1e03e9;
export const INSTRUCTION_LENGTH = 4;

/** Instructions at which an indirect call may arrive: bti c, bti jc. Sites come after them. */
export const isLandingPad = (word: number): boolean => (word & ~0x80) >>> 0 === 0xd503245f;

/** paciasp, pacibsp: they sign the return address, and an indirect call may arrive at them too. */
export const signsReturn = (word: number): boolean => (word & ~0x40) >>> 0 === 0xd503233f;
/** bti c: an indirect call may arrive here. */
export const CALL_PAD = 0xd503245f;

const BRANCHES: Readonly<Record<SiteUse, number>> = { call: 0x94000000, jump: 0x14000000 };
/** bl */
export const isCall = (word: number): boolean => (word & 0xfc000000) >>> 0 === BRANCHES.call;
/** blr */
export const isIndirectCall = (word: number): boolean => (word & 0xfffffc1f) >>> 0 === 0xd63f0000;
/** A branch reaches 128 MiB. */
const BRANCH_BITS = 26;

/** A field with a sign: its low bits. Throws ERANGE if the value does not fit. */
export function field(value: number, bits: number, from: number, to: number): number {
  if (value < -(2 ** (bits - 1)) || value >= 2 ** (bits - 1)) {
    throw new TraceError('ERANGE', `${hexAddress(to)} is too far away from ${hexAddress(from)}`);
  }
  return (value & (2 ** bits - 1)) >>> 0;
}

/** b or bl from an address to another. Throws ERANGE beyond 128 MiB. */
export const branch = (use: SiteUse, at: number, target: number): number =>
  (BRANCHES[use] | field((target - at) / INSTRUCTION_LENGTH, BRANCH_BITS, at, target)) >>> 0;

/** movz and movk: an address of 48 bits in a register. */
export const loadAddress = (register: number, address: number): number[] =>
  [0, 1, 2].map((half) => {
    const part = Math.floor(address / 2 ** (16 * half)) % 2 ** 16;
    return ((half === 0 ? 0xd2800000 : 0xf2800000) | (half << 21) | (part << 5) | register) >>> 0;
  });

/** b to itself. */
export const JUMP_TO_ITSELF = 0x14000000;
/** bti jc: an indirect call or jump may arrive here. Elsewhere it is a NOP. */
export const LANDING_PAD = 0xd50324df;

/** Words as they lie in memory. */
export const bytesOf = (words: readonly number[]): Uint8Array => {
  const bytes = Buffer.alloc(words.length * INSTRUCTION_LENGTH);
  for (const [i, word] of words.entries()) bytes.writeUInt32LE(word >>> 0, i * INSTRUCTION_LENGTH);
  return Uint8Array.from(bytes);
};

/** The words of code; what does not fill one is left out. */
export const wordsOf = (code: Uint8Array): number[] => {
  const bytes = Buffer.from(code.buffer, code.byteOffset, code.length);
  return Array.from({ length: bytes.length >> 2 }, (_, i) => bytes.readUInt32LE(4 * i));
};
