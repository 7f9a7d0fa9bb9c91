import { addressOf } from '../../base/address.js';
import { attempt } from '../../base/attempt.js';
import { DwarfReader } from '../dwarf/dwarf-reader.js';
import type { ElfFile } from './elf-file.js';

/**
 * The ranges of code for which .eh_frame says how to unwind: one for each function, and one for each part that the compiler moved
 * away from its function. A stripped object has them too.
 */
export interface FrameRange {
  readonly start: number;
  readonly end: number;
  /** At its first instruction something lies on the stack already: it is a part of a function, entered by a jump. */
  readonly isPart: boolean;
  /** The address of the table of its calls, which says where it goes on after exceptions; undefined: it has none. */
  readonly calls: number | undefined;
  /** What the frame is at each instruction: the part of .eh_frame that says it. */
  readonly instructions: FrameInstructions;
  readonly common: FrameCommon;
}

/** Instructions for unwinding in .eh_frame, from one offset to another. */
export interface FrameInstructions {
  readonly from: number;
  readonly to: number;
}

/** What frames share. */
export interface FrameCommon {
  /** By which advances are multiplied, and offsets on the stack. */
  readonly codeFactor: number;
  readonly dataFactor: number;
  /** Instructions that come first. */
  readonly instructions: FrameInstructions;
  /** The number of the register or column that has the return address. */
  readonly returnAddress: number;
  /** Whether this is the frame of a signal: what it returns to has not called it, but was interrupted. */
  readonly isSignal: boolean;
}

/** DW_EH_PE: how a pointer is written; the high bits say to what it is relative. */
const FORMAT = { absolute: 0x00, udata2: 0x02, udata4: 0x03, udata8: 0x04, sdata2: 0x0a, sdata4: 0x0b, sdata8: 0x0c } as const;
const PC_RELATIVE = 0x10;
const INDIRECT = 0x80;
const OMITTED = 0xff;

/** Bytes of a pointer of a format, and how to read it. */
const POINTERS: Readonly<Record<number, readonly [size: number, read: (bytes: Buffer, at: number) => number]>> = {
  [FORMAT.absolute]: [8, (bytes, at) => addressOf(bytes.readUInt32LE(at + 4), bytes.readUInt32LE(at))],
  [FORMAT.udata2]: [2, (bytes, at) => bytes.readUInt16LE(at)],
  [FORMAT.udata4]: [4, (bytes, at) => bytes.readUInt32LE(at)],
  [FORMAT.udata8]: [8, (bytes, at) => addressOf(bytes.readUInt32LE(at + 4), bytes.readUInt32LE(at))],
  [FORMAT.sdata2]: [2, (bytes, at) => bytes.readInt16LE(at)],
  [FORMAT.sdata4]: [4, (bytes, at) => bytes.readInt32LE(at)],
  [FORMAT.sdata8]: [8, (bytes, at) => addressOf(bytes.readUInt32LE(at + 4), bytes.readUInt32LE(at))],
};

/** Instructions of a frame's description. */
const CFA = { nop: 0x00, undefined: 0x07 } as const;
/** Instructions that go on to a later instruction of the code: DW_CFA_set_loc, advance_loc1, 2, 4. */
const ADVANCES = [0x01, 0x02, 0x03, 0x04];
const ADVANCE = 0x40;

/** Skips a number in LEB128. */
function afterLeb(bytes: Buffer, at: number): number {
  let end = at;
  while (bytes[end]! & 0x80) end++;
  return end + 1;
}

interface CommonInformation extends FrameCommon {
  readonly encoding: number;
  /** The encoding of the address of the table of calls. */
  readonly callsEncoding: number;
  readonly hasAugmentation: boolean;
}

/** Reads the frames' common information at its version; undefined: it is of a kind that compilers do not write. */
function commonInformation(bytes: Buffer, version: number, next: number): CommonInformation | undefined {
  const end = bytes.indexOf(0, version + 1);
  const augmentation = bytes.toString('latin1', version + 1, end);
  if (augmentation !== '' && augmentation[0] !== 'z') return undefined;
  const reader = new DwarfReader(bytes, end + 1);
  const [codeFactor, dataFactor] = [reader.uleb(), reader.sleb()];
  const returnAddress = bytes[version] === 1 ? reader.u8() : reader.uleb();
  let { at } = reader;
  let encoding: number = FORMAT.absolute;
  let callsEncoding: number = OMITTED;
  const after = augmentation === '' ? at : afterLeb(bytes, at);
  const instructions = { from: augmentation === '' ? at : after + (bytes[at]! & 0x7f), to: next };
  at = after;
  for (const letter of augmentation.slice(1)) {
    if (letter === 'R') encoding = bytes[at]!;
    if (letter === 'L') callsEncoding = bytes[at]!;
    if (letter === 'P') {
      const personality = bytes[at]!;
      at += personality === OMITTED ? 0 : (POINTERS[personality & 15]?.[0] ?? 0);
    }
    if ('RPL'.includes(letter)) at++;
  }
  const factors = { codeFactor, dataFactor, instructions, returnAddress, isSignal: augmentation.includes('S') };
  return { encoding, callsEncoding, hasAugmentation: augmentation !== '', ...factors };
}

/** Whether the description of a frame says something of its first instruction. */
function beginsInside(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; ) {
    const code = bytes[at]!;
    if ((code & 0xc0) === ADVANCE || ADVANCES.includes(code)) return false;
    // The outermost frame, as that of _start, has no return address.
    if (code !== CFA.nop && code !== CFA.undefined) return true;
    at = code === CFA.nop ? at + 1 : afterLeb(bytes, at + 1);
  }
  return false;
}

/** The ranges of an object's .eh_frame in their order there. What cannot be read is left out. */
export function* frameRanges(elf: ElfFile): Generator<FrameRange> {
  const section = elf.section('.eh_frame');
  if (section !== undefined) yield* rangesIn(elf.contents(section), section.address);
}

/** The ranges of a table that lies at an address, as those of an object do. */
export function* rangesIn(bytes: Buffer, address: number): Generator<FrameRange> {
  const common = new Map<number, CommonInformation | undefined>();
  for (let at = 0; at + 8 <= bytes.length; ) {
    const length = bytes.readUInt32LE(at);
    const next = at + 4 + length;
    if (length === 0 || next > bytes.length) return;
    const id = at + 4;
    const back = bytes.readUInt32LE(id);
    if (back === 0) {
      common.set(
        at,
        attempt(() => commonInformation(bytes, id + 4, next)),
      );
    } else {
      const shared = common.get(id - back);
      const range = shared && frameRange(bytes, id + 4, next, address, shared);
      if (range !== undefined) yield range;
    }
    at = next;
  }
}

/** The range whose description begins at an offset of a table; undefined: it cannot be read. @throws RangeError: it is damaged */
export function rangeFrom(bytes: Buffer, address: number, at: number): FrameRange | undefined {
  const next = at + 4 + bytes.readUInt32LE(at);
  const id = at + 4;
  const first = id - bytes.readUInt32LE(id);
  if (first === id || next > bytes.length) return undefined;
  const common = commonInformation(bytes, first + 8, first + 4 + bytes.readUInt32LE(first));
  return common && frameRange(bytes, id + 4, next, address, common);
}

function frameRange(bytes: Buffer, at: number, next: number, base: number, common: CommonInformation): FrameRange | undefined {
  const { encoding, hasAugmentation } = common;
  const pointer = POINTERS[encoding & 15];
  if (pointer === undefined || encoding & INDIRECT) return undefined;
  const [size, read] = pointer;
  if (at + 2 * size > next) return undefined;
  const start = read(bytes, at) + ((encoding & 0x70) === PC_RELATIVE ? base + at : 0);
  // A length is written as the address is, and has no sign.
  const length = POINTERS[encoding & 7]?.[1](bytes, at + size) ?? 0;
  let from = at + 2 * size;
  let calls: number | undefined;
  if (hasAugmentation) {
    const after = afterLeb(bytes, from);
    calls = callsAddress(bytes, after, base, common.callsEncoding);
    // Its length fits into a byte: it has a pointer or nothing.
    from = after + (bytes[from]! & 0x7f);
  }
  const isPart = beginsInside(bytes, from, next);
  return { start, end: start + length, isPart, calls, instructions: { from, to: next }, common };
}

/** Undefined: there is no table, or its address is written in a way that no compiler has. */
function callsAddress(bytes: Buffer, at: number, base: number, encoding: number): number | undefined {
  const pointer = POINTERS[encoding & 15];
  if (encoding === OMITTED || encoding & INDIRECT || pointer === undefined || at + pointer[0] > bytes.length) return undefined;
  const value = pointer[1](bytes, at);
  return value === 0 ? undefined : value + ((encoding & 0x70) === PC_RELATIVE ? base + at : 0);
}
