import type { Fetch, ProbeArgument } from '../../probes/probe-definition.js';
import { rowOf } from '../../probes/probe-definition.js';
import type { PortableAssembler } from '../machine/assembler.js';
import { ARG2, ARG3, type Bits, FP, KEPT1, KEPT2, Label, mem, SP, VALUE } from '../machine/operands.js';
import type { ProbeMachine } from '../machine/probe-machine.js';
import type { ProbeMemoryCode } from './probe-memory.js';

const WORD = 8;
/** A word of `__data_loc`: the length above, the offset below. */
const LENGTH_SHIFT = 16;

/** What the values of a probe depend on besides its registers. */
export interface FetchNeeds {
  readonly machine: ProbeMachine;
  readonly memory: ProbeMemoryCode;
  /** The address of the probed place, which the instruction pointer has. */
  readonly ip: number;
  /** The address of a symbol; undefined: there is none of that name any more. */
  addressOf(symbol: string): number | undefined;
  /** Where the file's first byte would be in the process, if the probe stands in an object. */
  readonly fileBase?: number | undefined;
}

/** The names of registers that a probe can fetch. */
export const registerNames = ({ registers }: ProbeMachine): ReadonlySet<string> =>
  new Set([...Object.keys(registers.saved), ...Object.keys(registers.constants), registers.instructionPointer]);

/**
 * Emits what fetches an argument of a probe, and stores it in the record that begins at KEPT1 (process_fetch_insn in
 * kernel/trace/trace_probe_tmpl.h). What is not there is 0, or a text without bytes. Texts go to KEPT2, which then leads behind
 * them. Registers as for a handler; VALUE, ARG3, ARG2, ARG4, ARG5, SCRATCH1 are lost.
 */
export class FetchCode {
  readonly #code: PortableAssembler;
  readonly #needs: FetchNeeds;

  constructor(code: PortableAssembler, needs: FetchNeeds) {
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
    code.xor(VALUE, VALUE, 32);
    code.bind(store);
    if (bits !== undefined) this.#emitBits(bits);
    code.mov(mem(KEPT1, offset), VALUE, (size * 8) as Bits);
  }

  #emitMemory(fetch: Extract<Fetch, { kind: 'dereference' }>, offset: number, type: ProbeArgument['type']): void {
    const code = this.#code;
    const { size } = rowOf(type.name);
    const bytes = size * (type.count ?? 1);
    const fault = new Label();
    for (let i = 0; i < bytes; i += size) code.mov(mem(KEPT1, offset + i), 0, (size * 8) as Bits);
    this.#emitValue(fetch.of, fault);
    this.#emitAdd(fetch.offset);
    code.movImmediate(ARG3, bytes);
    code.lea(ARG2, mem(KEPT1, offset));
    code.call(this.#needs.memory.read);
    if (type.bits !== undefined) {
      for (let i = 0; i < bytes; i += size) {
        code.mov(VALUE, mem(KEPT1, offset + i), size < 4 ? 32 : ((size * 8) as Bits));
        if (size < 4) code.and(VALUE, 2 ** (8 * size) - 1, 32);
        this.#emitBits(type.bits);
        code.mov(mem(KEPT1, offset + i), VALUE, (size * 8) as Bits);
      }
    }
    code.bind(fault);
  }

  #emitBits({ width, offset }: { readonly width: number; readonly offset: number }): void {
    const code = this.#code;
    code.shift('shl', VALUE, 64 - width - offset);
    code.shift('shr', VALUE, 64 - width);
  }

  /** A text, and where it is in the record. */
  #emitText(fetch: Fetch, offset: number): void {
    const code = this.#code;
    const fault = new Label();
    const located = new Label();
    const { memory } = this.#needs;
    if (fetch.kind === 'comm') {
      code.mov(ARG2, KEPT2);
      code.call(memory.comm);
    } else if (fetch.kind === 'immediate') this.#emitConstant(String(fetch.value));
    else if (fetch.kind === 'dereference') {
      this.#emitValue(fetch.of, fault);
      this.#emitAdd(fetch.offset);
      code.mov(ARG2, KEPT2);
      code.call(memory.readText);
    }
    code.jmp(located);
    code.bind(fault);
    code.xor(VALUE, VALUE, 32);
    code.bind(located);
    code.mov(ARG3, KEPT2);
    code.sub(ARG3, KEPT1);
    code.add(KEPT2, VALUE);
    code.shift('shl', VALUE, LENGTH_SHIFT);
    code.or(VALUE, ARG3);
    code.mov(mem(KEPT1, offset), VALUE, 32);
  }

  #emitConstant(text: string): void {
    const code = this.#code;
    const bytes = Buffer.from(`${text}\0`);
    const whole = Buffer.concat([bytes, Buffer.alloc(WORD)]);
    for (let at = 0; at < bytes.length; at += WORD) {
      code.movImmediate(VALUE, whole.readBigUInt64LE(at));
      code.mov(mem(KEPT2, at), VALUE);
    }
    code.movImmediate(VALUE, bytes.length);
  }

  /** A value comes into VALUE; goes to `fault` if it is not there. */
  #emitValue(fetch: Fetch, fault: Label): void {
    const code = this.#code;
    const { registers, stackArguments } = this.#needs.machine;
    const saved = (name: string): void => code.mov(VALUE, mem(FP, registers.saved[name]!));
    const stackWord = (offset: number): void => {
      const missing = new Label();
      const done = new Label();
      saved('sp');
      this.#emitAdd(offset);
      this.#emitReadWord(missing);
      code.jmp(done);
      // The kernel has no fault here either.
      code.bind(missing);
      code.xor(VALUE, VALUE, 32);
      code.bind(done);
    };
    switch (fetch.kind) {
      case 'register':
        if (fetch.name === registers.instructionPointer) code.movImmediate(VALUE, this.#needs.ip);
        else if (fetch.name in registers.constants) {
          code.movImmediate(VALUE, BigInt.asUintN(64, registers.constants[fetch.name]!));
        } else saved(fetch.name);
        break;
      case 'argument':
        if (fetch.index < registers.arguments.length) saved(registers.arguments[fetch.index]!);
        else stackWord(stackArguments + (fetch.index - registers.arguments.length) * WORD);
        break;
      case 'retval':
        saved(registers.result);
        break;
      case 'stack':
        saved('sp');
        break;
      case 'stack entry':
        stackWord(fetch.index * WORD);
        break;
      case 'immediate':
        code.movImmediate(VALUE, BigInt.asUintN(64, BigInt(fetch.value)));
        break;
      case 'address':
        code.movImmediate(VALUE, fetch.address);
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
    else this.#code.movImmediate(VALUE, address);
  }

  #emitAdd(offset: number): void {
    const code = this.#code;
    if (offset === 0) return;
    if (offset === (offset | 0)) code.add(VALUE, offset);
    else {
      code.movImmediate(ARG3, BigInt.asUintN(64, BigInt(offset)));
      code.add(VALUE, ARG3);
    }
  }

  /** VALUE becomes the word at VALUE. */
  #emitReadWord(fault: Label): void {
    const code = this.#code;
    code.push(VALUE);
    code.mov(ARG2, SP);
    code.movImmediate(ARG3, WORD);
    code.call(this.#needs.memory.read);
    code.cmp(VALUE, WORD);
    code.pop(VALUE);
    code.jump('ne', fault);
  }
}
