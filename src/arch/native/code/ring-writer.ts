import {
  DELTA_LIMIT,
  DELTA_MASK,
  MAX_SMALL_WORDS,
  PAGE_HEADER_BYTES,
  TIME_EXTEND,
  TYPE_LEN_BITS,
  TYPE_LEN_MASK,
} from '../../../ring-buffer/event-word.js';
import { OFF_MASK } from '../../../ring-buffer/instance-switch.js';
import * as ring from '../../../ring-buffer/layout.js';
import type { Assembler, Target } from '../machine/assembler.js';
import {
  indexed,
  Label,
  type Memory,
  mem,
  R8,
  R9,
  R11,
  R12,
  R13,
  R14,
  R15,
  RAX,
  RBX,
  RCX,
  RDI,
  RDX,
  type Register,
  RSI,
} from '../machine/operands.js';
import { BLOCK, PAGE_MOVE, WRITER } from './arena.js';
import { emitNextPage } from './ring-page-move.js';
import { emitToDouble } from './to-double.js';
import { emitRestore } from './trampoline-end.js';

/** Byte offsets of a ring's words. */
const word = (index: number): number => index * 4;
/** The commit word of a page, from its start. */
const COMMIT = 8;

/**
 * The writer of src/ring-buffer/writer.ts in machine code: the same bytes for the same events. It is used by one thread and by what
 * interrupts that thread.
 *
 * Registers: rdi is the writer, rsi the thread's block, r9 the time, which becomes that of the event before if that is later; r8 becomes the payload's
 * address. r8 and r9 must be kept until the commit. rax, rcx and rdx are lost, others kept.
 *
 * BUSY is the place on the stack of the call that is being recorded. A signal handler that finds it set is nested: its events are counted, not recorded. If
 * the handler has left by longjmp, nobody will ever release the writer; then the stack has risen to BUSY or above, and the next
 * event takes the writer over. The commit publishes the event before it changes the writer, so the one who takes over reads the page to see how far
 * it came. A change of pages can be done again from any step.
 */
export class RingWriterCode {
  readonly #slow: Target;
  readonly #busy: Target;

  /** @param shared the parts that events share, where they are already; absent: `emitShared` is called */
  constructor(shared: Readonly<Record<'slow' | 'busy', Target>> = { slow: new Label(), busy: new Label() }) {
    this.#slow = shared.slow;
    this.#busy = shared.busy;
  }

  /** Emits the parts that events share, and returns where they are. */
  emitShared(code: Assembler): Readonly<Record<'slow' | 'busy', number>> {
    const nextPage = emitNextPage(code);
    code.align(16);
    const busy = code.here;
    code.bind(this.#busy as Label);
    emitBusy(code, nextPage);
    code.align(16);
    const slow = code.here;
    code.bind(this.#slow as Label);
    emitSlow(code, nextPage);
    return { slow, busy };
  }

  /**
   * Makes the code at hand the one that writes; goes to `refused` if the event is not recorded. Comes before the clock is read.
   * @param place what the code's stack pointer was at the call that is recorded: higher than that of all that can interrupt it
   */
  emitBegin(code: Assembler, place: Memory, refused: Label): void {
    const free = new Label();
    const busy = code.aside(() => {
      code.call(this.#busy);
      code.jump('e', free);
      code.jmp(refused);
    });
    code.lea(RDX, place);
    code.cmp(mem(RDI, WRITER.BUSY), 0);
    code.jump('ne', busy);
    code.bind(free);
    code.mov(mem(RDI, WRITER.BUSY), RDX);
  }

  /**
   * Makes room for an event with a payload of so many words; goes to `refused`, with the writer released, if it is not recorded.
   */
  emitReserve(code: Assembler, words: number, refused: Label): void {
    const done = new Label();
    const emitCall = (): void => {
      code.movImmediate(RCX, words);
      this.emitReserveWords(code, refused);
    };
    if (words >= 3 && words <= MAX_SMALL_WORDS) {
      const slow = code.aside(() => {
        emitCall();
        code.jmp(done);
      });
      code.mov(R8, mem(RDI, WRITER.POSITION));
      code.lea(RCX, mem(R8, word(words + 1)));
      code.cmp(RCX, mem(RDI, WRITER.LIMIT));
      code.jump('a', slow);
      code.mov(RDX, R9);
      code.sub(RDX, mem(RDI, WRITER.STAMP));
      code.cmp(RDX, DELTA_LIMIT);
      code.jump('ae', slow);
      code.mov(RAX, mem(RDI, WRITER.RING));
      code.cmp(mem(RAX, word(ring.ATTENTION)), 0, 32);
      code.jump('ne', slow);
      code.mov(RAX, mem(RDI, WRITER.SWITCH));
      code.mov(RAX, mem(RAX), 32);
      code.cmp(RAX, mem(RDI, WRITER.STATE), 32);
      code.jump('ne', slow);
      code.shift('shl', RDX, TYPE_LEN_BITS, 32);
      code.or(RDX, words, 32);
      code.mov(mem(R8), RDX, 32);
      code.add(R8, 4);
    } else emitCall();
    code.bind(done);
  }

  /** The same for as many words as rcx says: more than 2. */
  emitReserveWords(code: Assembler, refused: Label): void {
    code.call(this.#slow);
    code.test(R8, R8);
    code.jump('e', refused);
  }

  /** Releases the writer without an event. */
  emitRelease(code: Assembler): void {
    code.mov(mem(RDI, WRITER.BUSY), 0);
  }

  /**
   * Publishes the event and releases the writer. r8 and r9 are what they were after it was reserved.
   * @param words a register if more than 2
   */
  emitCommit(code: Assembler, words: number | Register): void {
    if (typeof words !== 'number') code.lea(R8, indexed(R8, words, 4));
    else code.add(R8, word(words === 2 ? 3 : words));
    code.mov(RAX, mem(RDI, WRITER.PAGE_START));
    code.lea(RDX, mem(R8, -PAGE_HEADER_BYTES));
    code.sub(RDX, RAX);
    code.publish(mem(RAX, COMMIT), RDX, 32);
    code.mov(mem(RDI, WRITER.STAMP), R9);
    code.unary('inc', mem(RDI, WRITER.COUNT));
    code.mov(mem(RDI, WRITER.POSITION), R8);
    code.mov(mem(RDI, WRITER.BUSY), 0);
  }
}

/** In rdx the place of the code at hand, which is kept. Leaves the flags at "not equal" if the writer stays another's; that call is counted. */
function emitBusy(code: Assembler, nextPage: Label): void {
  const nested = new Label();
  const taken = new Label();
  // Taken over: both places are on the thread's own stack, and that of the writing code is not above.
  code.mov(RAX, mem(RDI, WRITER.BUSY));
  code.cmp(RDX, RAX);
  code.jump('b', nested);
  code.cmp(RAX, mem(RSI, BLOCK.STACK_LOW));
  code.jump('b', nested);
  code.cmp(RDX, mem(RSI, BLOCK.STACK_HIGH));
  code.jump('ae', nested);
  // From here on what interrupts this is nested.
  code.mov(mem(RDI, WRITER.BUSY), RDX);
  code.push(RDX);
  // In the midst of a change of pages: that goes on, or comes to the end that the ring is full.
  const stayed = new Label();
  code.cmp(mem(RDI, WRITER.MOVE), PAGE_MOVE.NONE, 32);
  code.jump('e', stayed);
  code.push(R8);
  code.push(R11);
  code.call(nextPage);
  code.pop(R11);
  code.pop(R8);
  code.jmp(taken);
  code.bind(stayed);
  const recount = new Label();
  code.mov(RAX, mem(RDI, WRITER.PAGE_START));
  code.mov(RDX, mem(RAX, COMMIT), 32);
  code.add(RAX, PAGE_HEADER_BYTES);
  code.add(RDX, RAX);
  code.cmp(RDX, mem(RDI, WRITER.POSITION));
  code.jump('ne', recount);
  // The first event of a page gives the page its time.
  code.cmp(RDX, RAX);
  code.jump('ne', taken);
  code.mov(mem(RDI, WRITER.LIMIT), RDX);
  code.jmp(taken);
  // The event was published, but not all of the commit done.
  code.bind(recount);
  emitRecount(code);
  code.bind(taken);
  code.pop(RDX);
  code.cmp(RAX, RAX);
  code.ret();

  code.bind(nested);
  const silent = new Label();
  const noRing = new Label();
  code.mov(RAX, mem(RDI, WRITER.RING));
  code.test(RAX, RAX);
  code.jump('e', noRing);
  code.test(mem(RAX, word(ring.ATTENTION)), ~ring.EVENT_AWAITED, 32);
  code.jump('ne', silent);
  code.mov(RDX, mem(RDI, WRITER.SWITCH));
  code.test(mem(RDX), OFF_MASK, 32);
  code.jump('ne', silent);
  emitCount(code, WRITER.COMMIT_OVERRUN, ring.COMMIT_OVERRUN);
  code.or(RAX, 1);
  code.bind(silent);
  code.ret();
  code.bind(noRing);
  code.unary('inc', mem(RSI, BLOCK.RINGLESS));
  code.or(RAX, 1);
  code.ret();
}

/** Makes count, stamp and, at last, the position those of the events on the page, in rdx its end. */
function emitRecount(code: Assembler): void {
  const saved = [RBX, R8, R11];
  const [more, end, large, extend] = Array.from({ length: 4 }, () => new Label());
  for (const register of saved) code.push(register);
  code.mov(R11, RDX);
  code.mov(RAX, mem(RDI, WRITER.PAGE_START));
  code.mov(RDX, mem(RAX));
  code.lea(R8, mem(RAX, PAGE_HEADER_BYTES));
  code.xor(RCX, RCX, 32);
  code.bind(more!);
  code.cmp(R8, R11);
  code.jump('ae', end!);
  code.mov(RAX, mem(R8), 32);
  code.mov(RBX, RAX, 32);
  code.shift('shr', RBX, TYPE_LEN_BITS, 32);
  code.add(RDX, RBX);
  code.and(RAX, TYPE_LEN_MASK, 32);
  code.cmp(RAX, TIME_EXTEND, 32);
  code.jump('e', extend!);
  code.add(RCX, 1);
  code.test(RAX, RAX, 32);
  code.jump('e', large!);
  code.lea(R8, indexed(R8, RAX, 4, 4));
  code.jmp(more!);
  code.bind(large!);
  code.mov(RAX, mem(R8, 4), 32);
  code.lea(R8, indexed(R8, RAX, 1, 4));
  code.jmp(more!);
  code.bind(extend!);
  code.mov(RAX, mem(R8, 4), 32);
  code.shift('shl', RAX, Math.log2(DELTA_LIMIT));
  code.add(RDX, RAX);
  code.add(R8, 8);
  code.jmp(more!);

  code.bind(end!);
  code.mov(mem(RDI, WRITER.COUNT), RCX);
  code.mov(mem(RDI, WRITER.STAMP), RDX);
  code.mov(mem(RDI, WRITER.POSITION), R8);
  emitRestore(code, saved);
}

/**
 * Counts one event more, in the writer and as a double in the ring, whose address is in rax. What interrupts this counts too: so the double is
 * written again until it is that of the integer.
 */
function emitCount(code: Assembler, counter: number, published: number): void {
  code.push(RBX);
  code.mov(RBX, RAX);
  code.unary('inc', mem(RDI, counter));
  const again = code.label();
  code.mov(RAX, mem(RDI, counter));
  code.push(RAX);
  emitToDouble(code);
  code.mov(mem(RBX, published * 8), RAX);
  code.pop(RAX);
  code.cmp(RAX, mem(RDI, counter));
  code.jump('ne', again);
  code.pop(RBX);
}

/** What reserveSlow() does. In ecx the payload's words; out r8, 0 if the event is not recorded. */
function emitSlow(code: Assembler, nextPage: Label): void {
  const saved = [RBX, R11, R12, R13, R14, R15];
  const [retry, swap, noRing, silent, full, leave, fit] = Array.from({ length: 7 }, () => new Label());
  for (const register of saved) code.push(register);
  code.mov(RBX, RCX, 32);

  code.bind(retry!);
  code.mov(R12, mem(RDI, WRITER.RING));
  code.test(R12, R12);
  code.jump('e', noRing!);
  code.mov(R13, mem(R12, word(ring.ATTENTION)), 32);
  code.mov(RAX, mem(RDI, WRITER.SWITCH));
  code.mov(R14, mem(RAX), 32);
  code.test(R13, ~ring.EVENT_AWAITED, 32);
  code.jump('ne', silent!);
  code.test(R14, OFF_MASK, 32);
  code.jump('ne', silent!);
  code.cmp(R14, mem(RDI, WRITER.STATE), 32);
  code.jump('ne', swap!);

  const quiet = new Label();
  code.test(R13, R13, 32);
  code.jump('e', quiet);
  code.lockArithmetic('and', mem(R12, word(ring.ATTENTION)), ~ring.EVENT_AWAITED, 32);
  code.lockArithmetic('add', mem(R12, word(ring.WAKE_COUNT)), 1, 32);
  code.bind(quiet);

  // The kernel leaves no event of 12 bytes.
  const notTwo = new Label();
  code.cmp(RBX, 2, 32);
  code.jump('ne', notTwo);
  code.movImmediate(RBX, 3);
  code.bind(notTwo);
  // r15: bytes of the event.
  const isSmall = new Label();
  code.lea(R15, { index: RBX, scale: 4, disp: 4 });
  code.cmp(RBX, MAX_SMALL_WORDS, 32);
  code.jump('be', isSmall);
  code.add(R15, 4);
  code.bind(isSmall);

  code.bind(fit!);
  emitDelta(code);
  code.add(RAX, R15);
  code.cmp(RAX, mem(RDI, WRITER.PAGE_END));
  const fits = new Label();
  code.jump('be', fits);
  code.call(nextPage);
  code.jump('b', full!);
  code.jmp(fit!);

  code.bind(fits);
  emitEventWords(code);
  code.mov(RAX, mem(RDI, WRITER.PAGE_END));
  code.mov(mem(RDI, WRITER.LIMIT), RAX);
  code.bind(leave!);
  emitRestore(code, saved);
  code.ret();

  code.bind(noRing!);
  code.unary('inc', mem(RSI, BLOCK.RINGLESS));
  code.jmp(silent!);

  code.bind(full!);
  code.mov(RAX, R12);
  emitCount(code, WRITER.DROPPED, ring.DROPPED);
  code.bind(silent!);
  code.mov(mem(RDI, WRITER.BUSY), 0);
  code.xor(R8, R8, 32);
  code.jmp(leave!);

  code.bind(swap!);
  emitSwap(code);
  code.jmp(retry!);
}

/**
 * What deltaTo() does: rdx becomes the time since the last event, r9 the event's time; r8 the position, r11 the bytes of a time extend,
 * rax both together.
 */
function emitDelta(code: Assembler): void {
  const forward = new Label();
  code.mov(RDX, R9);
  code.sub(RDX, mem(RDI, WRITER.STAMP));
  code.jump('ns', forward);
  code.xor(RDX, RDX, 32);
  code.bind(forward);
  code.mov(R9, mem(RDI, WRITER.STAMP));
  code.add(R9, RDX);
  code.mov(R8, mem(RDI, WRITER.POSITION));
  const notFirst = new Label();
  code.mov(RCX, mem(RDI, WRITER.PAGE_START));
  code.lea(R11, mem(RCX, PAGE_HEADER_BYTES));
  code.cmp(R8, R11);
  code.jump('ne', notFirst);
  code.mov(mem(RCX), R9);
  code.xor(RDX, RDX, 32);
  code.bind(notFirst);
  code.xor(R11, R11, 32);
  code.cmp(RDX, DELTA_LIMIT);
  const short = new Label();
  code.jump('b', short);
  code.movImmediate(R11, 8);
  code.bind(short);
  code.lea(RAX, { base: R8, index: R11, scale: 1, disp: 0 });
}

/** Writes the words before the payload; r8 becomes its address. In: rdx, r8, r11 of `emitDelta`, ebx the payload's words. */
function emitEventWords(code: Assembler): void {
  const noExtend = new Label();
  code.test(R11, R11);
  code.jump('e', noExtend);
  code.mov(RAX, RDX, 32);
  code.and(RAX, DELTA_MASK, 32);
  code.shift('shl', RAX, TYPE_LEN_BITS, 32);
  code.or(RAX, TIME_EXTEND, 32);
  code.mov(mem(R8), RAX, 32);
  code.shift('shr', RDX, Math.log2(DELTA_LIMIT));
  code.mov(mem(R8, 4), RDX, 32);
  code.add(R8, 8);
  code.xor(RDX, RDX, 32);
  code.bind(noExtend);
  code.shift('shl', RDX, TYPE_LEN_BITS, 32);
  const large = new Label();
  const done = new Label();
  code.cmp(RBX, MAX_SMALL_WORDS, 32);
  code.jump('a', large);
  code.or(RDX, RBX, 32);
  code.mov(mem(R8), RDX, 32);
  code.add(R8, 4);
  code.jmp(done);
  code.bind(large);
  code.mov(mem(R8), RDX, 32);
  code.lea(RAX, { index: RBX, scale: 4, disp: 4 });
  code.mov(mem(R8, 4), RAX, 32);
  code.add(R8, 8);
  code.bind(done);
}

/** A snapshot was taken, or the state has changed in another way: r14 is the new one, r12 the ring. Changes rdi to the writer in use. */
function emitSwap(code: Assembler): void {
  const LIVE = 16;
  const SNAPSHOT_BITS = 8;
  const done = new Label();
  code.mov(R13, mem(RDI, WRITER.STATE), 32);
  code.mov(mem(RDI, WRITER.STATE), R14, 32);
  code.mov(R8, mem(RDI, WRITER.SPARE));
  code.test(R8, R8);
  code.jump('e', done);
  // The word of this cpu: the last snapshot that it followed, and which memory is in use.
  code.mov(RAX, mem(RDI, WRITER.SWITCH));
  code.mov(RCX, mem(RDI, WRITER.CPU), 32);
  code.lea(RAX, { base: RAX, index: RCX, scale: 4, disp: LIVE * 4 });
  code.mov(RDX, mem(RAX), 32);
  code.and(RDX, 1, 32);
  code.sub(R13, R14, 32);
  code.shift('shr', R13, SNAPSHOT_BITS, 32);
  code.and(R13, 1, 32);
  code.xor(RDX, R13, 32);
  code.mov(RCX, R14, 32);
  code.shift('shr', RCX, SNAPSHOT_BITS, 32);
  code.add(RCX, RCX, 32);
  code.or(RCX, RDX, 32);
  code.xchg(mem(RAX), RCX, 32);
  code.test(R13, R13, 32);
  code.jump('e', done);
  code.mov(mem(R8, WRITER.STATE), R14, 32);
  code.mov(mem(R8, WRITER.SPARE), RDI);
  const hasEvents = new Label();
  code.cmp(mem(R8, WRITER.COUNT), 0);
  code.jump('ne', hasEvents);
  code.mov(RAX, mem(RDI, WRITER.STAMP));
  code.mov(mem(R8, WRITER.STAMP), RAX);
  code.bind(hasEvents);
  code.mov(RAX, mem(RDI, WRITER.BUSY));
  code.mov(mem(R8, WRITER.BUSY), RAX);
  code.mov(RAX, mem(RDI, WRITER.IN_USE));
  code.mov(mem(RAX), R8);
  code.mov(mem(RDI, WRITER.BUSY), 0);
  code.mov(RDI, R8);
  code.lockArithmetic('add', mem(R12, word(ring.WAKE_COUNT)), 1, 32);
  code.bind(done);
}
