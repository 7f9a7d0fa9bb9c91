import type { Fetch } from '../../probes/probe-definition.js';
import type { CallFrame } from './call-frame.js';
import { DwarfReader } from './dwarf-reader.js';
import { constant, type Location, nowhere, plus, type Sum, wordFrom } from './value.js';

/** What an expression may ask. */
export interface ExpressionNeeds {
  /** What the object's addresses differ by in the process. */
  readonly bias: number;
  /** The names of registers that probes can fetch, by DWARF's numbers. */
  readonly registers: readonly string[];
  /** The address of an index (.debug_addr). */
  addressOf(index: number): number;
  /** Bytes of the type at an offset of the unit; 0: not known. */
  typeSize(offset: number): number;
  /** What DW_OP_fbreg adds to. */
  frameBase(): Location;
  /** The frame's address; undefined: it is not described. */
  frame(): CallFrame | undefined;
  /** The registers have what they had when the function was called. */
  readonly isEntry: boolean;
}

/** A reason why an expression has no value that a probe can fetch: ends the sentence "NAME ...". */
class NoValue extends Error {}

const refuse = (why: string): never => {
  throw new NoValue(why);
};

/** What is on the stack; an expression may end with a place in place of a value. */
interface State {
  readonly reader: DwarfReader;
  readonly stack: Sum[];
  readonly needs: ExpressionNeeds;
  /** Where it is, if the expression has said that. */
  found: Location | undefined;
  readonly pieces: { readonly size: number; readonly at: Location }[];
  /** Bytes of the shortest type that the value was converted to; undefined: it was not. */
  bytes: number | undefined;
}

type Operation = (state: State, opcode: number) => void;

const pop = ({ stack }: State): Sum => stack.pop() ?? refuse('has a location that is damaged');

export function registerOf({ registers }: Pick<ExpressionNeeds, 'registers'>, number: number): Fetch {
  const name = registers[number] ?? refuse(`is in register ${number} of DWARF, which a probe cannot fetch`);
  return { kind: 'register', name };
}

const push =
  (read: (reader: DwarfReader) => number): Operation =>
  ({ reader, stack }) =>
    void stack.push(constant(read(reader)));

/** An operation of two numbers; one of them must be a constant, or both. */
const binary =
  (compute: (a: Sum, b: Sum) => Sum | undefined): Operation =>
  (state) => {
    const b = pop(state);
    const a = pop(state);
    state.stack.push(compute(a, b) ?? refuse('is computed from registers in a way that a probe cannot repeat'));
  };
const ofConstants = (compute: (a: number, b: number) => number): Operation =>
  binary((a, b) => (a.fetch || b.fetch ? undefined : constant(compute(a.addend, b.addend))));

const add = (a: Sum, b: Sum): Sum | undefined => {
  if (a.fetch === undefined) return plus(b, a.addend);
  return b.fetch === undefined ? plus(a, b.addend) : undefined;
};

const register = (state: State, number: number): void => {
  state.found = { kind: 'value', value: { fetch: registerOf(state.needs, number), addend: 0 }, byte: 0 };
};
const based = ({ stack, needs, reader }: State, number: number): void =>
  void stack.push({ fetch: registerOf(needs, number), addend: reader.sleb() });

const frameBased: Operation = (state) => {
  const base = state.needs.frameBase();
  const offset = state.reader.sleb();
  if (base.kind === 'nowhere') refuse(base.why);
  // A register as the frame's base means what it has.
  if (base.kind === 'value' || base.kind === 'memory')
    state.stack.push(plus(base.kind === 'value' ? base.value : base.address, offset));
};

const canonicalFrame: Operation = ({ stack, needs }) => {
  const frame = needs.frame() ?? refuse('is on the stack, and the object does not say how the frame of its function is found');
  if ('expression' in frame) return refuse('is on the stack, and the frame of its function is found by an expression');
  stack.push({ fetch: registerOf(needs, frame.register), addend: frame.offset });
};

const block = (reader: DwarfReader): Buffer => {
  const length = reader.uleb();
  const at = reader.skip(length);
  return reader.bytes.subarray(at, at + length);
};

/** The value that something had when the function was called: known as long as it has been. */
const entryValue: Operation = ({ stack, reader, needs }) => {
  const inner = evaluate(block(reader), needs);
  if (!needs.isEntry) refuse('is optimized out there: only its value at the entry of the function is known');
  if (inner.kind !== 'value') return refuse('has a value that only its caller knows');
  stack.push(inner.value);
};

const piece: Operation = (state) => {
  state.pieces.push({ size: state.reader.uleb(), at: placeOf(state) });
  state.found = undefined;
  state.stack.length = 0;
};

const implicitValue: Operation = (state) => {
  const bytes = Buffer.alloc(8);
  block(state.reader).copy(bytes);
  state.found = { kind: 'value', value: constant(Number(bytes.readBigInt64LE())), byte: 0 };
};

const convert: Operation = (state) => {
  const size = state.needs.typeSize(state.reader.uleb());
  if (size > 0) state.bytes = Math.min(size, state.bytes ?? size);
};

const THREAD_LOCAL: Operation = () => refuse('is a variable of each thread, which a probe cannot find');
const NO_POINTER: Operation = () => refuse('points to something that is optimized out there');
const TYPED: Operation = () => refuse('is computed in a way that a probe cannot repeat');

/** Operations by their opcodes (DW_OP; DWARF 5, section 2.5). */
const OPERATIONS: Readonly<Record<number, Operation>> = {
  3: ({ reader, stack, needs }) => void stack.push(constant(reader.u64() + needs.bias)),
  6: (state) => void state.stack.push(wordFrom(pop(state))),
  8: push((reader) => reader.u8()),
  9: push((reader) => reader.i8()),
  10: push((reader) => reader.u16()),
  11: push((reader) => (reader.u16() << 16) >> 16),
  12: push((reader) => reader.u32()),
  13: push((reader) => reader.u32() | 0),
  14: push((reader) => reader.u64()),
  15: push((reader) => reader.u64()),
  16: push((reader) => reader.uleb()),
  17: push((reader) => reader.sleb()),
  18: ({ stack }) => void stack.push(stack.at(-1) ?? refuse('has a location that is damaged')),
  19: (state) => void pop(state),
  28: binary((a, b) => (b.fetch === undefined ? plus(a, -b.addend) : undefined)),
  30: ofConstants((a, b) => a * b),
  34: binary(add),
  35: (state) => void state.stack.push(plus(pop(state), state.reader.uleb())),
  144: (state) => register(state, state.reader.uleb()),
  145: frameBased,
  146: (state) => based(state, state.reader.uleb()),
  147: piece,
  150: () => {},
  155: THREAD_LOCAL,
  156: canonicalFrame,
  158: implicitValue,
  159: (state) => {
    state.found = { kind: 'value', value: pop(state), byte: 0, ...(state.bytes !== undefined && { bytes: state.bytes }) };
  },
  160: NO_POINTER,
  161: ({ reader, stack, needs }) => void stack.push(constant(needs.addressOf(reader.uleb()) + needs.bias)),
  162: ({ reader, stack, needs }) => void stack.push(constant(needs.addressOf(reader.uleb()))),
  163: entryValue,
  168: convert,
  224: THREAD_LOCAL,
  242: NO_POINTER,
  243: entryValue,
  247: convert,
};
/** The first opcodes of those that have a number in them: DW_OP_lit0, DW_OP_reg0, DW_OP_breg0. */
const RANGES: readonly (readonly [first: number, operation: (state: State, number: number) => void])[] = [
  [48, ({ stack }, number) => void stack.push(constant(number))],
  [80, register],
  [112, based],
];
const NUMBERS = 32;

function operationOf(opcode: number): Operation {
  const ranged = RANGES.find(([first]) => opcode >= first && opcode < first + NUMBERS);
  if (ranged !== undefined) return (state) => ranged[1](state, opcode - ranged[0]);
  return OPERATIONS[opcode] ?? TYPED;
}

function placeOf(state: State): Location {
  if (state.found !== undefined) return state.found;
  const address = state.stack.at(-1);
  return address === undefined ? nowhere('is optimized out there') : { kind: 'memory', address };
}

/** Where something is that an expression describes (DWARF 5, section 2.6). */
export function evaluate(expression: Buffer, needs: ExpressionNeeds): Location {
  const state: State = { reader: new DwarfReader(expression), stack: [], needs, found: undefined, pieces: [], bytes: undefined };
  try {
    while (state.reader.at < expression.length) {
      const opcode = state.reader.u8();
      operationOf(opcode)(state, opcode);
    }
  } catch (error) {
    if (error instanceof NoValue) return nowhere(error.message);
    if (error instanceof RangeError) return nowhere('has a location that is damaged');
    throw error;
  }
  return state.pieces.length > 0 ? { kind: 'pieces', pieces: state.pieces } : placeOf(state);
}
