import type { FrameInstructions } from '../elf/frame-ranges.js';
import type { FrameSearch } from '../elf/frame-search.js';
import { DwarfReader } from './dwarf-reader.js';

/**
 * Where a call's frame begins on the stack (the canonical frame address): so many bytes behind what a register has; or an
 * expression says it.
 */
export type CallFrame = { readonly register: number; readonly offset: number } | { readonly expression: Buffer };

/** What a register had in the caller. A register without a rule has what it had, unless the ABI lets calls change it. */
export type RegisterRule =
  /** In memory, so many bytes behind the frame's address; or that is it. */
  | { readonly kind: 'at' | 'is'; readonly offset: number }
  /** In memory, at what an expression says of the frame's address; or that is it. */
  | { readonly kind: 'at' | 'is'; readonly expression: Buffer }
  /** In another register. */
  | { readonly kind: 'register'; readonly register: number }
  | { readonly kind: 'same' }
  /** Lost. Of the return address: nobody has called the function. */
  | { readonly kind: 'lost' };

/** What unwinding must know of an instruction of a function. */
export interface FrameRow {
  readonly frame: CallFrame;
  readonly rules: ReadonlyMap<number, RegisterRule>;
  /** The number of the register or column that has the return address. */
  readonly returnAddress: number;
  /** Whether this is the frame of a signal: what it returns to has not called it, but was interrupted. */
  readonly isSignal: boolean;
  /** Where the function, or the part of one, begins. */
  readonly start: number;
}

type Operand = 'u1' | 'u2' | 'u4' | 'uleb' | 'sleb' | 'block';
/** What an instruction does to what is known so far. */
type Effect = (state: State, operands: readonly number[], block: Buffer | undefined) => void;
type Rules = ReadonlyMap<number, RegisterRule>;

interface State {
  frame: CallFrame;
  rules: Rules;
  /** The rules at the function's first instruction. */
  initial: Rules;
  location: number;
  readonly kept: { readonly frame: CallFrame; readonly rules: Rules }[];
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
const setRule = (state: State, register: number, rule: RegisterRule | undefined): void => {
  const rules = new Map(state.rules);
  if (rule === undefined) rules.delete(register);
  else rules.set(register, rule);
  state.rules = rules;
};
const offsetRule =
  (kind: 'at' | 'is', sign: 1 | -1 = 1): Effect =>
  (state, [register, offset]) =>
    setRule(state, register!, { kind, offset: sign * offset! * state.dataFactor });
const expressionRule =
  (kind: 'at' | 'is'): Effect =>
  (state, [register], expression) =>
    setRule(state, register!, { kind, expression: expression! });
const restore: Effect = (state, [register]) => setRule(state, register!, state.initial.get(register!));

/** The instructions (DW_CFA) by their numbers: their operands, and what they do (DWARF 5, section 6.4.2). */
const INSTRUCTIONS: Readonly<Record<number, readonly [operands: readonly Operand[], effect: Effect]>> = {
  0: [[], NOTHING],
  2: [['u1'], advance],
  3: [['u2'], advance],
  4: [['u4'], advance],
  5: [['uleb', 'uleb'], offsetRule('at')],
  6: [['uleb'], restore],
  7: [['uleb'], (state, [register]) => setRule(state, register!, { kind: 'lost' })],
  8: [['uleb'], (state, [register]) => setRule(state, register!, { kind: 'same' })],
  9: [['uleb', 'uleb'], (state, [to, register]) => setRule(state, to!, { kind: 'register', register: register! })],
  10: [[], ({ kept, frame, rules }) => void kept.push({ frame, rules })],
  11: [[], (state) => void Object.assign(state, state.kept.pop())],
  12: [['uleb', 'uleb'], (state, [register, offset]) => setFrame(state, { register: register!, offset: offset! })],
  13: [['uleb'], (state, [register]) => setFrame(state, { register: register! })],
  14: [['uleb'], (state, [offset]) => setFrame(state, { offset: offset! })],
  15: [
    ['block'],
    (state, _operands, expression) => {
      state.frame = { expression: expression! };
    },
  ],
  16: [['uleb', 'block'], expressionRule('at')],
  17: [['uleb', 'sleb'], offsetRule('at')],
  18: [
    ['uleb', 'sleb'],
    (state, [register, offset]) => setFrame(state, { register: register!, offset: offset! * state.dataFactor }),
  ],
  19: [['sleb'], (state, [offset]) => setFrame(state, { offset: offset! * state.dataFactor })],
  20: [['uleb', 'uleb'], offsetRule('is')],
  21: [['uleb', 'sleb'], offsetRule('is')],
  22: [['uleb', 'block'], expressionRule('is')],
  // arm64: return addresses are signed from here on, or no more.
  44: [[], NOTHING],
  45: [[], NOTHING],
  // How many bytes of arguments a call has on the stack.
  46: [['uleb'], NOTHING],
  47: [['uleb', 'uleb'], offsetRule('at', -1)],
};
/** Instructions whose first operand is in the opcode's lower bits: advance_loc, offset, restore. */
const SHORT: Readonly<Record<number, readonly [operands: readonly Operand[], effect: Effect]>> = {
  1: [[], advance],
  2: [['uleb'], offsetRule('at')],
  3: [[], restore],
};

/** The frames of functions, as an .eh_frame describes them. */
export class CallFrames {
  readonly #search: FrameSearch;

  constructor(search: FrameSearch) {
    this.#search = search;
  }

  /**
   * The frame of the function at an address of the object's file; undefined: it is not described. @throws RangeError if that is
   * damaged
   */
  at(address: number): CallFrame | undefined {
    return this.row(address)?.frame;
  }

  /** What unwinding must know at an address of the object's file; undefined: it is not described. @throws RangeError as at() */
  row(address: number): FrameRow | undefined {
    const range = this.#search.at(address);
    if (range === undefined) return undefined;
    const { common, instructions, start } = range;
    const { codeFactor, dataFactor, returnAddress, isSignal } = common;
    const none: Rules = new Map();
    const state: State = {
      ...{ frame: { register: 0, offset: 0 }, rules: none, initial: none, location: start, kept: [], codeFactor, dataFactor },
    };
    this.#run(state, common.instructions, Number.POSITIVE_INFINITY);
    state.initial = state.rules;
    this.#run(state, instructions, address);
    return { frame: state.frame, rules: state.rules, returnAddress, isSignal, start };
  }

  /** Runs instructions up to those that are for later code than that at an address. */
  #run(state: State, { from, to }: FrameInstructions, address: number): void {
    const reader = new DwarfReader(this.#search.bytes.subarray(0, to), from);
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
