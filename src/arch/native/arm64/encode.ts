import { hexAddress } from '../../../base/address.js';
import { TraceError } from '../../../base/errno.js';
import type { SiteUse } from '../text/site.js';

/** The instructions of arm64 that sites and moved code are made of, as words. */

export const NOP = 0xd503201f;
/** mov x9, x30: what a call at a function's entry would lose. */
export const MOV_X9_LR = 0xaa1e03e9;
export const INSTRUCTION_LENGTH = 4;

/** Instructions at which an indirect call may arrive: bti c, bti jc. Sites come after them. */
export const isLandingPad = (word: number): boolean => (word & ~0x80) >>> 0 === 0xd503245f;

const BRANCHES: Readonly<Record<SiteUse, number>> = { call: 0x94000000, jump: 0x14000000 };
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
/** svc #0: a system call, whose number is in x8. */
export const SVC = 0xd4000001;
export const RET = 0xd65f03c0;
/** bti jc: an indirect call or jump may arrive here. Elsewhere it is a NOP. */
export const LANDING_PAD = 0xd50324df;
/** The number of the stack pointer, and of the register that is always zero. */
export const SP = 31;

/** mov of a number of 64 bits, with its sign, in as few instructions as it takes. */
export function loadNumber(register: number, value: number): number[] {
  const bits = BigInt.asUintN(64, BigInt(value));
  const halves = [0, 1, 2, 3].map((half) => Number((bits >> BigInt(16 * half)) & 0xffffn));
  const rest = value < 0 ? 0xffff : 0;
  const first = Math.max(
    halves.findIndex((part) => part !== rest),
    0,
  );
  // movz or movn, then movk.
  const start = rest === 0 ? 0xd2800000 : 0x92800000;
  return halves.flatMap((part, half) => {
    if (half !== first && (half < first || part === rest)) return [];
    const shown = half === first ? part ^ rest : part;
    return [((half === first ? start : 0xf2800000) | (half << 21) | (shown << 5) | register) >>> 0];
  });
}

/** add or sub of a constant below 4096. */
export const addConstant = (to: number, from: number, value: number): number =>
  ((value < 0 ? 0xd1000000 : 0x91000000) | (Math.abs(value) << 10) | (from << 5) | to) >>> 0;

/** mov between registers, none of them sp. */
export const moveRegister = (to: number, from: number): number => (0xaa0003e0 | (from << 16) | to) >>> 0;

const scaled = (offset: number, bytes: number): number => offset / bytes;

/** str, ldr of a register of 64 bits; the offset is a multiple of 8, from 0 on. */
export const store = (register: number, base: number, offset = 0): number =>
  (0xf9000000 | (scaled(offset, 8) << 10) | (base << 5) | register) >>> 0;
export const load = (register: number, base: number, offset = 0): number =>
  (0xf9400000 | (scaled(offset, 8) << 10) | (base << 5) | register) >>> 0;

const PAIRS = { store: 0xa9000000, load: 0xa9400000, storeVectors: 0xad000000, loadVectors: 0xad400000 } as const;

/** stp, ldp of two registers of 64 bits, or of two vector registers of 128. */
export const pair = (what: keyof typeof PAIRS, first: number, second: number, base: number, offset = 0): number => {
  const bytes = what === 'store' || what === 'load' ? 8 : 16;
  return (PAIRS[what] | ((scaled(offset, bytes) & 0x7f) << 15) | (second << 10) | (base << 5) | first) >>> 0;
};

/** ldr of 64 bits that lie so many bytes from the instruction. */
export const loadLiteral = (register: number, distance: number): number =>
  (0x58000000 | (((distance / INSTRUCTION_LENGTH) & 0x7ffff) << 5) | register) >>> 0;

/** br and blr. */
export const branchRegister = (use: SiteUse, register: number): number =>
  ((use === 'call' ? 0xd63f0000 : 0xd61f0000) | (register << 5)) >>> 0;

/** cbnz of 64 bits, so many bytes ahead. */
export const branchIfNotZero = (register: number, distance: number): number =>
  (0xb5000000 | (((distance / INSTRUCTION_LENGTH) & 0x7ffff) << 5) | register) >>> 0;

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
