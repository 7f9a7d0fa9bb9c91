import { DwarfReader } from '../dwarf/dwarf-reader.js';

/** What an expression of unwinding may ask. */
export interface ValueNeeds {
  /** What a register has; undefined: it is not known. */
  register(number: number): number | undefined;
  /** The 64 bits at an address. @throws RangeError where nothing is known of it */
  word(address: number): number;
}

interface State {
  readonly reader: DwarfReader;
  readonly stack: number[];
  readonly needs: ValueNeeds;
}

type Operation = (state: State, opcode: number) => void;

/** The most operations of an expression: fentry's own looks through lists. */
const MOST = 100_000;
const NUMBERS = 32;

const pop = ({ stack }: State): number => {
  const value = stack.pop();
  if (value === undefined) throw new RangeError('an empty stack');
  return value;
};
const pick = ({ stack }: State, depth: number): void => {
  const value = stack.at(-1 - depth);
  if (value === undefined) throw new RangeError('an empty stack');
  stack.push(value);
};
const push =
  (read: (reader: DwarfReader) => number): Operation =>
  ({ reader, stack }) =>
    void stack.push(read(reader));
const binary =
  (compute: (a: number, b: number) => number): Operation =>
  (state) => {
    const b = pop(state);
    state.stack.push(compute(pop(state), b));
  };
const unary =
  (compute: (a: number) => number): Operation =>
  (state) =>
    void state.stack.push(compute(pop(state)));
const bits = (compute: (a: bigint, b: bigint) => bigint): Operation =>
  binary((a, b) => Number(BigInt.asIntN(64, compute(BigInt(a), BigInt(b)))));
const compare = (holds: (a: number, b: number) => boolean): Operation => binary((a, b) => (holds(a, b) ? 1 : 0));
const jump = ({ reader }: State, distance: number): void => {
  reader.at += distance;
  if (reader.at < 0) throw new RangeError('a jump out of the expression');
};
const signed16 = (reader: DwarfReader): number => (reader.u16() << 16) >> 16;
const registerPlus = ({ needs, stack }: State, number: number, offset: number): void => {
  const value = needs.register(number);
  if (value === undefined) throw new RangeError(`register ${number} is not known`);
  stack.push(value + offset);
};
/** A part of a word. */
const part = (word: number, bytes: number): number => Number(BigInt.asUintN(8 * bytes, BigInt(word)));

/** Operations by their opcodes (DW_OP; DWARF 5, section 2.5), those that compute numbers. */
const OPERATIONS: Readonly<Record<number, Operation>> = {
  3: push((reader) => reader.u64()),
  6: (state) => void state.stack.push(state.needs.word(pop(state))),
  8: push((reader) => reader.u8()),
  9: push((reader) => reader.i8()),
  10: push((reader) => reader.u16()),
  11: push(signed16),
  12: push((reader) => reader.u32()),
  13: push((reader) => reader.u32() | 0),
  14: push((reader) => reader.u64()),
  15: push((reader) => reader.u64()),
  16: push((reader) => reader.uleb()),
  17: push((reader) => reader.sleb()),
  18: (state) => pick(state, 0),
  19: (state) => void pop(state),
  20: (state) => pick(state, 1),
  21: (state) => pick(state, state.reader.u8()),
  22: (state) => {
    const [b, a] = [pop(state), pop(state)];
    state.stack.push(b, a);
  },
  23: (state) => {
    const [c, b, a] = [pop(state), pop(state), pop(state)];
    state.stack.push(c, a, b);
  },
  25: unary(Math.abs),
  26: bits((a, b) => a & b),
  27: binary((a, b) => {
    if (b === 0) throw new RangeError('a division by 0');
    return Math.trunc(a / b);
  }),
  28: binary((a, b) => a - b),
  29: bits((a, b) => (b === 0n ? 0n : a % b)),
  30: binary((a, b) => a * b),
  31: unary((a) => -a),
  32: unary((a) => Number(~BigInt(a))),
  33: bits((a, b) => a | b),
  34: binary((a, b) => a + b),
  35: (state) => void state.stack.push(pop(state) + state.reader.uleb()),
  36: bits((a, b) => a << (b & 63n)),
  37: bits((a, b) => BigInt.asUintN(64, a) >> (b & 63n)),
  38: bits((a, b) => a >> (b & 63n)),
  39: bits((a, b) => a ^ b),
  40: (state) => {
    const distance = signed16(state.reader);
    if (pop(state) !== 0) jump(state, distance);
  },
  41: compare((a, b) => a === b),
  42: compare((a, b) => a >= b),
  43: compare((a, b) => a > b),
  44: compare((a, b) => a <= b),
  45: compare((a, b) => a < b),
  46: compare((a, b) => a !== b),
  47: (state) => jump(state, signed16(state.reader)),
  146: (state) => registerPlus(state, state.reader.uleb(), state.reader.sleb()),
  148: (state) => {
    const bytes = state.reader.u8();
    state.stack.push(part(state.needs.word(pop(state)), bytes));
  },
  150: () => {},
};

/** The operations of opcodes that have a number in them: DW_OP_lit0, DW_OP_breg0. */
const LITERAL = 48;
const REGISTER_PLUS = 112;

function operationOf(opcode: number): Operation {
  if (opcode >= LITERAL && opcode < LITERAL + NUMBERS) return ({ stack }) => void stack.push(opcode - LITERAL);
  if (opcode >= REGISTER_PLUS && opcode < REGISTER_PLUS + NUMBERS)
    return (state) => registerPlus(state, opcode - REGISTER_PLUS, state.reader.sleb());
  const found = OPERATIONS[opcode];
  if (found === undefined) throw new RangeError(`an operation ${opcode}, which is not known,`);
  return found;
}

/**
 * What an expression of unwinding comes to, with what registers and memory have now.
 * @param first what is on its stack when it begins
 * @throws RangeError: it is damaged, or asks for what is not known
 */
export function frameValue(expression: Buffer, needs: ValueNeeds, first?: number): number {
  const state: State = { reader: new DwarfReader(expression), stack: first === undefined ? [] : [first], needs };
  for (let count = 0; state.reader.at < expression.length; count++) {
    if (count > MOST) throw new RangeError('an expression without an end');
    const opcode = state.reader.u8();
    operationOf(opcode)(state, opcode);
  }
  return pop(state);
}
