import { ArithmeticForms } from '../../machine/arithmetic-forms.js';
import type {
  Arithmetic,
  Condition,
  ExitPlaces,
  Immediate,
  PortableAssembler as MachineAssembler,
  SystemCall,
  Target,
} from '../../machine/assembler.js';
import {
  ARG0,
  ARG1,
  ARG2,
  ARG3,
  type Bits,
  isRegister,
  Label,
  type MachineOperand,
  type Memory,
  type Register,
  VALUE,
} from '../../machine/operands.js';
import { branch } from './encode.js';
import * as i from './instructions.js';
import { loadNumber, RETURN } from './short-forms.js';

/**
 * The registers, by their numbers in operands.ts. VALUE is x8, because x0, in which C functions return, is ARG0. x6, x7, x13 to
 * x15, x18 and x24 to x28 are never changed.
 */
const REGISTERS = [8, 3, 2, 19, i.SP, 29, 1, 0, 4, 5, 9, 10, 20, 21, 22, 23] as const;
const [RESULT, LINK] = [0, 30];
/**
 * What an operation needs besides its operands: an address, a value, another one, the result of an exclusive store. x16 and x17
 * belong to the linker's stubs, so no function finds anything in them; the other two are kept by `enter`.
 */
const ADDRESS = 16;
const LOADED = 17;
const OTHER = 11;
const STATUS = 12;
/** A register of floating point, which is given back. */
const DOUBLE = 31;

const CONDITIONS: Readonly<Record<Condition, i.BranchCondition>> = {
  o: 'vs',
  no: 'vc',
  b: 'lo',
  ae: 'hs',
  e: 'eq',
  ne: 'ne',
  be: 'ls',
  a: 'hi',
  s: 'mi',
  ns: 'pl',
  l: 'lt',
  ge: 'ge',
  le: 'le',
  g: 'gt',
};
const OPERATIONS = { add: 'adds', sub: 'subs', cmp: 'subs', and: 'ands', or: 'orr', xor: 'eor', adc: 'adc', sbb: 'sbc' } as const;
const SHIFTS = { shl: 'lslv', shr: 'lsrv', sar: 'asrv' } as const;
const SYSTEM_CALLS: Readonly<Record<SystemCall, number>> = { clock_gettime: 113, prctl: 167, gettid: 178, process_vm_readv: 270 };

const WORD = 8;
/** The stack pointer is always a multiple of it. */
const STACK_UNIT = 16;

const numberOf = ({ register }: Register): number => REGISTERS[register]!;
const widthOf = (bits: Bits): i.Width => (bits === 64 ? 64 : 32);

/** Assembles machine code of arm64, for the lowest version of the architecture: as many instructions as an operation takes. */
export class Assembler extends ArithmeticForms implements MachineAssembler {
  /** Leaves room for a counter of 8 MHz and for 2^56 ticks, which are years. */
  readonly clockShift = 56;

  /** Appends instructions. */
  words(...words: readonly number[]): void {
    for (const word of words) this.int32(word);
  }

  override align(size: number): void {
    super.align(size, i.UNDEFINED);
  }

  mov(to: MachineOperand, from: MachineOperand | Immediate, bits: Bits = 64): void {
    if (isRegister(to)) {
      if (typeof from === 'number') this.#constant(numberOf(to), from, bits);
      else if (isRegister(from)) this.#move(numberOf(to), numberOf(from), widthOf(bits));
      else this.#access('ldr', bits, numberOf(to), from);
    } else if (typeof from === 'number') {
      if (from !== 0) this.#constant(LOADED, from, bits);
      this.#access('str', bits, from === 0 ? i.ZERO : LOADED, to);
    } else if (isRegister(from)) this.#access('str', bits, numberOf(from), to);
    else throw new Error('two operands in memory');
  }

  movImmediate(to: Register, value: bigint | number): void {
    if (typeof value === 'number' && !Number.isSafeInteger(value)) throw new RangeError(`${value} is not exact`);
    this.#load(numberOf(to), BigInt(value));
  }

  movzx(to: Register, from: MachineOperand, bits: 8 | 16): void {
    if (isRegister(from)) this.words(i.bitfield('ubfm', 32, numberOf(to), numberOf(from), 0, bits - 1));
    else this.#access('ldr', bits, numberOf(to), from);
  }

  movsxd(to: Register, from: MachineOperand): void {
    if (isRegister(from)) this.words(i.bitfield('sbfm', 64, numberOf(to), numberOf(from), 0, 31));
    else this.#access('ldrs', 32, numberOf(to), from);
  }

  fromDouble(to: Register, from: Memory): void {
    const base = this.#address(from);
    if (base === i.SP) throw new Error('a double on the stack');
    this.words(i.keepDouble(DOUBLE), i.loadDouble(DOUBLE, base));
    this.words(i.doubleToInteger(numberOf(to), DOUBLE), i.restoreDouble(DOUBLE));
  }

  lea(to: Register, address: Memory): void {
    const base = this.#address(address, numberOf(to) === i.SP ? ADDRESS : numberOf(to));
    this.#move(numberOf(to), base, 64);
  }

  arithmetic(name: Arithmetic, to: MachineOperand, from: MachineOperand | Immediate, bits: Bits = 64): void {
    if (!isRegister(to)) {
      if (name === 'cmp') {
        this.#access('ldr', bits, LOADED, to);
        this.#compare(LOADED, from, bits);
      } else this.#change(name, to, from, bits);
      return;
    }
    const register = numberOf(to);
    if (name === 'cmp') this.#compare(register, from, bits);
    else if (bits === 8 || bits === 16) {
      // What is above stays.
      this.#operate(name, 32, LOADED, register, from);
      this.words(i.bitfield('bfm', 32, register, LOADED, 0, bits - 1));
    } else this.#operate(name, bits, register, register, from);
  }

  test(first: MachineOperand, second: Register | Immediate, bits: Bits = 64): void {
    const register = this.#loaded(first, bits, LOADED);
    const other = typeof second === 'number' ? this.#constant(OTHER, second, bits) : numberOf(second);
    this.words(i.registers('ands', widthOf(bits), i.ZERO, register, other));
  }

  unary(name: 'inc' | 'dec' | 'mul' | 'imul', operand: MachineOperand, bits: Bits = 64): void {
    if (name === 'inc' || name === 'dec') {
      this.arithmetic(name === 'inc' ? 'add' : 'sub', operand, 1, bits);
      return;
    }
    if (bits !== 64) throw new Error(`${name} of ${bits} bits`);
    const [low, high, factor] = [numberOf(VALUE), numberOf(ARG2), this.#loaded(operand, 64, LOADED)];
    this.words(i.multiplyHigh(name === 'imul' ? 'smulh' : 'umulh', OTHER, low, factor));
    this.words(i.registers('mul', 64, low, low, factor));
    this.#move(high, OTHER, 64);
  }

  shift(name: keyof typeof SHIFTS, operand: MachineOperand, count: number | 'cl', bits: Bits = 64): void {
    if (!isRegister(operand) || bits < 32) throw new Error('a shift of part of a register, or of memory');
    const [register, width] = [numberOf(operand), widthOf(bits)];
    if (count === 'cl') this.words(i.registers(SHIFTS[name], width, register, register, numberOf(ARG3)));
    else if (name === 'shl') {
      this.words(i.bitfield('ubfm', width, register, register, (width - count) % width, width - 1 - count));
    } else this.words(i.bitfield(name === 'shr' ? 'ubfm' : 'sbfm', width, register, register, count, width - 1));
  }

  imul(to: Register, from: MachineOperand, bits: 32 | 64 = 64): void {
    this.words(i.registers('mul', bits, numberOf(to), numberOf(to), this.#loaded(from, bits, LOADED)));
  }

  imulBy(to: Register, from: MachineOperand, factor: Immediate, bits: 32 | 64 = 64): void {
    const other = this.#loaded(from, bits, LOADED);
    this.words(i.registers('mul', bits, numberOf(to), other, this.#constant(OTHER, factor, bits)));
  }

  bsr(to: Register, from: MachineOperand, bits: 32 | 64 = 64): void {
    const register = this.#loaded(from, bits, LOADED);
    this.words(i.addImmediate('subs', bits, i.ZERO, register, 0), i.countLeadingZeros(bits, LOADED, register));
    this.#constant(OTHER, bits - 1, bits);
    this.words(i.registers('sub', bits, numberOf(to), OTHER, LOADED));
  }

  xchg(memory: MachineOperand, register: Register, bits: Bits = 64): void {
    if (isRegister(memory)) throw new Error('an exchange of registers');
    const value = numberOf(register);
    this.#locked(memory, bits, () => value);
    this.#move(value, LOADED, widthOf(bits));
  }

  lockCmpxchg(memory: Memory, register: Register, bits: 32 | 64 = 64): void {
    const expected = numberOf(VALUE);
    const other = new Label();
    const compare = (): number => {
      this.words(i.registers('subs', bits, i.ZERO, LOADED, expected));
      this.jump('ne', other);
      return numberOf(register);
    };
    this.#locked(memory, bits, compare, other);
    this.#move(expected, LOADED, bits);
  }

  lockXadd(memory: Memory, register: Register, bits: 32 | 64 = 64): void {
    this.#locked(memory, bits, () => {
      this.words(i.registers('adds', bits, OTHER, LOADED, numberOf(register)));
      return OTHER;
    });
    this.#move(numberOf(register), LOADED, bits);
  }

  lockArithmetic(name: Exclude<Arithmetic, 'cmp'>, memory: Memory, from: Register | Immediate, bits: Bits = 64): void {
    this.words(i.BARRIER.all);
    this.#change(name, memory, from, bits);
    this.words(i.BARRIER.all);
  }

  publish(memory: Memory, from: Register | 0, bits: Bits = 64): void {
    const register = from === 0 ? i.ZERO : numberOf(from);
    this.words(i.exclusive('stlr', bits, register, this.#address(memory), i.ZERO));
  }

  acquire(): void {
    this.words(i.BARRIER.loads);
  }

  push(what: Register): void {
    this.words(i.accessNear('str', 64, numberOf(what), i.SP, -STACK_UNIT, 'before'));
  }

  pop(to: Register): void {
    this.words(i.accessNear('ldr', 64, numberOf(to), i.SP, STACK_UNIT, 'after'));
  }

  /** Keeps the return address of the code at hand on the stack. */
  call(target: Target | Register): void {
    this.words(i.accessNear('str', 64, LINK, i.SP, -STACK_UNIT, 'before'));
    this.link(target);
    this.words(i.accessNear('ldr', 64, LINK, i.SP, STACK_UNIT, 'after'));
  }

  /** bl or blr alone. */
  link(target: Target | Register): void {
    if (isRegister(target)) this.words(i.branchTo('blr', numberOf(target)));
    else this.#branch('call', target);
  }

  jmp(target: Target | Register): void {
    if (isRegister(target)) this.words(i.branchTo('br', numberOf(target)));
    else this.#branch('jump', target);
  }

  /** To a label within 1 MiB, or to any address within reach. */
  jump(condition: Condition, target: Target): void {
    const name = CONDITIONS[condition];
    if (typeof target === 'number') {
      const over = new Label();
      this.jump(OPPOSITES[condition], over);
      this.jmp(target);
      this.bind(over);
      return;
    }
    this.fillIn(target, (view, offset, distance) => view.setUint32(offset, i.branchIf(name, distance), true));
    this.int32(0);
  }

  /** By x16: where indirect jumps are guarded, a function's `bti c` lets those by that register arrive. */
  jumpFar(address: number): void {
    this.#load(ADDRESS, BigInt(address));
    this.words(i.branchTo('br', ADDRESS));
  }

  ret(): void {
    this.words(RETURN);
  }

  returnValue(): void {
    this.#move(RESULT, numberOf(VALUE), 64);
    this.ret();
  }

  /** The carry flag is the other way round when it tells of a subtraction: 0 - 0 borrows nothing. */
  clc(): void {
    this.words(i.registers('subs', 64, i.ZERO, i.ZERO, i.ZERO));
  }

  stc(): void {
    this.words(i.registers('adds', 64, i.ZERO, i.ZERO, i.ZERO));
  }

  ud2(): void {
    this.words(i.UNDEFINED);
  }

  counter(): void {
    this.words(i.readSystem('cntvct_el0', numberOf(VALUE)));
  }

  /** Code lies in the 48 bits that every version has. */
  stripSignature(address: Register): void {
    this.words(i.bitfield('ubfm', 64, numberOf(address), numberOf(address), 0, 47));
  }

  threadPointer(to: Register): void {
    this.words(i.readSystem('tpidr_el0', numberOf(to)));
  }

  threadWord(to: Register, distance: number): void {
    this.words(i.readSystem('tpidr_el0', ADDRESS));
    this.#accessAt('ldr', 32, numberOf(to), ADDRESS, distance);
  }

  systemCall(name: SystemCall): void {
    const [result, first] = [numberOf(VALUE), numberOf(ARG0)];
    this.#load(result, BigInt(SYSTEM_CALLS[name]));
    this.#move(ADDRESS, first, 64);
    this.words(i.SYSTEM_CALL);
    this.#move(result, first, 64);
    this.#move(first, ADDRESS, 64);
  }

  copy(bits: 8 | 32): void {
    const [to, from] = [numberOf(ARG0), numberOf(ARG1)];
    const done = new Label();
    const again = this.label();
    this.sub(ARG3, 1);
    this.jump('s', done);
    this.words(
      i.accessNear('ldr', bits, LOADED, from, bits / 8, 'after'),
      i.accessNear('str', bits, LOADED, to, bits / 8, 'after'),
    );
    this.jmp(again);
    this.bind(done);
  }

  findZero(): void {
    const value = numberOf(VALUE);
    const done = new Label();
    const again = this.label();
    this.words(i.accessNear('ldr', 8, value, numberOf(ARG0), 1, 'after'));
    this.cmp(VALUE, 0);
    this.jump('e', done);
    this.sub(ARG3, 1);
    this.jump('ne', again);
    // None of them: what was read last is not 0.
    this.cmp(VALUE, 0);
    this.bind(done);
  }

  enter(saved: readonly Register[]): number {
    return this.#keep([...kept(saved), LINK]);
  }

  keptAt(saved: readonly Register[], register: Register): number {
    const all = pairsOf([...kept(saved), LINK]).flat();
    return all.indexOf(numberOf(register)) * WORD;
  }

  leave(saved: readonly Register[]): void {
    this.#giveBack([...kept(saved), LINK]);
    this.ret();
  }

  /** Room for the return address is where `enter` has kept it. */
  enterExit(saved: readonly Register[]): ExitPlaces {
    const all = [...kept(saved), LINK];
    const bytes = this.#keep(all);
    return { returnAddress: bytes - WORD, result: bytes - (all.length - all.indexOf(RESULT)) * WORD };
  }

  leaveExit(saved: readonly Register[]): void {
    this.leave(saved);
  }

  /** The last one lies highest. Returns how many bytes they take. */
  #keep(registers: readonly number[]): number {
    const pairs = pairsOf(registers);
    const bytes = pairs.length * 2 * WORD;
    for (const [n, [first, second]] of pairs.entries()) {
      this.words(i.pair(n === 0 ? 'stp!' : 'stp', first, second, i.SP, n === 0 ? -bytes : n * 2 * WORD));
    }
    return bytes;
  }

  #giveBack(registers: readonly number[]): void {
    const pairs = pairsOf(registers);
    for (const [n, [first, second]] of pairs.entries()) this.words(i.pair('ldp', first, second, i.SP, n * 2 * WORD));
    this.words(i.addImmediate('add', 64, i.SP, i.SP, pairs.length * 2 * WORD));
  }

  #branch(use: 'call' | 'jump', target: Target): void {
    if (typeof target === 'number') {
      this.words(branch(use, this.here, target));
      return;
    }
    this.fillIn(target, (view, offset, distance) => view.setUint32(offset, branch(use, 0, distance), true));
    this.int32(0);
  }

  #move(to: number, from: number, width: i.Width): void {
    if (to === i.SP || from === i.SP) {
      if (to !== from) this.words(i.addImmediate('add', 64, to, from, 0));
    } else if (to !== from || width === 32) this.words(i.registers('orr', width, to, i.ZERO, from));
  }

  /** A constant of 32 bits with its sign, as an operand of so many bits. Returns the register. */
  #constant(to: number, value: Immediate, bits: Bits): number {
    if (value !== (value | 0) && (bits === 64 || value !== value >>> 0)) {
      throw new RangeError(`${value} does not fit into 32 bits`);
    }
    this.#load(to, BigInt.asUintN(bits, BigInt(value)));
    return to;
  }

  #load(to: number, value: bigint): void {
    this.words(...loadNumber(to, value));
  }

  /** The register of an operand, or `scratch` with what it has in memory. */
  #loaded(operand: MachineOperand, bits: Bits, scratch: number): number {
    if (isRegister(operand)) return numberOf(operand);
    this.#access('ldr', bits, scratch, operand);
    return scratch;
  }

  #compare(register: number, from: MachineOperand | Immediate, bits: Bits): void {
    const width = widthOf(bits);
    if (bits < 32 && typeof from === 'number') {
      if (register !== LOADED) this.words(i.bitfield('ubfm', 32, LOADED, register, 0, bits - 1));
      this.#operate('sub', 32, i.ZERO, LOADED, from & (2 ** bits - 1));
    } else if (bits < 32) throw new Error(`a comparison of two operands of ${bits} bits`);
    else this.#operate('sub', width, i.ZERO, register, from);
  }

  /** to = first OPERATION from, with the flags. */
  #operate(name: Exclude<Arithmetic, 'cmp'>, width: i.Width, to: number, first: number, from: MachineOperand | Immediate): void {
    if (typeof from === 'number' && (name === 'add' || name === 'sub')) {
      const value = name === 'add' ? from : -from;
      const sign = value < 0 || (value === 0 && name === 'sub') ? 'sub' : 'add';
      const magnitude = Math.abs(value);
      if (i.isAddImmediate(magnitude)) {
        // Only the form without flags knows the stack pointer as a result.
        this.words(i.addImmediate(to === i.SP && first === i.SP ? sign : `${sign}s`, width, to, first, magnitude));
        return;
      }
    }
    const isSp = !isNumber(from) && isRegister(from) && numberOf(from) === i.SP;
    if (isSp) this.#move(OTHER, i.SP, 64);
    const other = isNumber(from) ? this.#constant(OTHER, from, width) : isSp ? OTHER : this.#loaded(from, width, OTHER);
    this.words(i.registers(OPERATIONS[name], width, to, first, other));
    if (name === 'or' || name === 'xor') this.words(i.registers('ands', width, i.ZERO, to, to));
  }

  /**
   * Changes memory in one piece, as far as this thread and its signals can see: an exclusive store fails after an interruption.
   */
  #change(name: Exclude<Arithmetic, 'cmp'>, memory: Memory, from: MachineOperand | Immediate, bits: Bits): void {
    this.#retried(memory, bits, () => {
      this.#operate(name, widthOf(bits), LOADED, LOADED, from);
      return LOADED;
    });
  }

  /** Changes memory in one order with all other accesses. */
  #locked(memory: Memory, bits: Bits, compute: () => number, end = new Label()): void {
    this.words(i.BARRIER.all);
    this.#retried(memory, bits, compute);
    this.bind(end);
    this.words(i.BARRIER.all);
  }

  /** x17 becomes what the memory has, which `compute` makes another value of; until nobody comes between. */
  #retried(memory: Memory, bits: Bits, compute: () => number): void {
    const base = this.#address(memory);
    const again = this.here;
    this.words(i.exclusive('ldxr', bits, LOADED, base, i.ZERO));
    const value = compute();
    this.words(i.exclusive('stxr', bits, value, base, STATUS));
    this.words(i.branchIfNotZero(32, STATUS, again - this.here));
  }

  #access(name: 'str' | 'ldr' | 'ldrs', size: i.Size, register: number, memory: Memory): void {
    const { base, index, scale = 1, disp } = checked(memory);
    if (base !== undefined && index !== undefined && disp === 0 && (scale === 1 || scale * 8 === size)) {
      this.words(i.accessIndexed(name, size, register, numberOf(base), numberOf(index), scale > 1));
    } else if (index === undefined && base !== undefined) this.#accessAt(name, size, register, numberOf(base), disp);
    else this.#accessAt(name, size, register, this.#sum(memory), disp);
  }

  /** At a distance from a register. */
  #accessAt(name: 'str' | 'ldr' | 'ldrs', size: i.Size, register: number, base: number, distance: number): void {
    if (i.isAccessDistance(size, distance)) this.words(i.accessAt(name, size, register, base, distance));
    else if (i.isNear(distance)) this.words(i.accessNear(name, size, register, base, distance));
    else {
      // The part that the access cannot have.
      const rest = distance > 0 && distance % (size / 8) === 0 ? distance % 4096 : 0;
      this.#addTo(ADDRESS, base, distance - rest);
      this.words(i.accessAt(name, size, register, ADDRESS, rest));
    }
  }

  /** The register that has an address: a base as it is, or `to`. */
  #address(memory: Memory, to = ADDRESS): number {
    const { base, index, disp } = checked(memory);
    if (index === undefined && base !== undefined) {
      if (disp === 0) return numberOf(base);
      this.#addTo(to, numberOf(base), disp);
      return to;
    }
    const sum = this.#sum(memory);
    if (disp === 0) return sum;
    this.#addTo(to, sum, disp);
    return to;
  }

  /** Base and index, in x16. */
  #sum({ base, index, scale = 1 }: Memory): number {
    const shift = Math.log2(scale);
    const first = base === undefined ? i.ZERO : numberOf(base);
    if (base !== undefined && first === i.SP) throw new Error('an index from the stack pointer');
    this.words(i.registers('add', 64, ADDRESS, first, numberOf(index!), shift));
    return ADDRESS;
  }

  /** to = from + distance, without the flags. */
  #addTo(to: number, from: number, distance: number): void {
    const name = distance < 0 ? 'sub' : 'add';
    const magnitude = Math.abs(distance);
    if (magnitude < 2 ** 24) {
      const [low, high] = [magnitude % 4096, magnitude - (magnitude % 4096)];
      if (high > 0) this.words(i.addImmediate(name, 64, to, from, high));
      if (low > 0 || high === 0) this.words(i.addImmediate(name, 64, to, high > 0 ? to : from, low));
      return;
    }
    this.#load(OTHER, BigInt.asUintN(64, BigInt(distance)));
    if (from === i.SP) throw new Error('a distance from the stack pointer that is too long');
    this.words(i.registers('add', 64, to, from, OTHER));
  }
}

const OPPOSITES: Readonly<Record<Condition, Condition>> = {
  o: 'no',
  no: 'o',
  b: 'ae',
  ae: 'b',
  e: 'ne',
  ne: 'e',
  be: 'a',
  a: 'be',
  s: 'ns',
  ns: 's',
  l: 'ge',
  ge: 'l',
  le: 'g',
  g: 'le',
};

const isNumber = (operand: MachineOperand | Immediate): operand is Immediate => typeof operand === 'number';

/** Registers that are kept: those of the code, and those that operations need. */
const kept = (saved: readonly Register[]): readonly number[] => [OTHER, STATUS, ...saved.map(numberOf)];

/** Registers two by two; with an odd number, the first one stands beside nothing. */
function pairsOf(registers: readonly number[]): readonly (readonly [number, number])[] {
  const all = registers.length % 2 === 0 ? registers : [i.ZERO, ...registers];
  return Array.from({ length: all.length / 2 }, (_, n) => [all[2 * n]!, all[2 * n + 1]!]);
}

function checked(memory: Memory): Memory {
  if (memory.fs || memory.label !== undefined) throw new Error('memory that arm64 does not have');
  return memory;
}
