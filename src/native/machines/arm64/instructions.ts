import { field } from './encode.js';

/**
 * The instructions of arm64 that fentry emits, as words. Registers are numbers; 31 is the stack pointer or the register that
 * reads as 0, as the instruction has it.
 */

export const SP = 31;
export const ZERO = 31;

/** Operands of 32 or 64 bits. */
export type Width = 32 | 64;
/** What a load or store moves. */
export type Size = 8 | 16 | 32 | 64;

const wide = (width: Width): number => (width === 64 ? 0x80000000 : 0);
/** Two bits of a load or store. */
const sizeBits = (size: Size): number => Math.log2(size / 8) * 0x40000000;
/** Parts of a word that do not overlap. */
const word = (...parts: readonly number[]): number => parts.reduce((sum, part) => (sum | part) >>> 0, 0);
const rd = (register: number): number => register;
const rn = (register: number): number => register << 5;
const rm = (register: number): number => register << 16;

const ADD_IMMEDIATE = { add: 0x11000000, adds: 0x31000000, sub: 0x51000000, subs: 0x71000000 } as const;
const REGISTERS = {
  add: 0x0b000000,
  adds: 0x2b000000,
  sub: 0x4b000000,
  subs: 0x6b000000,
  and: 0x0a000000,
  orr: 0x2a000000,
  eor: 0x4a000000,
  ands: 0x6a000000,
  adc: 0x1a000000,
  sbc: 0x5a000000,
  lslv: 0x1ac02000,
  lsrv: 0x1ac02400,
  asrv: 0x1ac02800,
  mul: 0x1b007c00,
} as const;
const MULTIPLY_HIGH = { smulh: 0x9b407c00, umulh: 0x9bc07c00 } as const;
const BITFIELDS = { sbfm: 0x13000000, bfm: 0x33000000, ubfm: 0x53000000 } as const;
const MOVES = { movn: 0x12800000, movz: 0x52800000, movk: 0x72800000 } as const;
const ACCESSES = { str: 0, ldr: 1, ldrs: 2 } as const;
const PAIRS = { stp: 0xa9000000, ldp: 0xa9400000, 'stp!': 0xa9800000, 'ldp+': 0xa8c00000 } as const;
const VECTOR_PAIRS = { stp: 0xad000000, ldp: 0xad400000 } as const;
/** Exclusive accesses, and the store that releases. */
const EXCLUSIVE = { ldxr: 0x085f7c00, stxr: 0x08007c00, stlr: 0x089ffc00 } as const;
const CONDITIONS = {
  eq: 0,
  ne: 1,
  hs: 2,
  lo: 3,
  mi: 4,
  pl: 5,
  vs: 6,
  vc: 7,
  hi: 8,
  ls: 9,
  ge: 10,
  lt: 11,
  gt: 12,
  le: 13,
} as const;
export type BranchCondition = keyof typeof CONDITIONS;

/** System registers that programs can read: their thread's pointer, the counter that all processors share, the flags. */
const SYSTEM = { tpidr_el0: 0xd53bd040, cntvct_el0: 0xd53be040, nzcv: 0xd53b4200 } as const;

/** An addition of a number with 12 bits, or 12 bits shifted by 12. */
export const addImmediate = (name: keyof typeof ADD_IMMEDIATE, width: Width, to: number, from: number, value: number): number =>
  value < 4096
    ? word(wide(width), ADD_IMMEDIATE[name], value << 10, rn(from), rd(to))
    : word(wide(width), ADD_IMMEDIATE[name], 1 << 22, (value >>> 12) << 10, rn(from), rd(to));

/** Whether `addImmediate` takes a value. */
export const isAddImmediate = (value: number): boolean =>
  value >= 0 && (value < 4096 || (value < 4096 * 4096 && value % 4096 === 0));

/** Operations of two registers; the second one of add, sub and the logical ones shifted left. */
export const registers = (
  name: keyof typeof REGISTERS,
  width: Width,
  to: number,
  first: number,
  second: number,
  shift = 0,
): number => word(wide(width), REGISTERS[name], rm(second), shift << 10, rn(first), rd(to));

export const multiplyHigh = (name: keyof typeof MULTIPLY_HIGH, to: number, first: number, second: number): number =>
  word(MULTIPLY_HIGH[name], rm(second), rn(first), rd(to));

export const bitfield = (
  name: keyof typeof BITFIELDS,
  width: Width,
  to: number,
  from: number,
  rotate: number,
  last: number,
): number => word(wide(width), BITFIELDS[name], width === 64 ? 1 << 22 : 0, rotate << 16, last << 10, rn(from), rd(to));

export const countLeadingZeros = (width: Width, to: number, from: number): number =>
  word(wide(width), 0x5ac01000, rn(from), rd(to));

/** A part of 16 bits, number `half`. */
export const movePart = (name: keyof typeof MOVES, width: Width, to: number, half: number, part: number): number =>
  word(wide(width), MOVES[name], half << 21, part << 5, rd(to));

/**
 * At a distance from the base that is a multiple of the size, up to 4095 of them. `ldrs` reads 32 bits with their sign into 64.
 */
export const accessAt = (name: keyof typeof ACCESSES, size: Size, register: number, base: number, distance: number): number =>
  word(sizeBits(size), 0x39000000, ACCESSES[name] << 22, (distance / (size / 8)) << 10, rn(base), rd(register));

export const isAccessDistance = (size: Size, distance: number): boolean =>
  distance >= 0 && distance % (size / 8) === 0 && distance / (size / 8) < 4096;

/** At a distance of 9 bits with their sign: `mode` says whether the base is changed, before or after. */
const NEAR = { plain: 0, after: 0x400, before: 0xc00 } as const;
export const accessNear = (
  name: keyof typeof ACCESSES,
  size: Size,
  register: number,
  base: number,
  distance: number,
  mode: keyof typeof NEAR = 'plain',
): number => word(sizeBits(size), 0x38000000, ACCESSES[name] << 22, (distance & 0x1ff) << 12, NEAR[mode], rn(base), rd(register));

export const isNear = (distance: number): boolean => distance >= -256 && distance < 256;

/** At base + index, the index scaled by the size if that is asked for. */
export const accessIndexed = (
  name: keyof typeof ACCESSES,
  size: Size,
  register: number,
  base: number,
  index: number,
  scaled: boolean,
): number => word(sizeBits(size), 0x38206800, ACCESSES[name] << 22, rm(index), scaled ? 1 << 12 : 0, rn(base), rd(register));

/** Two registers of 64 bits at a distance of up to 504 bytes; `stp!` moves the base there first, `ldp+` afterwards. */
export const pair = (name: keyof typeof PAIRS, first: number, second: number, base: number, distance: number): number =>
  word(PAIRS[name], ((distance / 8) & 0x7f) << 15, second << 10, rn(base), rd(first));

/** Two vector registers of 128 bits at a distance of up to 1008 bytes. */
export const vectorPair = (
  name: keyof typeof VECTOR_PAIRS,
  first: number,
  second: number,
  base: number,
  distance: number,
): number => word(VECTOR_PAIRS[name], ((distance / 16) & 0x7f) << 15, second << 10, rn(base), rd(first));

/** ldxr, stxr (its result goes into `status`) and stlr, at a register. */
export const exclusive = (name: keyof typeof EXCLUSIVE, size: Size, register: number, base: number, status = 0): number =>
  word(sizeBits(size), EXCLUSIVE[name], rm(status), rn(base), rd(register));

export const readSystem = (name: keyof typeof SYSTEM, to: number): number => word(SYSTEM[name], rd(to));
export const writeFlags = (from: number): number => word(0xd51b4200, rd(from));

/** Branches by a distance in bytes. Throw ERANGE beyond 1 MiB. */
export const branchIf = (condition: BranchCondition, distance: number): number =>
  word(0x54000000, field(distance / 4, 19, 0, distance) << 5, CONDITIONS[condition]);
export const branchIfNotZero = (width: Width, register: number, distance: number): number =>
  word(wide(width), 0x35000000, field(distance / 4, 19, 0, distance) << 5, rd(register));

/** ldr of the 64 bits at a distance from the instruction. Throws ERANGE beyond 1 MiB. */
export const loadLiteral = (register: number, distance: number): number =>
  word(0x58000000, field(distance / 4, 19, 0, distance) << 5, rd(register));

/** Branches to a register. */
const TO_REGISTER = { br: 0xd61f0000, blr: 0xd63f0000, ret: 0xd65f0000 } as const;
export const branchTo = (name: keyof typeof TO_REGISTER, register: number): number => word(TO_REGISTER[name], rn(register));

/** The address at a distance from the instruction. Throws ERANGE beyond 1 MiB. */
export function addressOf(to: number, distance: number): number {
  const bytes = field(distance, 21, 0, distance);
  return word(0x10000000, (bytes & 3) << 29, (bytes >>> 2) << 5, rd(to));
}

/** The page of 4 KiB of an address, from an instruction at another. Throws ERANGE beyond 4 GiB. */
export function pageOf(to: number, at: number, target: number): number {
  const pages = field(Math.floor(target / 4096) - Math.floor(at / 4096), 21, at, target);
  return word(0x90000000, (pages & 3) << 29, (pages >>> 2) << 5, rd(to));
}

/** Sign the address in x17 with x16 and a key; NOPs where the processor cannot. */
export const SIGN = { a: 0xd503211f, b: 0xd503215f } as const;

/** Accesses before it are seen before those behind it; `loads`: loads before it, before any access behind it. */
export const BARRIER = { all: 0xd5033bbf, loads: 0xd50339bf } as const;
export const SYSTEM_CALL = 0xd4000001;
/** No instruction, for ever. */
export const UNDEFINED = 0;

/** Instructions of floating point: a register of 64 bits kept on the stack, read from a place, given back; and as an integer. */
export const keepDouble = (register: number): number => word(0xfc1f0c00, rn(SP), rd(register));
export const restoreDouble = (register: number): number => word(0xfc410400, rn(SP), rd(register));
export const loadDouble = (register: number, base: number): number => word(0xfd400000, rn(base), rd(register));
export const doubleToInteger = (to: number, from: number): number => word(0x9e780000, rn(from), rd(to));
