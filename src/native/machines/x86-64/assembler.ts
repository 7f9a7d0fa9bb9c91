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
import { longBytes } from '../../machine/long-bytes.js';
import {
  at,
  type Bits,
  fs,
  isRegister,
  Label,
  type MachineOperand,
  type Memory,
  mem,
  type Register,
} from '../../machine/operands.js';
import { encodeOperand } from './encode-operand.js';
import { R10, RAX, RCX, RDX, RSP } from './registers.js';

export type { Condition, Immediate, Target } from '../../machine/assembler.js';

/** The group of eight operations of two operands, by their number in the encoding. */
const ARITHMETIC: Readonly<Record<Arithmetic, number>> = { add: 0, or: 1, adc: 2, sbb: 3, and: 4, sub: 5, xor: 6, cmp: 7 };
/** Shifts, by the opcode's extension. */
const SHIFTS = { shl: 4, shr: 5, sar: 7 } as const;
/** Operations of one operand: opcode (of 16 bits and more) and its extension. */
const UNARY = {
  inc: [0xff, 0],
  dec: [0xff, 1],
  not: [0xf7, 2],
  neg: [0xf7, 3],
  mul: [0xf7, 4],
  imul: [0xf7, 5],
  div: [0xf7, 6],
} as const;
/** Conditions, by their number. */
const CONDITIONS: Readonly<Record<Condition, number>> = {
  o: 0,
  no: 1,
  b: 2,
  ae: 3,
  e: 4,
  ne: 5,
  be: 6,
  a: 7,
  s: 8,
  ns: 9,
  l: 12,
  ge: 13,
  le: 14,
  g: 15,
};
const SYSTEM_CALLS: Readonly<Record<SystemCall, number>> = {
  prctl: 157,
  gettid: 186,
  clock_gettime: 228,
  process_vm_readv: 310,
};
/** System calls that take more than three arguments: the fourth one in a register of its own. */
const LONG_CALLS: ReadonlySet<SystemCall> = new Set<SystemCall>(['process_vm_readv']);
const WORD = 8;

/** The distance from the end of its four bytes, as most instructions have it. */
const fillDistance = (view: DataView, offset: number, distance: number): void => view.setInt32(offset, distance - 4, true);

const isByte = (value: number): boolean => value === (value << 24) >> 24;

/**
 * Assembles x86-64 machine code: a method for each instruction that fentry emits. Operands stand in the order of Intel's manuals:
 * the first one is changed.
 */
export class Assembler extends ArithmeticForms implements MachineAssembler {
  /** Leaves room for a counter of 250 MHz and for 2^61 ticks, which are decades. */
  readonly clockShift = 61;

  mov(to: MachineOperand, from: MachineOperand | Immediate, bits: Bits = 64): void {
    if (typeof from === 'number') this.#withImmediate(bits === 8 ? 0xc6 : 0xc7, 0, to, from, bits);
    else this.#twoOperands(0x88, to, from, bits);
  }

  /** A constant of 64 bits; an address, whose low 48 bits count with their sign. */
  movImmediate(to: Register, value: bigint | number): void {
    const number = Number(value);
    if (typeof value === 'number' && !Number.isSafeInteger(value)) throw new RangeError(`${value} is not exact`);
    if (number >= 0 && number <= 0xffffffff) {
      if (to.register > 7) this.bytes(0x41);
      this.bytes(0xb8 | (to.register & 7));
      this.int32(number | 0);
    } else {
      this.bytes(0x48 | (to.register >> 3), 0xb8 | (to.register & 7));
      this.int64(BigInt(value));
    }
  }

  /** Reads 8 or 16 bits, zeros above. */
  movzx(to: Register, from: MachineOperand, bits: 8 | 16): void {
    this.#modrm([0x0f, bits === 8 ? 0xb6 : 0xb7], to.register, from, 32, bits === 8);
  }

  /** Reads 32 bits with their sign into 64. */
  movsxd(to: Register, from: MachineOperand): void {
    this.#modrm([0x63], to.register, from, 64);
  }

  /** cvttsd2si: the double at a place in memory as an integer. Changes no vector register. */
  fromDouble(to: Register, from: Memory): void {
    this.#modrm([0x0f, 0x2c], to.register, from, 64, false, 0, 0xf2);
  }

  lea(to: Register, address: Memory): void {
    this.#modrm([0x8d], to.register, address, 64);
  }

  /** add, or, adc, sbb, and, sub, xor, cmp. */
  arithmetic(name: Arithmetic, to: MachineOperand, from: MachineOperand | Immediate, bits: Bits = 64): void {
    const number = ARITHMETIC[name];
    if (typeof from !== 'number') this.#twoOperands(number << 3, to, from, bits);
    else if (bits === 8) this.#withImmediate(0x80, number, to, from, 8);
    else if (isByte(from)) {
      this.#modrm([0x83], number, to, bits, false, 1);
      this.bytes(from & 0xff);
    } else this.#withImmediate(0x81, number, to, from, bits);
  }

  test(first: MachineOperand, second: Register | Immediate, bits: Bits = 64): void {
    if (typeof second === 'number') this.#withImmediate(bits === 8 ? 0xf6 : 0xf7, 0, first, second, bits);
    else this.#modrm([bits === 8 ? 0x84 : 0x85], second.register, first, bits);
  }

  /** inc, dec, not, neg; mul, imul (with a sign) and div work on rdx:rax. */
  unary(name: keyof typeof UNARY, operand: MachineOperand, bits: Bits = 64): void {
    const [opcode, extension] = UNARY[name];
    this.#modrm([bits === 8 ? opcode - 1 : opcode], extension, operand, bits);
  }

  /** shl, shr, sar by a constant, or by cl. */
  shift(name: keyof typeof SHIFTS, operand: MachineOperand, count: number | 'cl', bits: Bits = 64): void {
    const wide = bits === 8 ? 0 : 1;
    if (count === 'cl') this.#modrm([0xd2 | wide], SHIFTS[name], operand, bits);
    else {
      this.#modrm([0xc0 | wide], SHIFTS[name], operand, bits, false, 1);
      this.bytes(count);
    }
  }

  /** Shifts right by a constant, or by cl; what comes in from above are the low bits of `from`. */
  shrd(operand: MachineOperand, from: Register, count: number | 'cl', bits: 32 | 64 = 64): void {
    this.#modrm([0x0f, count === 'cl' ? 0xad : 0xac], from.register, operand, bits, false, count === 'cl' ? 0 : 1);
    if (count !== 'cl') this.bytes(count);
  }

  imul(to: Register, from: MachineOperand, bits: 32 | 64 = 64): void {
    this.#modrm([0x0f, 0xaf], to.register, from, bits);
  }

  /** A constant times an operand. */
  imulBy(to: Register, from: MachineOperand, factor: Immediate, bits: 32 | 64 = 64): void {
    this.#modrm([0x69], to.register, from, bits, false, 4);
    this.int32(factor);
  }

  /** The number of the highest bit that is set. */
  bsr(to: Register, from: MachineOperand, bits: 32 | 64 = 64): void {
    this.#modrm([0x0f, 0xbd], to.register, from, bits);
  }

  /** Copies a bit into the carry flag. */
  bt(operand: MachineOperand, bit: Register | Immediate, bits: 32 | 64 = 64): void {
    if (typeof bit === 'number') {
      this.#modrm([0x0f, 0xba], 4, operand, bits, false, 1);
      this.bytes(bit);
    } else this.#modrm([0x0f, 0xa3], bit.register, operand, bits);
  }

  cmov(condition: Condition, to: Register, from: MachineOperand, bits: 32 | 64 = 64): void {
    this.#modrm([0x0f, 0x40 | CONDITIONS[condition]], to.register, from, bits);
  }

  /** Sets 8 bits to 1 or 0. */
  set(condition: Condition, to: MachineOperand): void {
    this.#modrm([0x0f, 0x90 | CONDITIONS[condition]], 0, to, 8);
  }

  xchg(memory: MachineOperand, register: Register, bits: Bits = 64): void {
    this.#modrm([bits === 8 ? 0x86 : 0x87], register.register, memory, bits);
  }

  /** If the memory holds what rax has, it gets the register's value; else rax gets the memory's. The zero flag says which. */
  lockCmpxchg(memory: Memory, register: Register, bits: 32 | 64 = 64): void {
    this.#modrm([0x0f, 0xb1], register.register, memory, bits, false, 0, 0xf0);
  }

  /** Adds the register to the memory; the register gets what the memory had. */
  lockXadd(memory: Memory, register: Register, bits: 32 | 64 = 64): void {
    this.#modrm([0x0f, 0xc1], register.register, memory, bits, false, 0, 0xf0);
  }

  /** add, or, and, ... for memory that other threads change too. */
  lockArithmetic(name: Exclude<Arithmetic, 'cmp'>, memory: Memory, from: Register | Immediate, bits: Bits = 64): void {
    this.bytes(0xf0);
    this.arithmetic(name, memory, from, bits);
  }

  /** No store overtakes an earlier one. */
  publish(memory: Memory, from: Register | 0, bits: Bits = 64): void {
    this.mov(memory, from, bits);
  }

  /** No load overtakes an earlier one. */
  acquire(): void {}

  push(what: MachineOperand | Immediate): void {
    if (typeof what === 'number') {
      this.bytes(0x68);
      this.int32(what);
    } else if (isRegister(what)) this.#short(0x50, what);
    else this.#modrm([0xff], 6, what, 32);
  }

  pop(to: MachineOperand): void {
    if (isRegister(to)) this.#short(0x58, to);
    else this.#modrm([0x8f], 0, to, 32);
  }

  call(target: Target | MachineOperand): void {
    this.#branch(0xe8, 2, target);
  }

  /** A label and an address take 5 bytes. */
  jmp(target: Target | MachineOperand): void {
    this.#branch(0xe9, 4, target);
  }

  /** Takes 6 bytes. */
  jump(condition: Condition, target: Target): void {
    this.bytes(0x0f, 0x80 | CONDITIONS[condition]);
    this.relative(target);
  }

  /** `jmp *(%rip)`, and the address. */
  jumpFar(address: number): void {
    const word = new Label();
    this.jmp(at(word));
    this.bind(word);
    this.append(longBytes(address));
  }

  /** Returns, and removes so many bytes from the stack. */
  ret(bytes = 0): void {
    if (bytes === 0) this.bytes(0xc3);
    else this.bytes(0xc2, bytes & 0xff, bytes >> 8);
  }

  returnValue(): void {
    this.ret();
  }

  /** The low half of the time stamp counter comes into eax, the high half into edx. */
  rdtsc(): void {
    this.bytes(0x0f, 0x31);
  }

  counter(): void {
    this.rdtsc();
    this.shift('shl', RDX, 32);
    this.or(RAX, RDX);
  }

  stripSignature(): void {}

  /** The word that the thread pointer leads to has it too. */
  threadPointer(to: Register): void {
    this.mov(to, fs(0));
  }

  threadWord(to: Register, distance: number): void {
    this.mov(to, fs(distance), 32);
  }

  syscall(): void {
    this.bytes(0x0f, 0x05);
  }

  systemCall(name: SystemCall): void {
    if (LONG_CALLS.has(name)) this.mov(R10, RCX);
    this.movImmediate(RAX, SYSTEM_CALLS[name]);
    this.syscall();
  }

  /** Above the number is what was on the stack at the site: a call's own return address, or at once the function's. */
  enter(saved: readonly Register[]): number {
    for (const register of saved) this.push(register);
    return (saved.length + 1) * WORD;
  }

  keptAt(saved: readonly Register[], register: Register): number {
    return (saved.length - 1 - saved.indexOf(register)) * WORD;
  }

  leave(saved: readonly Register[]): void {
    for (const register of saved.toReversed()) this.pop(register);
    this.ret(WORD);
  }

  enterExit(saved: readonly Register[]): ExitPlaces {
    this.lea(RSP, mem(RSP, -WORD));
    for (const register of saved) this.push(register);
    return { returnAddress: saved.length * WORD, result: this.keptAt(saved, RAX) };
  }

  leaveExit(saved: readonly Register[]): void {
    for (const register of saved.toReversed()) this.pop(register);
    this.ret();
  }

  pushfq(): void {
    this.bytes(0x9c);
  }

  popfq(): void {
    this.bytes(0x9d);
  }

  /** Makes string instructions go upwards. */
  cld(): void {
    this.bytes(0xfc);
  }

  /** Loads all flags of arithmetic but overflow from ah. */
  sahf(): void {
    this.bytes(0x9e);
  }

  /** Exchanges al and ah. */
  swapBytes(): void {
    this.bytes(0x86, 0xc4);
  }

  /** rep movsb or movsd. */
  copy(bits: 8 | 32): void {
    this.bytes(0xf3, bits === 8 ? 0xa4 : 0xa5);
  }

  /** repne scasb. */
  findZero(): void {
    this.xor(RAX, RAX, 32);
    this.bytes(0xf2, 0xae);
  }

  /** Clears, sets the carry flag. */
  clc(): void {
    this.bytes(0xf8);
  }

  stc(): void {
    this.bytes(0xf9);
  }

  pause(): void {
    this.bytes(0xf3, 0x90);
  }

  int3(): void {
    this.bytes(0xcc);
  }

  ud2(): void {
    this.bytes(0x0f, 0x0b);
  }

  endbr64(): void {
    this.bytes(0xf3, 0x0f, 0x1e, 0xfa);
  }

  /** Four bytes that lead from `toEnd` bytes behind their start to a label, or to an address within 2 GiB. */
  relative(target: Target, toEnd = 4): void {
    if (target instanceof Label) {
      this.fillIn(target, toEnd === 4 ? fillDistance : (view, offset, distance) => view.setInt32(offset, distance - toEnd, true));
      this.int32(0);
    } else this.int32(distance(this.here + toEnd, target));
  }

  #short(opcode: number, { register }: Register): void {
    if (register > 7) this.bytes(0x41);
    this.bytes(opcode | (register & 7));
  }

  #branch(opcode: number, extension: number, target: Target | MachineOperand): void {
    if (typeof target === 'number' || target instanceof Label) {
      this.bytes(opcode);
      this.relative(target);
    } else this.#modrm([0xff], extension, target, 32);
  }

  /** `opcode` is the form that changes memory, of 8 bits. */
  #twoOperands(opcode: number, to: MachineOperand, from: MachineOperand, bits: Bits): void {
    const wide = bits === 8 ? 0 : 1;
    if (isRegister(from)) this.#modrm([opcode | wide], from.register, to, bits, bits === 8);
    else if (isRegister(to)) this.#modrm([opcode | 2 | wide], to.register, from, bits, bits === 8);
    else throw new Error('two operands in memory');
  }

  #withImmediate(opcode: number, extension: number, to: MachineOperand, value: Immediate, bits: Bits): void {
    if (bits === 64 && value !== (value | 0)) throw new RangeError(`${value} does not fit into 32 bits`);
    const size = bits === 8 ? 1 : bits === 16 ? 2 : 4;
    this.#modrm([opcode], extension, to, bits, false, size);
    if (size === 4) this.int32(value);
    else for (let i = 0; i < size; i++) this.bytes((value >> (8 * i)) & 0xff);
  }

  /**
   * Prefixes, opcode, operands.
   * @param byteRegister `field` or the operand is a register of 8 bits
   * @param following bytes of the instruction behind its operand
   */
  #modrm(
    opcode: readonly number[],
    field: number,
    operand: MachineOperand,
    bits: Bits,
    byteRegister = bits === 8,
    following = 0,
    prefix?: number,
  ): void {
    const encoded = encodeOperand(operand, field);
    if (prefix !== undefined) this.bytes(prefix);
    if (!isRegister(operand) && operand.fs) this.bytes(0x64);
    if (bits === 16) this.bytes(0x66);
    const rex = (bits === 64 ? 8 : 0) | ((field >> 3) << 2) | encoded.rex;
    // Without a REX prefix, the numbers 4 to 7 of 8 bits are ah, ch, dh, bh.
    const isHighByte = byteRegister && (field > 3 || (isRegister(operand) && operand.register > 3));
    if (rex !== 0 || isHighByte) this.bytes(0x40 | rex);
    const { bytes } = encoded;
    const label = isRegister(operand) ? undefined : operand.label;
    if (label === undefined) this.bytes(...opcode, ...bytes);
    else {
      this.bytes(...opcode, bytes[0]!);
      this.relative(label, 4 + following);
    }
  }
}

/**
 * The 32 bits that lead from one address to another.
 * @throws RangeError if they are more than 2 GiB apart
 */
function distance(from: number, to: number): number {
  const bytes = to - from;
  if (bytes !== (bytes | 0)) throw new RangeError(`0x${to.toString(16)} is not within 2 GiB of 0x${from.toString(16)}`);
  return bytes;
}
