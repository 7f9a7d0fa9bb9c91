import type { Fetch, ProbeArgument } from '../../../probes/probe-definition.js';
import { rowOf } from '../../../probes/probe-definition.js';
import type { Bits } from '../machine/operands.js';
import { Label, mem } from '../machine/operands.js';
import type { Assembler } from '../x86-64/assembler.js';
import { R12, R13, RAX, RBP, RCX, RDX, RSP } from '../x86-64/registers.js';
import { SAVED } from './probe-frame.js';
import type { ProbeMemoryCode } from './probe-memory.js';

const WORD = 8;
/** The registers of a function's first arguments; the others are on the stack behind the return address. */
const ARGUMENTS = ['di', 'si', 'dx', 'cx', 'r8', 'r9'];
/** Registers that every thread of a 64-bit program has so. */
const CONSTANT: Readonly<Record<string, bigint>> = { cs: 0x33n, ss: 0x2bn, orig_ax: -1n };
/** A word of `__data_loc`: the length above, the offset below. */
const LENGTH_SHIFT = 16;

/** What the values of a probe depend on besides its registers. */
export interface FetchNeeds {
  readonly memory: ProbeMemoryCode;
  /** The address of the probed place, which the instruction pointer has. */
  readonly ip: number;
  /** The address of a symbol; undefined: there is none of that name any more. */
  addressOf(symbol: string): number | undefined;
  /** Where the file's first byte would be in the process, if the probe stands in an object. */
  readonly fileBase?: number | undefined;
}

/** The names of registers that a probe can fetch, as the kernel has them (arch/x86/kernel/ptrace.c). */
export const REGISTERS: ReadonlySet<string> = new Set([
  ...Object.keys(SAVED).filter((name) => name !== 'ret'),
  ...Object.keys(CONSTANT),
  'ip',
]);

/**
 * Emits what fetches an argument of a probe, and stores it in the record that begins at r12 (process_fetch_insn in kernel/trace/trace_probe_tmpl.h). What
 * is not there is 0, or a text without bytes. Texts go to r13, which then leads behind them. Registers as for a handler; rax, rcx, rdx, r8, r9, r11 are lost.
 */
export class FetchCode {
  readonly #code: Assembler;
  readonly #needs: FetchNeeds;

  constructor(code: Assembler, needs: FetchNeeds) {
    this.#code = code;
    this.#needs = needs;
  }

  /** @param offset of the argument's field */
  emitArgument({ fetch, type }: ProbeArgument, offset: number): void {
    const { isText = false } = rowOf(type.name);
    const { count } = type;
    if (isText && count !== undefined && fetch.kind === 'dereference') {
      for (let i = 0; i < count; i++) {
        const pointer: Fetch = { ...fetch, offset: fetch.offset + i * WORD };
        this.#emitText({ kind: 'dereference', of: pointer, offset: 0 }, offset + i * rowOf(type.name).size);
      }
    } else if (isText) this.#emitText(fetch, offset);
    else if (fetch.kind === 'dereference') this.#emitMemory(fetch, offset, type);
    else this.#emitWord(fetch, offset, type);
  }

  #emitWord(fetch: Fetch, offset: number, { name, bits }: ProbeArgument['type']): void {
    const code = this.#code;
    const { size } = rowOf(name);
    const fault = new Label();
    const store = new Label();
    this.#emitValue(fetch, fault);
    code.jmp(store);
    code.bind(fault);
    code.xor(RAX, RAX, 32);
    code.bind(store);
    if (bits !== undefined) this.#emitBits(bits);
    code.mov(mem(R12, offset), RAX, (size * 8) as Bits);
  }

  #emitMemory(fetch: Extract<Fetch, { kind: 'dereference' }>, offset: number, type: ProbeArgument['type']): void {
    const code = this.#code;
    const { size } = rowOf(type.name);
    const bytes = size * (type.count ?? 1);
    const fault = new Label();
    for (let i = 0; i < bytes; i += size) code.mov(mem(R12, offset + i), 0, (size * 8) as Bits);
    this.#emitValue(fetch.of, fault);
    this.#emitAdd(fetch.offset);
    code.movImmediate(RCX, bytes);
    code.lea(RDX, mem(R12, offset));
    code.call(this.#needs.memory.read);
    if (type.bits !== undefined) {
      for (let i = 0; i < bytes; i += size) {
        code.mov(RAX, mem(R12, offset + i), size < 4 ? 32 : ((size * 8) as Bits));
        if (size < 4) code.and(RAX, 2 ** (8 * size) - 1, 32);
        this.#emitBits(type.bits);
        code.mov(mem(R12, offset + i), RAX, (size * 8) as Bits);
      }
    }
    code.bind(fault);
  }

  #emitBits({ width, offset }: { readonly width: number; readonly offset: number }): void {
    const code = this.#code;
    code.shift('shl', RAX, 64 - width - offset);
    code.shift('shr', RAX, 64 - width);
  }

  /** A text, and where it is in the record. */
  #emitText(fetch: Fetch, offset: number): void {
    const code = this.#code;
    const fault = new Label();
    const located = new Label();
    const { memory } = this.#needs;
    if (fetch.kind === 'comm') {
      code.mov(RDX, R13);
      code.call(memory.comm);
    } else if (fetch.kind === 'immediate') this.#emitConstant(String(fetch.value));
    else if (fetch.kind === 'dereference') {
      this.#emitValue(fetch.of, fault);
      this.#emitAdd(fetch.offset);
      code.mov(RDX, R13);
      code.call(memory.readText);
    }
    code.jmp(located);
    code.bind(fault);
    code.xor(RAX, RAX, 32);
    code.bind(located);
    code.mov(RCX, R13);
    code.sub(RCX, R12);
    code.add(R13, RAX);
    code.shift('shl', RAX, LENGTH_SHIFT);
    code.or(RAX, RCX);
    code.mov(mem(R12, offset), RAX, 32);
  }

  #emitConstant(text: string): void {
    const code = this.#code;
    const bytes = Buffer.from(`${text}\0`);
    const whole = Buffer.concat([bytes, Buffer.alloc(WORD)]);
    for (let at = 0; at < bytes.length; at += WORD) {
      code.movImmediate(RAX, whole.readBigUInt64LE(at));
      code.mov(mem(R13, at), RAX);
    }
    code.movImmediate(RAX, bytes.length);
  }

  /** A value comes into rax; goes to `fault` if it is not there. */
  #emitValue(fetch: Fetch, fault: Label): void {
    const code = this.#code;
    const saved = (name: string): void => code.mov(RAX, mem(RBP, SAVED[name]!));
    const stackWord = (index: number): void => {
      const missing = new Label();
      const done = new Label();
      saved('sp');
      this.#emitAdd(index * WORD);
      this.#emitReadWord(missing);
      code.jmp(done);
      // The kernel has no fault here either.
      code.bind(missing);
      code.xor(RAX, RAX, 32);
      code.bind(done);
    };
    switch (fetch.kind) {
      case 'register':
        if (fetch.name === 'ip') code.movImmediate(RAX, this.#needs.ip);
        else if (fetch.name in CONSTANT) code.movImmediate(RAX, BigInt.asUintN(64, CONSTANT[fetch.name]!));
        else saved(fetch.name);
        break;
      case 'argument':
        if (fetch.index < ARGUMENTS.length) saved(ARGUMENTS[fetch.index]!);
        else stackWord(1 + fetch.index - ARGUMENTS.length);
        break;
      case 'retval':
        saved('ax');
        break;
      case 'stack':
        saved('sp');
        break;
      case 'stack entry':
        stackWord(fetch.index);
        break;
      case 'immediate':
        code.movImmediate(RAX, BigInt.asUintN(64, BigInt(fetch.value)));
        break;
      case 'address':
        code.movImmediate(RAX, fetch.address);
        break;
      case 'file address':
        this.#emitAddress(this.#needs.fileBase === undefined ? undefined : this.#needs.fileBase + Number(fetch.offset), fault);
        break;
      case 'symbol':
        this.#emitAddress(this.#needs.addressOf(fetch.name), fault);
        break;
      case 'dereference':
        this.#emitValue(fetch.of, fault);
        this.#emitAdd(fetch.offset);
        this.#emitReadWord(fault);
        break;
      default:
        code.jmp(fault);
    }
  }

  #emitAddress(address: number | undefined, fault: Label): void {
    if (address === undefined) this.#code.jmp(fault);
    else this.#code.movImmediate(RAX, address);
  }

  #emitAdd(offset: number): void {
    const code = this.#code;
    if (offset === 0) return;
    if (offset === (offset | 0)) code.add(RAX, offset);
    else {
      code.movImmediate(RCX, BigInt.asUintN(64, BigInt(offset)));
      code.add(RAX, RCX);
    }
  }

  /** rax becomes the word at rax. */
  #emitReadWord(fault: Label): void {
    const code = this.#code;
    code.push(0);
    code.mov(RDX, RSP);
    code.movImmediate(RCX, WORD);
    code.call(this.#needs.memory.read);
    code.cmp(RAX, WORD);
    code.pop(RAX);
    code.jump('ne', fault);
  }
}
