import { ReflectApply as reflectApply, WeakMapPrototypeSet } from '../../base/primordials.js';
import type { FindCaller } from '../call-stack.js';
import { type AnyFunction, BLOCK, COLLECTED, ENTRIES, ENTRY_WORDS } from './chain-code.js';
import { type ChainBlock, type PlacedChain, putWord } from './place-chain.js';

/** Finds callers by captures of the stack. */
export interface CapturedCallers {
  readonly find: FindCaller;
  /** How many frames are between that of `callee` and the caller's, which is at `address`; undefined: it is not found. */
  framesBefore(callee: AnyFunction, address: number): number | undefined;
  /** How many frames there are below the innermost one of `callee`; undefined: too many. */
  framesBelow(callee: AnyFunction): number | undefined;
}

/** Callers that are remembered. */
export interface RememberedCallers {
  readonly find: FindCaller;
  /** Forgets all. */
  forget(): void;
}

/** Functions in a key, at first and at most. */
const WANTED = { first: 6, most: 12 } as const;
/** One in so many answers is found anew. */
const AGAIN = 1024;

/**
 * Remembers which caller was found for a chain of frames. What it answers is what a capture answers:
 * - A chain has the caller's frame: each frame of compiled code or of bytecode has at least one of the functions that a capture
 *   shows, so that many of them are enough, or V8 shows the outermost function of the chain farther out.
 * - It means the same as long as no garbage collection has come: then alone code dies or moves. A sentinel tells: V8 moves what
 *   is young, and takes what nothing else holds out of a WeakMap.
 */
export function rememberCallers(
  captured: CapturedCallers,
  { read }: PlacedChain,
  { words, address: block }: ChainBlock,
  newMap: () => object,
): RememberedCallers {
  const { find: findCaptured, framesBefore, framesBelow } = captured;
  const found = new Float64Array(ENTRIES);
  const hits = new Int32Array(ENTRIES);
  /** A word of the last chain that had the place: only one that comes twice is remembered. */
  const seen = new Uint32Array(ENTRIES);
  const pending = new Uint32Array(2 * ENTRY_WORDS);
  let sentinel = newMap();
  let wanted: number = WANTED.first;
  putWord(words, BLOCK.WANTED, wanted);

  const forget = (): void => {
    for (let i = 0; i < ENTRIES; i++) words[2 * (BLOCK.TABLE + i * ENTRY_WORDS)] = 0;
  };

  /** Code may have moved. */
  const collected = (): void => {
    forget();
    sentinel = newMap();
    reflectApply(WeakMapPrototypeSet, sentinel, [{}, 1]);
    if (read(block, sentinel) !== COLLECTED) return;
    for (let i = 0; i < 4; i++) words[2 * BLOCK.SENTINEL + i] = words[2 * BLOCK.CHAIN + i]!;
  };

  /**
   * Whether the frame at `before` is that of a function of a chain, or farther in. Of a function below which there is nothing, it
   * cannot be told from one that a capture does not show.
   */
  const isWithin = (one: AnyFunction | undefined, before: number, all: number): boolean => {
    const below = one && framesBelow(one);
    return below !== undefined && below > 0 && before < all - below;
  };

  /** The outermost function but one of a stack with few. What was read before is lost. */
  const secondOutermost = (): AnyFunction | undefined => {
    putWord(words, BLOCK.WANTED, WANTED.most);
    read(block, sentinel);
    putWord(words, BLOCK.WANTED, Math.max(1, words[2 * BLOCK.FOUND]! - 1));
    const answer = read(block, sentinel);
    putWord(words, BLOCK.WANTED, wanted);
    return typeof answer === 'function' ? answer : undefined;
  };

  /** Whether the frame of the caller is in the last chain, whose outermost function this is. */
  const hasCaller = (outermost: AnyFunction, address: number): boolean => {
    const functions = words[2 * BLOCK.FOUND]!;
    const before = framesBefore(find, address);
    if (before === undefined) return false;
    // That of `find` comes first, and perhaps one that V8 has compiled for the call of WebAssembly.
    const enough = before + 3;
    if (functions >= enough) return true;
    if (functions === wanted && enough <= WANTED.most) {
      wanted = enough;
      putWord(words, BLOCK.WANTED, wanted);
      forget();
      return false;
    }
    const all = framesBelow(find);
    if (all === undefined) return false;
    if (isWithin(outermost, before, all)) return true;
    // A chain of fewer functions than are wanted has all of its stack.
    return functions < wanted && isWithin(secondOutermost(), before, all);
  };

  /** Finds the caller of a chain that no entry has, and remembers it. */
  const findNew = (trampoline: AnyFunction, outermost: AnyFunction): number => {
    const place = words[2 * BLOCK.PLACE]!;
    const length = words[2 * BLOCK.LENGTH]!;
    const size = (length >>> 2) - 2 * BLOCK.CHAIN;
    let check = length;
    for (let i = 0; i < size; i++) {
      const half = words[2 * BLOCK.CHAIN + i]!;
      pending[i] = half;
      check = ((check << 5) - check + half) | 0;
    }
    const isSecond = seen[place] === check >>> 0;
    seen[place] = check;
    const address = findCaptured(trampoline);
    if (!isSecond || address === 0 || !hasCaller(outermost, address) || read(block, sentinel) === COLLECTED) return address;
    const entry = 2 * (BLOCK.TABLE + place * ENTRY_WORDS);
    for (let i = 0; i < size; i++) words[entry + 2 + i] = pending[i]!;
    words[entry] = length;
    found[place] = address;
    return address;
  };

  const findOther = (trampoline: AnyFunction, answer: ReturnType<typeof read>): number => {
    if (typeof answer === 'function') return findNew(trampoline, answer);
    if (answer === COLLECTED) collected();
    const address = findCaptured(trampoline);
    if (answer !== null && answer >= 0 && address !== found[answer]) forget();
    return address;
  };

  const find = (trampoline: AnyFunction): number => {
    try {
      const answer = read(block, sentinel);
      if (typeof answer === 'number' && answer >= 0) {
        const count = (hits[answer]! + 1) % AGAIN;
        hits[answer] = count;
        if (count !== 0) return found[answer]!;
      }
      return findOther(trampoline, answer);
    } catch {
      // The stack is full.
      return 0;
    }
  };

  collected();
  return { find, forget };
}
