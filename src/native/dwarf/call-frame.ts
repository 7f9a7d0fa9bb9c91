import type { ElfFile } from '../elf/elf-file.js';
import { type FrameInstructions, type FrameRange, frameRanges } from '../elf/frame-ranges.js';
import { DwarfReader } from './dwarf-reader.js';

/**
 * Where a call's frame begins on the stack (the canonical frame address): so many bytes behind what a register has; or an
 * expression says it.
 */
export type CallFrame = { readonly register: number; readonly offset: number } | { readonly expression: Buffer };

type Operand = 'u1' | 'u2' | 'u4' | 'uleb' | 'sleb' | 'block';
/** What an instruction does to what is known so far. */
type Effect = (state: State, operands: readonly number[], block: Buffer | undefined) => void;

interface State {
  frame: CallFrame;
  location: number;
  readonly kept: CallFrame[];
  readonly codeFactor: number;
  readonly dataFactor: number;
}

const NOTHING: Effect = () => {};
const advance: Effect = (state, [delta]) => {
  state.location += delta! * state.codeFactor;
};
const setFrame = (state: State, change: { readonly register?: number; readonly offset?: number }): void => {
  const before = 'register' in state.frame ? state.frame : { register: 0, offset: 0 };
  state.frame = { ...before, ...change };
};

/**
 * The instructions (DW_CFA) by their numbers: their operands, and what they do to the frame's address (DWARF 5, section 6.4.2).
 */
const INSTRUCTIONS: Readonly<Record<number, readonly [operands: readonly Operand[], effect: Effect]>> = {
  0: [[], NOTHING],
  2: [['u1'], advance],
  3: [['u2'], advance],
  4: [['u4'], advance],
  5: [['uleb', 'uleb'], NOTHING],
  6: [['uleb'], NOTHING],
  7: [['uleb'], NOTHING],
  8: [['uleb'], NOTHING],
  9: [['uleb', 'uleb'], NOTHING],
  10: [[], ({ kept, frame }) => void kept.push(frame)],
  11: [
    [],
    (state) => {
      state.frame = state.kept.pop() ?? state.frame;
    },
  ],
  12: [['uleb', 'uleb'], (state, [register, offset]) => setFrame(state, { register: register!, offset: offset! })],
  13: [['uleb'], (state, [register]) => setFrame(state, { register: register! })],
  14: [['uleb'], (state, [offset]) => setFrame(state, { offset: offset! })],
  15: [
    ['block'],
    (state, _operands, expression) => {
      state.frame = { expression: expression! };
    },
  ],
  16: [['uleb', 'block'], NOTHING],
  17: [['uleb', 'sleb'], NOTHING],
  18: [
    ['uleb', 'sleb'],
    (state, [register, offset]) => setFrame(state, { register: register!, offset: offset! * state.dataFactor }),
  ],
  19: [['sleb'], (state, [offset]) => setFrame(state, { offset: offset! * state.dataFactor })],
  20: [['uleb', 'uleb'], NOTHING],
  21: [['uleb', 'sleb'], NOTHING],
  22: [['uleb', 'block'], NOTHING],
  // arm64: return addresses are signed from here on, or no more.
  44: [[], NOTHING],
  45: [[], NOTHING],
  46: [['uleb'], NOTHING],
  47: [['uleb', 'uleb'], NOTHING],
};
/** Instructions whose first operand is in the opcode's lower bits: advance_loc, offset, restore. */
const SHORT: Readonly<Record<number, readonly [operands: readonly Operand[], effect: Effect]>> = {
  1: [[], advance],
  2: [['uleb'], NOTHING],
  3: [[], NOTHING],
};

/** The frames of an object's functions, as .eh_frame describes them. */
export class CallFrames {
  readonly #bytes: Buffer;
  readonly #ranges: readonly FrameRange[];

  constructor(elf: ElfFile) {
    const section = elf.section('.eh_frame');
    this.#bytes = section === undefined ? Buffer.alloc(0) : elf.contents(section);
    this.#ranges = [...frameRanges(elf)];
  }

  /**
   * The frame of the function at an address of the object's file; undefined: it is not described. @throws RangeError if that is
   * damaged
   */
  at(address: number): CallFrame | undefined {
    const range = this.#ranges.find(({ start, end }) => address >= start && address < end);
    if (range === undefined) return undefined;
    const { common, instructions, start } = range;
    const { codeFactor, dataFactor } = common;
    const state: State = { frame: { register: 0, offset: 0 }, location: start, kept: [], codeFactor, dataFactor };
    this.#run(state, common.instructions, Number.POSITIVE_INFINITY);
    this.#run(state, instructions, address);
    return state.frame;
  }

  /** Runs instructions up to those that are for later code than that at an address. */
  #run(state: State, { from, to }: FrameInstructions, address: number): void {
    const reader = new DwarfReader(this.#bytes.subarray(0, to), from);
    while (reader.at < to) {
      const opcode = reader.u8();
      const short = SHORT[opcode >> 6];
      const known = short ?? INSTRUCTIONS[opcode];
      if (known === undefined) throw new RangeError(`an unwinding instruction ${opcode}, which is not known,`);
      const [operands, effect] = known;
      const numbers: number[] = short === undefined ? [] : [opcode & 0x3f];
      const block = read(reader, operands, numbers);
      effect(state, numbers, block);
      if (state.location > address) return;
    }
  }
}

/** Reads operands, and returns the one that is a block. */
function read(reader: DwarfReader, operands: readonly Operand[], numbers: number[]): Buffer | undefined {
  let block: Buffer | undefined;
  for (const operand of operands) {
    if (operand === 'block') {
      const length = reader.uleb();
      const at = reader.skip(length);
      block = reader.bytes.subarray(at, at + length);
    } else numbers.push(NUMBERS[operand](reader));
  }
  return block;
}

const NUMBERS: Readonly<Record<Exclude<Operand, 'block'>, (reader: DwarfReader) => number>> = {
  u1: (reader) => reader.u8(),
  u2: (reader) => reader.u16(),
  u4: (reader) => reader.u32(),
  uleb: (reader) => reader.uleb(),
  sleb: (reader) => reader.sleb(),
};
