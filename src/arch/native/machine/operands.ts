/** What instructions work on: registers, which have the names of x86-64's on all machines, memory, places in the code. */

/** A general register, by its number in the encoding. */
export type Register = { readonly register: number };

const register = (number: number): Register => ({ register: number });

export const RAX = register(0);
export const RCX = register(1);
export const RDX = register(2);
export const RBX = register(3);
export const RSP = register(4);
export const RBP = register(5);
export const RSI = register(6);
export const RDI = register(7);
export const R8 = register(8);
export const R9 = register(9);
export const R10 = register(10);
export const R11 = register(11);
export const R12 = register(12);
export const R13 = register(13);
export const R14 = register(14);
export const R15 = register(15);

/** A place in the code that is being assembled: bound once, used before or after. */
export class Label {
  /** Bytes from the code's start; undefined: not bound yet. */
  offset: number | undefined;
}

/** Memory: base + index * scale + disp; or what lies at a label; `fs`: from the thread pointer. */
export interface Memory {
  readonly base?: Register;
  readonly index?: Register;
  readonly scale?: 1 | 2 | 4 | 8;
  readonly disp: number;
  readonly fs?: true;
  readonly label?: Label;
}

/** Memory at a register, plus a displacement of 32 bits. */
export const mem = (base: Register, disp = 0): Memory => ({ base, disp });

/** The same with a scaled index, which may be any register but rsp. */
export const indexed = (base: Register, index: Register, scale: 1 | 2 | 4 | 8 = 1, disp = 0): Memory => ({
  base,
  index,
  scale,
  disp,
});

/** Memory at a displacement from the thread pointer. */
export const fs = (disp: number): Memory => ({ disp, fs: true });

/** Memory in the code itself. */
export const at = (label: Label): Memory => ({ label, disp: 0 });

export type Operand = Register | Memory;

export const isRegister = (operand: unknown): operand is Register =>
  typeof operand === 'object' && operand !== null && 'register' in operand;

/** Operand sizes in bits. */
export type Bits = 8 | 16 | 32 | 64;

const SCALES = { 1: 0, 2: 1, 4: 2, 8: 3 } as const;
/** In the place of a register's number: a SIB byte follows; no index; no base. */
const SIB = 4;
const NO_INDEX = 4;
const NO_BASE = 5;
/** In the place of a register's number with mod 0: relative to the instruction's end. */
const RIP = 5;

/** The bytes from ModRM on, without what `label` needs: its four bytes are zero. */
export interface EncodedOperand {
  readonly bytes: readonly number[];
  /** Bits of the REX prefix that the operand needs: X and B. */
  readonly rex: number;
}

const int32 = (value: number): number[] => [value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff, (value >> 24) & 0xff];

/** Encodes an operand beside a register or an opcode's extension (3 bits). */
export function encodeOperand(operand: Operand, field: number): EncodedOperand {
  const reg = (field & 7) << 3;
  if (isRegister(operand)) {
    return { bytes: [0xc0 | reg | (operand.register & 7)], rex: operand.register >> 3 };
  }
  const { base, index, scale = 1, disp } = operand;
  if (disp !== (disp | 0)) throw new RangeError(`a displacement of ${disp} does not fit into 32 bits`);
  if (operand.label !== undefined) return { bytes: [reg | RIP, 0, 0, 0, 0], rex: 0 };
  if (base === undefined) {
    const sib = (SCALES[scale] << 6) | (((index?.register ?? NO_INDEX) & 7) << 3) | NO_BASE;
    return { bytes: [reg | SIB, sib, ...int32(disp)], rex: ((index?.register ?? 0) >> 3) << 1 };
  }
  if (index?.register === RSP.register) throw new RangeError('rsp cannot be an index');
  const rex = (base.register >> 3) | (((index?.register ?? 0) >> 3) << 1);
  const low = base.register & 7;
  // rbp and r13 as a base always take a displacement, rsp and r12 always a SIB byte.
  const mod = disp === 0 && low !== RBP.register ? 0 : disp === (disp << 24) >> 24 ? 1 : 2;
  const tail = mod === 0 ? [] : mod === 1 ? [disp & 0xff] : int32(disp);
  if (index === undefined && low !== RSP.register) return { bytes: [(mod << 6) | reg | low, ...tail], rex };
  const sib = (SCALES[scale] << 6) | (((index?.register ?? NO_INDEX) & 7) << 3) | low;
  return { bytes: [(mod << 6) | reg | SIB, sib, ...tail], rex };
}
