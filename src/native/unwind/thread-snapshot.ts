import { pause } from '../../base/pause.js';
import type { LocalProcess } from '../addon/local-process.js';
import type { MappedRange } from '../process/process-maps.js';
import { threadState } from '../process/tasks.js';
import type { UnwindAbi } from './unwind-abi.js';
import type { UnwindStart } from './unwind-stack.js';

/** Requests of ptrace(2), and the general registers among the sets of them. */
const PTRACE = { DETACH: 17, GETREGSET: 0x4204, SEIZE: 0x4206, INTERRUPT: 0x4207, GENERAL: 1 } as const;
/** -errno of ptrace(2): there is no such thread, or it does not stand still yet. */
const ESRCH = -3n;
/** Words: where registers are put, and how many bytes of them. */
const VECTOR_WORDS = 2;
/** How long a thread has to stand still, in milliseconds: one in a wait that nothing interrupts does not. */
const PATIENCE = 1000;
const QUICK_LOOKS = 50;
const REST = 0.1;
/** Bytes below a stack pointer that code may use, and the most of a stack that is copied. */
const RED_ZONE = 128;
const MOST_STACK = 2 ** 23;
const WORD = 8;

/** A thread's registers and its stack, at one moment. */
export interface ThreadSnapshot {
  readonly start: UnwindStart;
  /** A copy of the memory from an address on; a part of the stack if that is large. */
  readonly stack: { readonly from: number; readonly bytes: Buffer };
}

/** What reads snapshots of another process's threads, with a buffer of its own. */
export class Snapshots {
  readonly #local: LocalProcess;
  readonly #abi: UnwindAbi;
  readonly #words: BigUint64Array;
  readonly #read: (address: number, into: Buffer) => number;
  readonly #buffer = Buffer.allocUnsafeSlow(MOST_STACK + RED_ZONE);

  /** @param read reads memory of the process from an address on; returns how many bytes it has read */
  constructor(local: LocalProcess, abi: UnwindAbi, read: (address: number, into: Buffer) => number) {
    this.#local = local;
    this.#abi = abi;
    this.#words = new BigUint64Array(new SharedArrayBuffer((VECTOR_WORDS + abi.words) * WORD));
    this.#read = read;
  }

  /**
   * Stops a thread, reads its registers, copies its stack and lets it go on. Others of its process run meanwhile. If this process
   * ends, the system lets the thread go on. A text: why it cannot be stopped.
   */
  take(tid: number, ranges: readonly MappedRange[]): ThreadSnapshot | string {
    const { ptrace } = this.#abi;
    const ask = (request: number, what = 0, data = 0): bigint => this.#local.rawSystemCall(ptrace, request, tid, what, data);
    const seized = ask(PTRACE.SEIZE);
    if (seized === ESRCH) return 'it has ended';
    if (seized !== 0n) return this.#refusal(tid);
    if (ask(PTRACE.INTERRUPT) !== 0n) return 'it has ended';
    const address = this.#local.addressOf(this.#words);
    const read = (): bigint => {
      this.#words.set([BigInt(address + VECTOR_WORDS * WORD), BigInt(this.#abi.words * WORD)]);
      return ask(PTRACE.GETREGSET, PTRACE.GENERAL, address);
    };
    let result = read();
    const start = performance.now();
    for (let looks = 0; result === ESRCH && performance.now() - start < PATIENCE; looks++) {
      if (looks > QUICK_LOOKS) pause(REST);
      result = read();
    }
    if (result !== 0n) return 'it does not stop';
    try {
      const start = this.#registers();
      const stack = this.#copyStack(start.registers[this.#abi.stackPointer]!, ranges);
      ask(PTRACE.DETACH);
      return { start, stack: { ...stack, bytes: Buffer.from(stack.bytes) } };
    } finally {
      ask(PTRACE.DETACH);
    }
  }

  #registers(): UnwindStart {
    const { wordOf, pcWord } = this.#abi;
    const word = (i: number): number => Number(BigInt.asIntN(64, this.#words[VECTOR_WORDS + i]!));
    return { pc: word(pcWord), registers: wordOf.map(word) };
  }

  #copyStack(pointer: number, ranges: readonly MappedRange[]): ThreadSnapshot['stack'] {
    const from = Math.floor(pointer / WORD) * WORD - RED_ZONE;
    const range = ranges.find(({ start, end }) => pointer >= start && pointer < end);
    const length = Math.min(range === undefined ? 0 : range.end - from, this.#buffer.length);
    const read = length <= 0 ? 0 : this.#read(from, this.#buffer.subarray(0, length));
    return { from, bytes: this.#buffer.subarray(0, read) };
  }

  #refusal(tid: number): string {
    return threadState(tid, tid) === 't' ? 'another process traces it, as debuggers do' : 'the system does not let it be stopped';
  }
}
