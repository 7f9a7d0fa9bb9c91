import { isRegister, type MachineOperand } from '../../machine/operands.js';
import { RBP, RSP } from './registers.js';

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
export function encodeOperand(operand: MachineOperand, field: number): EncodedOperand {
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
