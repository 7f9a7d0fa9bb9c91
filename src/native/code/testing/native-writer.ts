import type { PortableAssembler } from '../../machine/assembler.js';
import { ARG0, ARG1, ARG2, ARG3, ARG4, ARG5, KEPT0, Label, mem, SP, VALUE } from '../../machine/operands.js';
import { BLOCK, WRITER } from '../arena.js';
import { RingWriterCode } from '../ring-writer.js';
import { writerState } from '../writer-state.js';
import type { CodeRunner } from './code-runner.js';

/** Sizes of payloads in words, each with code of its own. */
export const PAYLOAD_WORDS = [1, 2, 3, 5, 6, 10, 27, 28, 29, 30, 100, 300] as const;

/**
 * Emits functions that write an event: (_, block, payload, time) → the time as the writer leaves it, or 0 if it is
 * not recorded, in VALUE. By the payload's words.
 */
function emitWrites(code: PortableAssembler): ReadonlyMap<number, number> {
  const writer = new RingWriterCode();
  writer.emitShared(code);
  return new Map(
    PAYLOAD_WORDS.map((words) => {
      const refused = new Label();
      const start = code.label();
      code.push(KEPT0);
      code.mov(KEPT0, ARG2);
      code.mov(ARG5, ARG3);
      code.mov(ARG0, mem(ARG1, BLOCK.WRITER));
      writer.emitBegin(code, mem(SP), refused);
      writer.emitReserve(code, words, refused);
      for (let i = 0; i < words; i++) {
        code.mov(VALUE, mem(KEPT0, i * 4), 32);
        code.mov(mem(ARG4, i * 4), VALUE, 32);
      }
      writer.emitCommit(code, words);
      code.mov(VALUE, ARG5);
      code.pop(KEPT0);
      code.ret();
      code.bind(refused);
      code.xor(VALUE, VALUE, 32);
      code.pop(KEPT0);
      code.ret();
      return [words, code.addressOf(start)];
    }),
  );
}

/** The writer in machine code over rings of a test. */
export class NativeWriter {
  readonly #runner: CodeRunner;
  readonly #functions: ReadonlyMap<number, number>;
  readonly #block = new Uint8Array(new SharedArrayBuffer(BLOCK.FRAMES));
  readonly #view = new DataView(this.#block.buffer);
  readonly #address: number;
  readonly #words: Int32Array;
  readonly #cpu: number;
  /** Memories of the two writers. */
  readonly #memories: ArrayBufferLike[] = [];

  constructor(runner: CodeRunner, words: Int32Array, cpu: number) {
    this.#runner = runner;
    this.#words = words;
    this.#cpu = cpu;
    this.#functions = runner.place(emitWrites);
    this.#address = runner.addressOf(this.#block.buffer);
    this.#view.setBigUint64(BLOCK.WRITER, BigInt(this.#writer(0)), true);
  }

  /** Which of the two writers is in use. */
  get inUse(): number {
    return (this.#get(BLOCK.WRITER) - this.#writer(0)) / WRITER.BYTES;
  }

  /** The memory in use. */
  get memory(): ArrayBufferLike {
    return this.#memories[this.inUse]!;
  }

  get ringless(): number {
    return this.#get(BLOCK.RINGLESS);
  }

  /** Gives one of the writers its memory. */
  attach(which: number, memory: ArrayBufferLike, state: number, counts = false): void {
    this.flush();
    this.#memories[which] = memory;
    const setup = {
      memory,
      ring: this.#runner.addressOf(memory),
      words: this.#runner.addressOf(this.#words.buffer),
      state,
      cpu: this.#cpu,
      inUse: this.#address + BLOCK.WRITER,
      counts,
    };
    this.#block.set(writerState(setup), BLOCK.WRITERS + which * WRITER.BYTES);
  }

  /** Makes the writer that is not in use the spare one of the other, which has followed the snapshots up to this state. */
  setSpare(state: number): void {
    this.#view.setInt32(BLOCK.WRITERS + this.inUse * WRITER.BYTES + WRITER.STATE, state, true);
    const spare = this.#writer(1 - this.inUse);
    this.#view.setBigUint64(BLOCK.WRITERS + this.inUse * WRITER.BYTES + WRITER.SPARE, BigInt(spare), true);
  }

  /** A field of the writer in use. */
  field(offset: number): number {
    return this.#get(BLOCK.WRITERS + this.inUse * WRITER.BYTES + offset);
  }

  setField(offset: number, value: number | bigint): void {
    this.#view.setBigUint64(BLOCK.WRITERS + this.inUse * WRITER.BYTES + offset, BigInt(value), true);
  }

  /** The thread's own stack. */
  setStack(low: bigint, high: bigint): void {
    this.flush();
    this.#view.setBigUint64(BLOCK.STACK_LOW, low, true);
    this.#view.setBigUint64(BLOCK.STACK_HIGH, high, true);
  }

  /**
   * Writes an event. Tells whether it is recorded, and the time that durations are made of then, at the latest at the next look
   * at what this writer has done.
   */
  write(payload: Uint32Array, ts: number, done: (recorded: boolean, time: bigint) => void = () => {}): void {
    const bytes = new Uint8Array(payload.buffer, payload.byteOffset, payload.byteLength);
    const args = [this.#writer(0), this.#address, bytes, ts];
    this.#runner.call(this.#functions.get(payload.length)!, args, (result) => done(result !== 0n, result));
  }

  /** All events are written. */
  flush(): void {
    this.#runner.flush();
  }

  #writer(which: number): number {
    return this.#address + BLOCK.WRITERS + which * WRITER.BYTES;
  }

  #get(offset: number): number {
    this.flush();
    return Number(this.#view.getBigUint64(offset, true));
  }
}
