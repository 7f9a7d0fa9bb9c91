import type { FrameRow } from '../dwarf/call-frame.js';
import { frameValue } from './frame-value.js';
import type { UnwindAbi } from './unwind-abi.js';

const WORD = 8;
/** The most frames of a stack that are found. */
const MOST_FRAMES = 4096;

/** What a thread had in its registers, by DWARF's numbers; undefined: it is not known. */
export type RegisterValues = readonly (number | undefined)[];

/** A thread at one moment. */
export interface UnwindStart {
  readonly pc: number;
  readonly registers: RegisterValues;
}

/** Where a process's code and memory are known. */
export interface UnwoundProcess {
  /** What unwinding must know at an address; undefined: no table has it. @throws RangeError: the table is damaged */
  row(address: number): FrameRow | undefined;
  /** Whether code is at an address. */
  isCode(address: number): boolean;
  /** Whether an address is in a stub of the linker, which has nothing on the stack but the return address. */
  isStub(address: number): boolean;
  /** Bytes of code; fewer, or none, where it cannot be read. */
  code(address: number, length: number): Uint8Array;
  /** The 64 bits at an address. @throws Error where it cannot be read */
  word(address: number): number;
}

/** A call on the stack, as its machine code has it. */
export interface UnwoundFrame {
  /** The next instruction. */
  readonly pc: number;
  /** An address in the instruction that the call is in: where it calls, or, of one that was interrupted, `pc`. */
  readonly at: number;
  /** The frame pointer; undefined: not known. */
  readonly framePointer: number | undefined;
  /** The stack pointer; undefined: not known. */
  readonly stackPointer: number | undefined;
  /** How the call was found. `start`: it is the innermost. */
  readonly by: 'start' | 'table' | 'frame pointer' | 'signal';
  /** Whether a table describes it. */
  readonly isDescribed: boolean;
}

/** A stack of calls, innermost first. */
export interface UnwoundStack {
  readonly frames: readonly UnwoundFrame[];
  /** Why the last frame has no caller here, as a sentence about it; undefined: nobody has called it. */
  readonly end: string | undefined;
}

interface Step {
  readonly pc: number;
  readonly registers: RegisterValues;
  readonly by: UnwoundFrame['by'];
}

/**
 * Finds the calls on a stack: by the tables for exceptions (.eh_frame), of signal handlers by what the system has written, and
 * where neither says anything by frame pointers, as compilers at run time leave them. Pure.
 */
export function unwindStack(abi: UnwindAbi, process: UnwoundProcess, start: UnwindStart): UnwoundStack {
  const frames: UnwoundFrame[] = [];
  let step: Step = { ...start, by: 'start' };
  for (;;) {
    const { pc, registers, by } = step;
    // Behind a call that does not return another function may begin.
    const at = by === 'start' || by === 'signal' ? pc : pc - 1;
    const row = attemptRow(process, at);
    frames.push({
      ...{ pc, at, by, isDescribed: row !== undefined },
      framePointer: registers[abi.framePointer],
      stackPointer: registers[abi.stackPointer],
    });
    if (frames.length === MOST_FRAMES) return { frames, end: `it has more than ${MOST_FRAMES} calls` };
    const next = caller(abi, process, step, row);
    if (next === undefined || typeof next === 'string') return { frames, end: next };
    const before = registers[abi.stackPointer];
    const after = next.registers[abi.stackPointer];
    const isSignal = next.by === 'signal';
    if (!isSignal && before !== undefined && after !== undefined && after < before)
      return { frames, end: 'its frame does not lie on the stack' };
    if (before === after && next.pc === pc) return { frames, end: 'it seems to have called itself' };
    if (!process.isCode(next.pc)) return { frames, end: next.pc === 0 ? undefined : 'what it returns to is no code' };
    step = next;
  }
}

function attemptRow(process: UnwoundProcess, at: number): FrameRow | undefined {
  try {
    return process.row(at);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The caller of a call; undefined: it has none; a text: it is not known why. */
function caller(abi: UnwindAbi, process: UnwoundProcess, step: Step, row: FrameRow | undefined): Step | string | undefined {
  try {
    if (row !== undefined) return byTable(abi, process, step, row);
    return bySignal(abi, process, step) ?? byStub(abi, process, step) ?? byFramePointer(abi, process, step);
  } catch (error) {
    // What the memory does not have, and damaged tables.
    return `the stack cannot be read there (${(error as Error).message})`;
  }
}

function byTable(abi: UnwindAbi, process: UnwoundProcess, step: Step, row: FrameRow): Step | string | undefined {
  const { registers } = step;
  const register = (number: number): number | undefined =>
    number === row.returnAddress && registers[number] === undefined ? step.pc : registers[number];
  const needs = { register, word: (address: number) => process.word(address) };
  const { frame } = row;
  const based = 'expression' in frame ? frameValue(frame.expression, needs) : registers[frame.register];
  // A frame that begins where a register says that is not known: the frame pointers go on.
  if (based === undefined) return byFramePointer(abi, process, step);
  const address = 'expression' in frame ? based : based + frame.offset;
  const found: (number | undefined)[] = [];
  for (const number of abi.kept) found[number] = registers[number];
  found[abi.stackPointer] = address;
  let pc: number | undefined = abi.linkRegister === row.returnAddress ? registers[row.returnAddress] : undefined;
  for (const [number, rule] of row.rules) {
    let value: number | undefined;
    if (rule.kind === 'same') value = registers[number];
    else if (rule.kind === 'register') value = registers[rule.register];
    else if (rule.kind !== 'lost') {
      const place = 'expression' in rule ? frameValue(rule.expression, needs, address) : address + rule.offset;
      value = rule.kind === 'is' ? place : process.word(place);
    } else if (number === row.returnAddress) return undefined;
    if (number === row.returnAddress) pc = value;
    else found[number] = value;
  }
  if (pc === undefined) return 'its return address is not known';
  return { pc: plainAddress(abi, pc), registers: found, by: row.isSignal ? 'signal' : 'table' };
}

/** An address without what a signature has put into its upper bits. */
const plainAddress = ({ addressBits }: UnwindAbi, address: number): number =>
  address >= 0 && address < 2 ** addressBits ? address : Number(BigInt.asUintN(addressBits, BigInt(address)));

/** What a signal has interrupted, where a handler returns to the code for that. */
function bySignal(abi: UnwindAbi, process: UnwoundProcess, { pc, registers }: Step): Step | undefined {
  const code = process.code(pc, abi.signalReturn.length);
  const pointer = registers[abi.stackPointer];
  if (pointer === undefined || Buffer.compare(code, abi.signalReturn) !== 0) return undefined;
  const word = (number: number): number | undefined => {
    const at = abi.signalWord(number);
    return at === undefined ? undefined : process.word(pointer + at);
  };
  return { pc: word(abi.pcWord)!, registers: abi.wordOf.map(word), by: 'signal' };
}

function byStub(abi: UnwindAbi, process: UnwoundProcess, { pc, registers, by }: Step): Step | undefined {
  if ((by !== 'start' && by !== 'signal') || !process.isStub(pc)) return undefined;
  return returned(abi, process, registers, 0);
}

/** The caller of a function that has pushed so many words and has no frame yet. */
function returned(abi: UnwindAbi, process: UnwoundProcess, registers: RegisterValues, pushed: number): Step | undefined {
  const pointer = registers[abi.stackPointer];
  if (abi.linkRegister !== undefined) {
    const pc = registers[abi.linkRegister];
    return pc === undefined ? undefined : { pc: plainAddress(abi, pc), registers, by: 'table' };
  }
  if (pointer === undefined) return undefined;
  const found = [...registers];
  found[abi.stackPointer] = pointer + (pushed + 1) * WORD;
  return { pc: process.word(pointer + pushed * WORD), registers: found, by: 'table' };
}

function byFramePointer(abi: UnwindAbi, process: UnwoundProcess, step: Step): Step | string | undefined {
  const { registers, by, pc } = step;
  if (by === 'start' || by === 'signal') {
    const code = process.code(pc, WORD);
    const begun = abi.prologue.find((one) => one.code.every((byte, i) => code[i] === byte));
    const found = begun && returned(abi, process, registers, begun.pushed);
    if (found !== undefined) return { ...found, by: 'frame pointer' };
  }
  const frame = registers[abi.framePointer];
  const pointer = registers[abi.stackPointer];
  if (frame === undefined) return 'no table describes it, and there is no frame pointer';
  if (frame === 0) return undefined;
  if (frame % WORD !== 0 || (pointer !== undefined && frame < pointer))
    return 'no table describes it, and the frame pointer does not lie on the stack';
  const found: (number | undefined)[] = [];
  found[abi.framePointer] = process.word(frame);
  // Behind the frame's two words lies what the function has got on the stack; on arm64, its variables.
  if (abi.linkRegister === undefined) found[abi.stackPointer] = frame + 2 * WORD;
  return { pc: plainAddress(abi, process.word(frame + WORD)), registers: found, by: 'frame pointer' };
}
