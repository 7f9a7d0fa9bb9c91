import { isExecutable, processMaps } from '../../native/process/process-maps.js';
import type { V8Heap } from './v8-heap.js';
import type { V8Layout } from './v8-layout.js';
import type { Words } from './words.js';

const WORD = 8;
/** The frame types by which V8 leaves JavaScript, and enters it. */
const EXITS = [
  'ExitFrame',
  'BuiltinExitFrame',
  'ApiCallbackExitFrame',
  'ApiAccessorExitFrame',
  'ApiConstructExitFrame',
  'ApiNamedAccessorExitFrame',
  'ApiIndexedAccessorExitFrame',
] as const;
const ENTRIES = ['EntryFrame', 'ConstructEntryFrame'] as const;
/** The most words of a stack that are searched. */
const MOST_WORDS = 2 ** 20;

/** A call of JavaScript on a stack. */
export interface FoundFrame {
  /** The frame pointer. */
  readonly frame: number;
  /** The function, with V8's tag. */
  readonly function: number;
}

/** The part of a thread's stack that is in use. */
interface UsedStack {
  readonly from: number;
  readonly words: readonly number[];
}

/**
 * Finds the calls of JavaScript on the stack of a thread that sleeps outside of it, by V8's frame pointers
 * (src/execution/frames.h).
 *
 * Machine code of C++ has no frame pointers, so where V8 was left is searched from the stack's inner end. Such a frame may be a
 * rest of an earlier call, in a buffer that nobody has written: one that stands between a call and its caller is in use, so the
 * search goes on from that one.
 */
export class StackFrames {
  readonly #layout: V8Layout;
  readonly #heap: V8Heap;
  readonly #stack: UsedStack;
  readonly #code: readonly { readonly start: number; readonly end: number }[];
  readonly #exits: ReadonlySet<number>;
  readonly #entries: ReadonlySet<number>;

  /** @param pointer the stack pointer of the thread */
  constructor(pid: number, pointer: number, words: Words, layout: V8Layout, heap: V8Heap) {
    const types = (names: readonly string[]): ReadonlySet<number> =>
      new Set(
        names
          .map((name) => `frametype_${name}`)
          .filter(layout.has)
          .map((name) => layout.value(name)),
      );
    const ranges = processMaps(pid);
    const stack = ranges.find(({ start, end }) => pointer >= start && pointer < end);
    const from = Math.ceil(pointer / WORD) * WORD;
    const count = stack === undefined ? 0 : Math.min(MOST_WORDS, (stack.end - from) / WORD);
    this.#stack = { from, words: Array.from({ length: count }, (_, i) => words.word(from + i * WORD)) };
    this.#layout = layout;
    this.#heap = heap;
    this.#code = ranges.filter(isExecutable);
    this.#exits = types(EXITS);
    this.#entries = types(ENTRIES);
  }

  /** The calls, innermost first. */
  calls(): readonly FoundFrame[] {
    const exits = this.#findExits();
    const found: FoundFrame[] = [];
    for (let exit = exits[0], end = 0; exit !== undefined; exit = exits.find((one) => one > end)) {
      const { calls, last } = this.#chain(this.#inUse(exit, exits));
      end = Math.max(last, exit);
      found.push(...calls);
    }
    return found;
  }

  /** The exit that is in use if this one is, or is a rest. */
  #inUse(exit: number, exits: readonly number[]): number {
    let frame = exit;
    for (;;) {
      const caller = this.#at(frame);
      const between = exits.findLast((one) => one > frame && one < caller && this.#at(one) === caller);
      if (between !== undefined) return this.#inUse(between, exits);
      if (!this.#isFrame(caller) || this.#entries.has(this.#typeOf(caller) ?? -1)) return exit;
      frame = caller;
    }
  }

  /** The calls up to where C++ has called JavaScript, and the last frame. */
  #chain(exit: number): { readonly calls: readonly FoundFrame[]; readonly last: number } {
    const calls: FoundFrame[] = [];
    let frame = this.#at(exit);
    for (let last = exit; ; last = frame, frame = this.#at(frame)) {
      if (!this.#isFrame(frame)) return { calls, last };
      const type = this.#typeOf(frame);
      if (type === undefined) calls.push({ frame, function: this.#functionOf(frame) });
      else if (this.#entries.has(type)) return { calls, last: frame };
    }
  }

  /** Frames that leave JavaScript, and whose caller is a call of it, or of V8's own code that one has called. */
  #findExits(): readonly number[] {
    const { from, words } = this.#stack;
    const exits: number[] = [];
    for (let i = 2; i < words.length - 1; i++) {
      const frame = from + i * WORD;
      if (!this.#exits.has(this.#typeOf(frame) ?? -1) || !this.#isFrame(frame)) continue;
      const pointer = this.#at(frame - 2 * WORD);
      if (pointer >= from && pointer <= frame && this.#chain(frame).calls.length > 0) exits.push(frame);
    }
    return exits;
  }

  #at(address: number): number {
    return this.#stack.words[(address - this.#stack.from) / WORD] ?? 0;
  }

  /** Whether a frame begins there: a caller's frame further out, a return address in code; and a function, or a type. */
  #isFrame(frame: number): boolean {
    const { from, words } = this.#stack;
    if (frame % WORD !== 0 || frame < from + 2 * WORD || frame >= from + (words.length - 1) * WORD) return false;
    const type = this.#typeOf(frame);
    const isCode = this.#code.some(({ start, end }) => this.#at(frame + WORD) >= start && this.#at(frame + WORD) < end);
    if (type !== undefined && this.#entries.has(type)) return isCode;
    if (!isCode || this.#at(frame) <= frame) return false;
    return type !== undefined || this.#heap.isFunction(this.#functionOf(frame));
  }

  /** The type of a frame that is no call of JavaScript; undefined: it has a context there. */
  #typeOf(frame: number): number | undefined {
    const marker = this.#at(frame + this.#layout.value('off_fp_context_or_frame_type'));
    return marker >= 0 && marker % 2 === 0 && marker < 2 ** 16 ? marker / 2 : undefined;
  }

  #functionOf(frame: number): number {
    return this.#at(frame + this.#layout.value('off_fp_function'));
  }
}
