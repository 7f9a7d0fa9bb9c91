import {
  distance32,
  distance64,
  type ElfAbi,
  type Relocation,
  SLOT_AT,
  slot,
  symbol,
  word32,
  word64,
} from '../../elf/elf-abi.js';

type Write = Relocation['write'];

/** A field of an instruction of arm64: `bits` bits from bit `from` on. */
const field =
  (from: number, bits: number, encode: (value: number, place: number) => number): Write =>
  (bytes, at, value, place) => {
    const mask = (2 ** bits - 1) * 2 ** from;
    const kept = bytes.readUInt32LE(at) & ~mask;
    bytes.writeInt32LE(kept | ((encode(value, place) << from) & mask), at);
  };
const instructions = (value: number, place: number): number => (value - place) >> 2;
const lowBits = (scale: number): Write => field(10, 12, (value) => (value & 0xfff) >> scale);
/** adr and adrp: the two low bits of the distance stand apart. */
const address21 =
  (distance: (value: number, place: number) => number): Write =>
  (bytes, at, value, place) => {
    field(29, 2, distance)(bytes, at, value, place);
    field(5, 19, (v, p) => distance(v, p) >> 2)(bytes, at, value, place);
  };
const pages = (value: number, place: number): number => Math.floor(value / 4096) - Math.floor(place / 4096);

/** ELF for arm64. */
export const elfAbi: ElfAbi = {
  number: 183,
  // R_AARCH64_RELATIVE; ABS64, GLOB_DAT, JUMP_SLOT
  relative: 1027,
  symbol: [257, 1025, 1026],
  globalData: 1025,
  jumpSlot: 1026,
  relocations: {
    257: symbol(word64),
    258: symbol(word32),
    260: symbol(distance64),
    261: symbol(distance32),
    274: symbol(address21((value, place) => value - place)),
    275: symbol(address21(pages)),
    276: symbol(address21(pages)),
    277: symbol(lowBits(0)),
    278: symbol(lowBits(0)),
    279: symbol(field(5, 14, instructions)),
    280: symbol(field(5, 19, instructions)),
    282: symbol(field(0, 26, instructions)),
    283: symbol(field(0, 26, instructions)),
    284: symbol(lowBits(1)),
    285: symbol(lowBits(2)),
    286: symbol(lowBits(3)),
    299: symbol(lowBits(4)),
    311: slot(address21(pages)),
    312: slot(lowBits(3)),
  },
  // adrp x16, page; ldr x17, [x16, offset]; add x16, x16, offset; br x17
  stub(at) {
    const code = Buffer.alloc(SLOT_AT);
    [0x90000010, 0xf9400211, 0x91000210, 0xd61f0220].forEach((word, i) => void code.writeUInt32LE(word, 4 * i));
    address21(pages)(code, 0, at + SLOT_AT, at);
    lowBits(3)(code, 4, at + SLOT_AT, at);
    lowBits(0)(code, 8, at + SLOT_AT, at);
    return code;
  },
};
