import { AFTER_0F, AFTER_0F3A, AFTER_0F38, FOLLOWS, ONE_BYTE, XOP_A } from './opcodes.js';

/** Kinds of instructions, for who follows the flow of a program. */
export type FlowKind =
  /** The instruction goes on with the next one. */
  | 'next'
  | 'call'
  | 'jump'
  /** A jump with a condition. */
  | 'branch'
  /** A branch that looks at rcx, and has a distance of 8 bits only: loop, jrcxz. */
  | 'loop'
  | 'return';

const LONGEST = 15;
/** Maps of opcodes, by their numbers in VEX and EVEX; 8 to 10 are those of XOP, and 0 has no escape. */
const MAPS: readonly (Uint16Array | undefined)[] = [
  ONE_BYTE,
  AFTER_0F,
  AFTER_0F38,
  AFTER_0F3A,
  undefined,
  AFTER_0F38,
  AFTER_0F38,
  undefined,
  AFTER_0F3A,
  AFTER_0F38,
  XOP_A,
];

/** The prefixes before REX and the opcode, as bits. */
const PREFIX = { none: 0, other: 1, operand: 2, address: 4, repeat: 8 } as const;
const PREFIXES = new Uint8Array(256);
for (const byte of [0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65, 0xf0, 0xf3]) PREFIXES[byte] = PREFIX.other;
PREFIXES[0xf2] = PREFIX.repeat;
PREFIXES[0x66] = PREFIX.operand;
PREFIXES[0x67] = PREFIX.address;

/** The number of 32 bits, with its sign, at an offset. */
export const int32At = (code: Uint8Array, at: number): number =>
  code[at]! | (code[at + 1]! << 8) | (code[at + 2]! << 16) | (code[at + 3]! << 24);

/**
 * An instruction of x86-64 in 64-bit mode: how long it is, and what of it depends on where it stands. One object reads one after
 * the other.
 */
export class Decoder {
  /** Length of the instruction that was read, in bytes. */
  length = 0;
  /** The map of its opcode (0: none, 1: after 0f, ...), and the opcode. */
  map = 0;
  opcode = 0;
  /** Bytes before its opcode: prefixes, REX, VEX. */
  opcodeAt = 0;
  /** The instruction's ModRM byte; -1: none. */
  modrm = -1;
  /** Where in it the distance from its end is that an operand in memory lies at; 0: no operand is addressed like that. */
  ripAt = 0;
  /** Where in it the distance from its end is to which it branches, and of how many bytes that is; 0: it has none. */
  branchAt = 0;
  branchSize = 0;

  /** Reads the instruction at an offset. False: there is none, or it is not whole. */
  read(code: Uint8Array, at: number): boolean {
    this.modrm = -1;
    this.ripAt = this.branchAt = this.branchSize = 0;
    let end = at;
    let prefixes = 0;
    while (PREFIXES[code[end]!]! !== PREFIX.none && end < at + LONGEST) prefixes |= PREFIXES[code[end++]!]!;
    let rex = 0;
    if ((code[end]! & 0xf0) === 0x40) rex = code[end++]!;
    end = this.#opcode(code, end, rex);
    this.opcodeAt = end - at - 1;
    const follows = MAPS[this.map]?.[this.opcode] ?? 0;
    if (follows === 0) return false;
    if (follows & FOLLOWS.modrm) end = this.#memory(code, end, at);
    end = this.#constants(end, follows | this.#unusual(prefixes), prefixes, rex & 8);
    if (follows & FOLLOWS.near) this.branchSize = 1;
    if (follows & FOLLOWS.far) this.branchSize = 4;
    if (this.branchSize > 0) {
      this.branchAt = end - at;
      end += this.branchSize;
    } else if (this.map === 0 && this.opcode === 0xc7 && this.modrm === 0xf8) {
      // xbegin: what looks like a constant is where the program goes on after an abort.
      if (prefixes & PREFIX.operand) return false;
      this.branchSize = 4;
      this.branchAt = end - this.branchSize - at;
    }
    this.length = end - at;
    return this.length <= LONGEST && end <= code.length;
  }

  /** Reads escapes, VEX, EVEX, XOP and the opcode; returns the offset after it. */
  #opcode(code: Uint8Array, at: number, rex: number): number {
    const byte = code[at]!;
    this.map = 0;
    this.opcode = byte;
    if (byte === 0x0f) {
      const second = code[at + 1]!;
      const isLong = second === 0x38 || second === 0x3a;
      this.map = isLong ? (second === 0x38 ? 2 : 3) : 1;
      this.opcode = code[at + (isLong ? 2 : 1)]!;
      return at + (isLong ? 3 : 2);
    }
    if (rex !== 0) return at + 1;
    const next = code[at + 1]!;
    if (byte === 0xc5) return this.#vex(code, at + 2, 1);
    if (byte === 0xc4) return this.#vex(code, at + 3, next & 31);
    if (byte === 0x62) return this.#vex(code, at + 4, next & 7);
    if (byte === 0x8f && (next & 31) >= 8) return this.#vex(code, at + 3, next & 31);
    return at + 1;
  }

  #vex(code: Uint8Array, at: number, map: number): number {
    this.map = map === 0 ? MAPS.length : map;
    this.opcode = code[at]!;
    return at + 1;
  }

  /** Reads ModRM and what it asks for; returns the offset after it. */
  #memory(code: Uint8Array, at: number, start: number): number {
    this.modrm = code[at]!;
    const mode = this.modrm >> 6;
    // Control and debug registers are no memory, whatever the mode says.
    if (mode === 3 || (this.map === 1 && this.opcode >= 0x20 && this.opcode <= 0x23)) return at + 1;
    const register = this.modrm & 7;
    if (mode === 0 && register === 5) {
      this.ripAt = at + 1 - start;
      return at + 5;
    }
    const hasSib = register === 4;
    const end = at + (hasSib ? 2 : 1);
    if (mode === 1) return end + 1;
    return mode === 2 || (hasSib && (code[at + 1]! & 7) === 5) ? end + 4 : end;
  }

  /** What follows some opcodes only with certain ModRM bytes or prefixes. */
  #unusual(prefixes: number): number {
    // test has a constant, its neighbours have none.
    if (this.map === 0 && (this.opcode & 0xfe) === 0xf6 && (this.modrm & 0x38) < 0x10) {
      return this.opcode === 0xf6 ? FOLLOWS.byte : FOLLOWS.constant;
    }
    // extrq and insertq of SSE4a have two bytes.
    const isSse4a = this.map === 1 && this.opcode === 0x78 && prefixes & (PREFIX.operand | PREFIX.repeat);
    return isSse4a ? FOLLOWS.word : 0;
  }

  /** The offset after an instruction's constants. */
  #constants(at: number, follows: number, prefixes: number, isWide: number): number {
    let end = at;
    const size = prefixes & PREFIX.operand && !isWide ? 2 : 4;
    if (follows & FOLLOWS.byte) end += 1;
    if (follows & FOLLOWS.word) end += 2;
    if (follows & FOLLOWS.constant) end += this.map > 7 ? 4 : size;
    if (follows & FOLLOWS.full) end += isWide ? 8 : size;
    if (follows & FOLLOWS.address) end += prefixes & PREFIX.address ? 4 : 8;
    return end;
  }

  /** How the program goes on after the instruction. */
  get flow(): FlowKind {
    const { map, opcode } = this;
    if (map === 1) return opcode >= 0x80 && opcode <= 0x8f ? 'branch' : 'next';
    if (map !== 0) return 'next';
    if (opcode >= 0x70 && opcode <= 0x7f) return 'branch';
    if (opcode >= 0xe0 && opcode <= 0xe3) return 'loop';
    if (opcode === 0xe8) return 'call';
    if (opcode === 0xe9 || opcode === 0xeb) return 'jump';
    if (RETURNS.includes(opcode)) return 'return';
    if (opcode !== 0xff) return this.branchSize > 0 ? 'branch' : 'next';
    const extension = (this.modrm >> 3) & 7;
    return extension === 2 || extension === 3 ? 'call' : extension === 4 || extension === 5 ? 'jump' : 'next';
  }

  /**
   * Where the instruction that was read at an offset branches to, as an offset; undefined: it does not, or not to a fixed place.
   */
  target(code: Uint8Array, at: number): number | undefined {
    if (this.branchSize === 0) return undefined;
    const distanceAt = at + this.branchAt;
    return at + this.length + (this.branchSize === 1 ? (code[distanceAt]! << 24) >> 24 : int32At(code, distanceAt));
  }
}

/** ret, far ret, iret. */
const RETURNS = [0xc2, 0xc3, 0xca, 0xcb, 0xcf];
