/** How machine code of one kind of processor is looked through. */
export interface Processor {
  /** Where an instruction in `bytes` uses a constant, not before `from`; -1: nowhere. */
  find(bytes: Buffer, constant: number, from: number): number;
  /** Where a jump at `at` leads, if there is one. */
  target(bytes: Buffer, at: number): number | undefined;
  /**
   * Whether the instructions at `at` are those that V8's first WebAssembly function of a module begins with: it makes a frame, or
   * calls what makes one, with its number, 0.
   */
  beginsFunction(bytes: Buffer, at: number): boolean;
}

/** `jmp rel32`, and its bytes. */
const JMP = 0xe9;
const JMP_BYTES = 5;
/** The high bits of `b`; the others are the distance in words. */
const B = 0b000101;
/** The high half of a constant, `movk wN, #HIGH, lsl #16`: the register is unknown. */
const MOVK_HIGH = 0x72a00000;
const WORD_BYTES = 4;
const REGISTER_MASK = ~0x1f;
/** push rbp; mov rbp, rsp; and: xor r12d, r12d; call */
const BEGINNINGS = ['554889e5', '4531e4e8'].map((hex) => Buffer.from(hex, 'hex'));
/** stp x29, x30, [sp, #-16]! */
const STORE_FRAME = 0xa9bf7bfd;
/** mov wN, #0; and the high bits of `bl` */
const MOV_ZERO = 0x52800000;
const BL = 0b100101;
/** Hints may come before it: a landing pad of a jump, a signature of the return address. */
const HINT = 0xd503201f;
const HINT_MASK = ~0xfe0;

/** By process.arch. */
export const PROCESSORS: Readonly<Record<string, Processor>> = {
  x64: {
    find(bytes, constant, from) {
      const immediate = Buffer.alloc(WORD_BYTES);
      immediate.writeInt32LE(constant);
      return bytes.indexOf(immediate, from);
    },
    target: (bytes, at) => (bytes[at] === JMP ? at + JMP_BYTES + bytes.readInt32LE(at + 1) : undefined),
    beginsFunction: (bytes, at) => BEGINNINGS.some((known) => bytes.subarray(at, at + known.length).equals(known)),
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
    beginsFunction(bytes, at) {
      const wordAt = (place: number): number => (place + WORD_BYTES <= bytes.length ? bytes.readUInt32LE(place) : 0);
      let place = at;
      while ((wordAt(place) & HINT_MASK) >>> 0 === HINT) place += WORD_BYTES;
      if (wordAt(place) === STORE_FRAME) return true;
      return (wordAt(place) & REGISTER_MASK) >>> 0 === MOV_ZERO && wordAt(place + WORD_BYTES) >>> 26 === BL;
    },
  },
};
