/** How machine code of one kind of processor is looked through. */
export interface Processor {
  /** Where an instruction in `bytes` uses a constant, not before `from`; -1: nowhere. */
  find(bytes: Buffer, constant: number, from: number): number;
  /** Where a jump at `at` leads, if there is one. */
  target(bytes: Buffer, at: number): number | undefined;
  /** What the code of a module's first WebAssembly function can begin with: it makes a frame. */
  readonly beginnings: readonly Buffer[];
}

/** `jmp rel32`, and its bytes. */
const JMP = 0xe9;
const JMP_BYTES = 5;
/** The high bits of `b`; the others are the distance in words. */
const B = 0b000101;
/** The high half of a constant, `movk wN, #HIGH, lsl #16`: the register, and whether it has 32 or 64 bits, are unknown. */
const MOVK_HIGH = 0x72a00000;
const WORD_BYTES = 4;
const REGISTER_MASK = 0x7fffffe0;
/** Bytes of machine code by their hexadecimal digits; blanks may stand between instructions. */
export const ofHex = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex');

/** By process.arch. */
export const PROCESSORS: Readonly<Record<string, Processor>> = {
  x64: {
    find(bytes, constant, from) {
      const immediate = Buffer.alloc(WORD_BYTES);
      immediate.writeInt32LE(constant);
      return bytes.indexOf(immediate, from);
    },
    target: (bytes, at) => (bytes[at] === JMP ? at + JMP_BYTES + bytes.readInt32LE(at + 1) : undefined),
    // push rbp; mov rbp, rsp. From Node 24 on: xor r12d, r12d; call
    beginnings: [ofHex('554889e5'), ofHex('4531e4e8')],
  },
  arm64: {
    find(bytes, constant, from) {
      const wanted = (MOVK_HIGH | ((constant >>> 16) << 5)) >>> 0;
      for (let at = Math.ceil(from / WORD_BYTES) * WORD_BYTES; at + WORD_BYTES <= bytes.length; at += WORD_BYTES) {
        if ((bytes.readUInt32LE(at) & REGISTER_MASK) >>> 0 === wanted) return at;
      }
      return -1;
    },
    target(bytes, at) {
      const word = at % WORD_BYTES === 0 ? bytes.readUInt32LE(at) : 0;
      return word >>> 26 === B ? at + ((word << 6) >> 4) : undefined;
    },
    // mov x16, #8; stp x7, x16, [sp, #-32]!. From Node 26 on: mov x16, #48. TurboFan's until Node 20: stp x29, x30, [sp, #-16]!;
    // mov x29, sp
    beginnings: [ofHex('100180d2 e743bea9'), ofHex('100680d2 e743bea9'), ofHex('fd7bbfa9 fd030091')],
  },
};
