import { BLOCK, FRAME } from '../code/arena.js';
import { processMachine } from '../machines/process-machine.js';
import { type AddressRange, isWithin } from './address-range.js';
import { processMaps } from './process-maps.js';
import type { ProcessMemory } from './process-memory.js';
import { StackWords } from './stack-words.js';
import type { StoppedThread } from './stop.js';
import { systemCallOf } from './system-call-of.js';
import type { SystemCallState } from './tasks.js';
import type { RegistersOf } from './thread-registers.js';

/** Bytes of a stack that are looked at. A stack pointer may be in a region that has many stacks. */
const DEEPEST = 2 ** 26;

/** Whose open calls are looked for, and where. */
export interface InsideQuery {
  readonly code: readonly AddressRange[];
  /** Where fentry's code is: a thread in it is about to enter a function, or runs instructions of one. */
  readonly codeAreas: readonly AddressRange[];
  /** The addresses of blocks of the arena: those that have a thread have the return addresses of its traced calls. */
  readonly blocks: readonly number[];
}

/**
 * The stopped threads that have a call of code open (klp_check_stack): they are in it, or a word on their stack or a
 * return address that is kept for them is an address of it.
 * @param idOf the id by which a thread knows itself
 * @param registersOf where return addresses may be in registers
 */
export function threadsInside(
  memory: ProcessMemory,
  threads: readonly StoppedThread[],
  { code, codeAreas, blocks }: InsideQuery,
  idOf: (tid: number) => number,
  registersOf?: RegistersOf,
): readonly StoppedThread[] {
  const all = {
    start: code.reduce((least, { start }) => Math.min(least, start), Infinity),
    end: code.reduce((most, { end }) => Math.max(most, end), 0),
  };
  const maps = processMaps(memory.pid);
  const owners = blocks.map((address) => ({ address, id: wordAt(memory, address + BLOCK.TID) }));
  return threads.filter((thread) => {
    const { tid, pc } = thread;
    if (isWithin(pc, codeAreas) || isWithin(pc, code)) return true;
    const registers = registersOf?.(tid);
    if (registersOf !== undefined && registers === undefined) return true;
    // A function that calls no other may keep its return address nowhere else; what compilers share among functions leaves it in
    // any register.
    if (registers?.some((one) => isWithin(one, code))) return true;
    const dead = outputBuffer(systemCallOf(memory, thread, registers));
    // What is below a stack pointer is left from calls that have ended.
    const words = new StackWords(memory, [thread], all, { depth: DEEPEST, below: 0, maps, dead });
    const id = idOf(tid);
    const kept = owners.filter((owner) => owner.id === id).flatMap(({ address }) => returnAddresses(memory, address));
    return kept.some((one) => isWithin(one, code)) || code.some(({ start, end }) => words.hasBetween(start - 1, end));
  });
}

const wordAt = (memory: ProcessMemory, address: number): number => new Uint32Array(memory.read(address, 4).buffer)[0]!;

/** The return addresses of the calls on the shadow stack of a block. */
function returnAddresses(memory: ProcessMemory, block: number): readonly number[] {
  const [bytes] = new BigInt64Array(memory.read(block + BLOCK.TOP, 8).buffer);
  if (bytes === 0n) return [];
  const frames = Buffer.from(memory.read(block + BLOCK.FRAMES, Number(bytes)).buffer);
  const found: number[] = [];
  for (let at = 0; at < frames.length; at += FRAME.BYTES) {
    if (frames.readBigInt64LE(at + FRAME.SLOT) !== 0n) found.push(Number(frames.readBigInt64LE(at + FRAME.RETURN)));
  }
  return found;
}

/**
 * The memory that a thread has given to the system call in which it waits, to be written to: no open call's frame is in it. libuv
 * has 12 KB of it on the stack of each idle event loop, with words of calls that ended long ago.
 */
function outputBuffer(call: SystemCallState | undefined): AddressRange | undefined {
  const output = call && processMachine.outputs[call.nr];
  if (output === undefined) return undefined;
  const start = call!.args[output.buffer]!;
  return { start, end: start + call!.args[output.room]! * output.bytes };
}
