import { attempt } from '../../base/attempt.js';
import { BLOCK, FRAME, FRAME_INCOMPLETE, GRAVE, GRAVES, SHARED } from '../code/arena.js';
import { longBytes } from '../machine/long-bytes.js';
import type { AddressRange } from '../process/address-range.js';
import type { ProcessMemory } from '../process/process-memory.js';

/** A thread that has, or had, a block of an arena. */
export interface BlockThread {
  /** The thread's id, as the process knows it. */
  readonly tid: number;
  /** The thread's own stack; empty: not known. */
  readonly stack: AddressRange;
}

/** A call that is followed, or that was dropped: it may return after all. */
export interface FollowedCall {
  /** Where on a stack its return address is. */
  readonly slot: number;
  readonly returnAddress: bigint;
  /** What stands there instead. */
  readonly exit: number;
}

const WORD = 8;
/** Bytes of a frame that are searched, and how many at a time. */
const [MOST_FRAME, SEARCHED] = [2 ** 20, 2 ** 12];

/**
 * A function that was reached by a jump from another call returns to the exit of that one, which has the same place and stands
 * before it. Gives each call the address to which the last of them returns.
 */
function callersAddresses(calls: readonly FollowedCall[]): readonly FollowedCall[] {
  const atSlot = new Map<number, Map<bigint, bigint>>();
  return calls.map((call) => {
    const { slot, exit } = call;
    const known = atSlot.get(slot) ?? new Map<bigint, bigint>();
    atSlot.set(slot, known);
    const returnAddress = known.get(call.returnAddress) ?? call.returnAddress;
    known.set(BigInt(exit), returnAddress);
    return { ...call, returnAddress };
  });
}

/** The calls that the code of an arena follows, and their threads. Everything is read while the process is stopped. */
export class OpenCalls {
  readonly #memory: ProcessMemory;
  readonly #blocks: readonly number[];

  /** @param arena its address in the process */
  constructor(memory: ProcessMemory, arena: number) {
    this.#memory = memory;
    const blocks: number[] = [];
    for (let block = this.#long(arena + SHARED.CHAIN); block !== 0; block = this.#long(block + BLOCK.NEXT)) blocks.push(block);
    this.#blocks = blocks;
  }

  get threads(): readonly BlockThread[] {
    return this.#blocks.map((block) => ({
      tid: this.#word(block + BLOCK.TID),
      stack: { start: this.#long(block + BLOCK.STACK_LOW), end: this.#long(block + BLOCK.STACK_HIGH) },
    }));
  }

  /**
   * Puts the return addresses of all calls back where they were; no site is armed any more. A thread may be about to leave a call
   * by its frame, which stays as it is.
   * @param inFrames where functions are told their return addresses in a register and put them into their frames: the stack
   * pointers of all threads. An
   *   address that is signed, or in a register still, stays: the call returns through the code.
   * @returns all of them: who has copied a stack may put the other address there again
   */
  giveBack(inFrames?: readonly number[]): readonly FollowedCall[] {
    const followed = this.#blocks.flatMap((block) => this.#frames(block));
    const dropped = this.#blocks.flatMap((block) => this.#graves(block));
    const calls = callersAddresses([...followed, ...dropped]);
    if (inFrames !== undefined) {
      // The place of a call that has been dropped may be in the midst of another one's frame by now.
      this.#giveBackInFrames(calls.slice(0, followed.length), inFrames);
      this.#giveBackInFrames(calls.slice(followed.length), [...inFrames, ...followed.map(({ slot }) => slot + WORD)]);
      return calls;
    }
    const lastFirst = [...calls.slice(0, followed.length).reverse(), ...calls.slice(followed.length)];
    for (const { slot, exit, returnAddress } of lastFirst) {
      // The stack of a coroutine may be gone.
      if (attempt(() => this.#long(slot)) !== exit) continue;
      this.#memory.write(slot, longBytes(returnAddress));
    }
    return calls;
  }

  /**
   * A function's frame begins below the place of its call, and the next place below that is in it, or ends it: somewhere between
   * is what its address was saved as. Other words between that are the same are what is left of it.
   * @param others more addresses at which frames end
   */
  #giveBackInFrames(calls: readonly FollowedCall[], others: readonly number[]): void {
    const ends = [...new Set([...calls.map(({ slot }) => slot + WORD), ...others])].sort((a, b) => a - b);
    const below = new Map(ends.map((end, n) => [end, ends[n - 1] ?? 0]));
    for (const { slot, exit, returnAddress } of calls) {
      if (exit === 0) continue;
      const lowest = Math.max(below.get(slot + WORD)!, slot - MOST_FRAME);
      for (let end = slot + WORD; end > lowest; end -= SEARCHED) {
        const start = Math.max(lowest, end - SEARCHED);
        const bytes = attempt(() => this.#memory.read(start, end - start));
        // The stack of a coroutine may be gone.
        if (bytes === undefined) break;
        const words = new BigUint64Array(bytes.slice().buffer);
        for (const [n, word] of words.entries()) {
          if (word === BigInt(exit)) this.#memory.write(start + n * WORD, longBytes(returnAddress));
        }
      }
    }
  }

  #frames(block: number): readonly FollowedCall[] {
    const bytes = this.#memory.read(block + BLOCK.FRAMES, this.#long(block + BLOCK.TOP));
    return this.#calls(bytes, FRAME);
  }

  /** What was dropped last comes first: of those with one place it is the one that may return. */
  #graves(block: number): readonly FollowedCall[] {
    const graves = this.#memory.read(block + BLOCK.GRAVES, GRAVES * GRAVE.BYTES);
    const next = (this.#word(block + BLOCK.BURIED) % GRAVES) * GRAVE.BYTES;
    return [graves.slice(next), graves.slice(0, next)].flatMap((bytes) => this.#calls(bytes, GRAVE)).reverse();
  }

  #calls(bytes: Uint8Array, layout: typeof FRAME | typeof GRAVE): readonly FollowedCall[] {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const calls: FollowedCall[] = [];
    for (let at = 0; at < bytes.length; at += layout.BYTES) {
      const slot = Number(view.getBigUint64(at + layout.SLOT, true));
      if (slot === 0) continue;
      calls.push({
        slot: slot - (slot % WORD),
        returnAddress: view.getBigInt64(at + layout.RETURN, true),
        // That of a frame that is not complete is another call's: a thread is in the midst of it.
        exit: slot % WORD === FRAME_INCOMPLETE ? 0 : Number(view.getBigInt64(at + layout.EXIT, true)),
      });
    }
    return calls;
  }

  #long(address: number): number {
    return Number(new DataView(this.#memory.read(address, WORD).buffer).getBigInt64(0, true));
  }

  #word(address: number): number {
    return new DataView(this.#memory.read(address, 4).buffer).getUint32(0, true);
  }
}
