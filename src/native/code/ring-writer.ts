import {
  DELTA_LIMIT,
  DELTA_MASK,
  MAX_SMALL_WORDS,
  PAGE_HEADER_BYTES,
  TIME_EXTEND,
  TYPE_LEN_BITS,
  TYPE_LEN_MASK,
} from '../../ring-buffer/event-word.js';
import { OFF_MASK } from '../../ring-buffer/instance-switch.js';
import * as ring from '../../ring-buffer/layout.js';
import type { PortableAssembler, Target } from '../machine/assembler.js';
import {
  ARG0,
  ARG1,
  ARG2,
  ARG3,
  ARG4,
  ARG5,
  indexed,
  KEPT0,
  KEPT1,
  KEPT2,
  KEPT3,
  KEPT4,
  Label,
  type Memory,
  mem,
  type Register,
  SCRATCH1,
  VALUE,
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
 * The writer of src/ring-buffer/writer.ts in machine code: the same bytes for the same events. It is used by one thread and by
 * what interrupts that thread.
 *
 * Registers: ARG0 is the writer, ARG1 the thread's block, ARG5 the time, which becomes that of the event before if that is later;
 * ARG4 becomes the payload's address. ARG4 and ARG5 must be kept until the commit. VALUE, ARG3 and ARG2 are lost, others kept.
 *
 * A writer with COUNTS reads the processor's counter for the time of an event itself, and leaves ARG5 alone, which durations are
 * made of. That is done where room is made slowly, which it always is in such a writer: no other one pays for it.
 *
 * BUSY is the place on the stack of the call that is being recorded. A signal handler that finds it set is nested: its events are
 * counted, not recorded. If the handler has left by longjmp, nobody will ever release the writer; then the stack has risen to
 * BUSY or above, and the next event takes the writer over. The commit publishes the event before it changes the writer, so the
 * one who takes over reads the page to see how far it came. A change of pages can be done again from any step. BUSY is published
 * too: a process that changes its own writers does that while threads run.
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
  emitShared(code: PortableAssembler): Readonly<Record<'slow' | 'busy', number>> {
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
  emitBegin(code: PortableAssembler, place: Memory, refused: Label): void {
    const free = new Label();
    const busy = code.aside(() => {
      code.call(this.#busy);
      code.jump('e', free);
      code.jmp(refused);
    });
    code.lea(ARG2, place);
    code.cmp(mem(ARG0, WRITER.BUSY), 0);
    code.jump('ne', busy);
    code.bind(free);
    code.mov(mem(ARG0, WRITER.BUSY), ARG2);
  }

  /**
   * Makes room for an event with a payload of so many words; goes to `refused`, with the writer released, if it is not recorded.
   */
  emitReserve(code: PortableAssembler, words: number, refused: Label): void {
    const done = new Label();
    const emitCall = (): void => {
      code.movImmediate(ARG3, words);
      this.emitReserveWords(code, refused);
    };
    if (words >= 3 && words <= MAX_SMALL_WORDS) {
      const slow = code.aside(() => {
        emitCall();
        code.jmp(done);
      });
      code.mov(ARG4, mem(ARG0, WRITER.POSITION));
      code.lea(ARG3, mem(ARG4, word(words + 1)));
      code.cmp(ARG3, mem(ARG0, WRITER.LIMIT));
      code.jump('a', slow);
      code.mov(ARG2, ARG5);
      code.sub(ARG2, mem(ARG0, WRITER.STAMP));
      code.cmp(ARG2, DELTA_LIMIT);
      code.jump('ae', slow);
      code.mov(VALUE, mem(ARG0, WRITER.RING));
      code.cmp(mem(VALUE, word(ring.ATTENTION)), 0, 32);
      code.jump('ne', slow);
      code.mov(VALUE, mem(ARG0, WRITER.SWITCH));
      code.mov(VALUE, mem(VALUE), 32);
      code.cmp(VALUE, mem(ARG0, WRITER.STATE), 32);
      code.jump('ne', slow);
      code.shift('shl', ARG2, TYPE_LEN_BITS, 32);
      code.or(ARG2, words, 32);
      code.mov(mem(ARG4), ARG2, 32);
      code.add(ARG4, 4);
    } else emitCall();
    code.bind(done);
  }

  /** Emits a reservation of as many words as ARG3 says: more than 2. */
  emitReserveWords(code: PortableAssembler, refused: Label): void {
    code.call(this.#slow);
    code.test(ARG4, ARG4);
    code.jump('e', refused);
  }

  /** Releases the writer without an event. */
  emitRelease(code: PortableAssembler): void {
    code.publish(mem(ARG0, WRITER.BUSY), 0);
  }

  /**
   * Publishes the event and releases the writer. ARG4 and ARG5 are what they were after it was reserved.
   * @param words a register if more than 2
   */
  emitCommit(code: PortableAssembler, words: number | Register): void {
    if (typeof words !== 'number') code.lea(ARG4, indexed(ARG4, words, 4));
    else code.add(ARG4, word(words === 2 ? 3 : words));
    code.mov(VALUE, mem(ARG0, WRITER.PAGE_START));
    code.lea(ARG2, mem(ARG4, -PAGE_HEADER_BYTES));
    code.sub(ARG2, VALUE);
    code.publish(mem(VALUE, COMMIT), ARG2, 32);
    code.mov(mem(ARG0, WRITER.STAMP), ARG5);
    code.unary('inc', mem(ARG0, WRITER.COUNT));
    code.mov(mem(ARG0, WRITER.POSITION), ARG4);
    code.publish(mem(ARG0, WRITER.BUSY), 0);
  }
}

/**
 * In ARG2 the place of the code at hand, which is kept. Leaves the flags at "not equal" if the writer stays another's; that call
 * is counted.
 */
function emitBusy(code: PortableAssembler, nextPage: Label): void {
  const nested = new Label();
  const taken = new Label();
  // Taken over: both places are on the thread's own stack, and that of the writing code is not above.
  code.mov(VALUE, mem(ARG0, WRITER.BUSY));
  code.cmp(ARG2, VALUE);
  code.jump('b', nested);
  code.cmp(VALUE, mem(ARG1, BLOCK.STACK_LOW));
  code.jump('b', nested);
  code.cmp(ARG2, mem(ARG1, BLOCK.STACK_HIGH));
  code.jump('ae', nested);
  // From here on what interrupts this is nested.
  code.mov(mem(ARG0, WRITER.BUSY), ARG2);
  code.push(ARG2);
  // In the midst of a change of pages: that goes on, or comes to the end that the ring is full.
  const stayed = new Label();
  code.cmp(mem(ARG0, WRITER.MOVE), PAGE_MOVE.NONE, 32);
  code.jump('e', stayed);
  code.push(ARG4);
  code.push(SCRATCH1);
  code.call(nextPage);
  code.pop(SCRATCH1);
  code.pop(ARG4);
  code.jmp(taken);
  code.bind(stayed);
  const recount = new Label();
  code.mov(VALUE, mem(ARG0, WRITER.PAGE_START));
  code.mov(ARG2, mem(VALUE, COMMIT), 32);
  code.add(VALUE, PAGE_HEADER_BYTES);
  code.add(ARG2, VALUE);
  code.cmp(ARG2, mem(ARG0, WRITER.POSITION));
  code.jump('ne', recount);
  const some = new Label();
  // The first event of a page gives the page its time.
  code.cmp(ARG2, VALUE);
  code.jump('ne', some);
  code.mov(mem(ARG0, WRITER.LIMIT), ARG2);
  code.jmp(taken);
  // A writer that counts has the time of an event before the event is published.
  code.bind(some);
  code.cmp(mem(ARG0, WRITER.COUNTS), 0, 32);
  code.jump('e', taken);
  // The event was published, but not all of the commit done.
  code.bind(recount);
  emitRecount(code);
  code.bind(taken);
  code.pop(ARG2);
  code.cmp(VALUE, VALUE);
  code.ret();

  code.bind(nested);
  const silent = new Label();
  const noRing = new Label();
  code.mov(VALUE, mem(ARG0, WRITER.RING));
  code.test(VALUE, VALUE);
  code.jump('e', noRing);
  code.test(mem(VALUE, word(ring.ATTENTION)), ~ring.EVENT_AWAITED, 32);
  code.jump('ne', silent);
  code.mov(ARG2, mem(ARG0, WRITER.SWITCH));
  code.test(mem(ARG2), OFF_MASK, 32);
  code.jump('ne', silent);
  emitCount(code, WRITER.COMMIT_OVERRUN, ring.COMMIT_OVERRUN);
  code.or(VALUE, 1);
  code.bind(silent);
  code.ret();
  code.bind(noRing);
  code.unary('inc', mem(ARG1, BLOCK.RINGLESS));
  code.or(VALUE, 1);
  code.ret();
}

/** Makes count, stamp and, at last, the position those of the events on the page, in ARG2 its end. */
function emitRecount(code: PortableAssembler): void {
  const saved = [KEPT0, ARG4, SCRATCH1];
  const [more, end, large, extend] = Array.from({ length: 4 }, () => new Label());
  for (const register of saved) code.push(register);
  code.mov(SCRATCH1, ARG2);
  code.mov(VALUE, mem(ARG0, WRITER.PAGE_START));
  code.mov(ARG2, mem(VALUE));
  code.lea(ARG4, mem(VALUE, PAGE_HEADER_BYTES));
  code.xor(ARG3, ARG3, 32);
  code.bind(more!);
  code.cmp(ARG4, SCRATCH1);
  code.jump('ae', end!);
  code.mov(VALUE, mem(ARG4), 32);
  code.mov(KEPT0, VALUE, 32);
  code.shift('shr', KEPT0, TYPE_LEN_BITS, 32);
  code.add(ARG2, KEPT0);
  code.and(VALUE, TYPE_LEN_MASK, 32);
  code.cmp(VALUE, TIME_EXTEND, 32);
  code.jump('e', extend!);
  code.add(ARG3, 1);
  code.test(VALUE, VALUE, 32);
  code.jump('e', large!);
  code.lea(ARG4, indexed(ARG4, VALUE, 4, 4));
  code.jmp(more!);
  code.bind(large!);
  code.mov(VALUE, mem(ARG4, 4), 32);
  code.lea(ARG4, indexed(ARG4, VALUE, 1, 4));
  code.jmp(more!);
  code.bind(extend!);
  code.mov(VALUE, mem(ARG4, 4), 32);
  code.shift('shl', VALUE, Math.log2(DELTA_LIMIT));
  code.add(ARG2, VALUE);
  code.add(ARG4, 8);
  code.jmp(more!);

  code.bind(end!);
  code.mov(mem(ARG0, WRITER.COUNT), ARG3);
  code.mov(mem(ARG0, WRITER.STAMP), ARG2);
  code.mov(mem(ARG0, WRITER.COUNT_STAMP), ARG2);
  code.mov(mem(ARG0, WRITER.POSITION), ARG4);
  emitRestore(code, saved);
}

/**
 * Counts one event more, in the writer and as a double in the ring, whose address is in VALUE. What interrupts this counts too:
 * so the double is written again until it is that of the integer.
 */
function emitCount(code: PortableAssembler, counter: number, published: number): void {
  code.push(KEPT0);
  code.mov(KEPT0, VALUE);
  code.unary('inc', mem(ARG0, counter));
  const again = code.label();
  code.mov(VALUE, mem(ARG0, counter));
  code.push(VALUE);
  emitToDouble(code);
  code.mov(mem(KEPT0, published * 8), VALUE);
  code.pop(VALUE);
  code.cmp(VALUE, mem(ARG0, counter));
  code.jump('ne', again);
  code.pop(KEPT0);
}

/** What reserveSlow() does. In ARG3 the payload's words; out ARG4, 0 if the event is not recorded. */
function emitSlow(code: PortableAssembler, nextPage: Label): void {
  const saved = [KEPT0, SCRATCH1, KEPT1, KEPT2, KEPT3, KEPT4];
  const [retry, swap, noRing, silent, full, leave, fit] = Array.from({ length: 7 }, () => new Label());
  for (const register of saved) code.push(register);
  code.mov(KEPT0, ARG3, 32);

  code.bind(retry!);
  code.mov(KEPT1, mem(ARG0, WRITER.RING));
  code.test(KEPT1, KEPT1);
  code.jump('e', noRing!);
  code.mov(KEPT2, mem(KEPT1, word(ring.ATTENTION)), 32);
  code.mov(VALUE, mem(ARG0, WRITER.SWITCH));
  code.mov(KEPT3, mem(VALUE), 32);
  code.test(KEPT2, ~ring.EVENT_AWAITED, 32);
  code.jump('ne', silent!);
  code.test(KEPT3, OFF_MASK, 32);
  code.jump('ne', silent!);
  code.cmp(KEPT3, mem(ARG0, WRITER.STATE), 32);
  code.jump('ne', swap!);

  const quiet = new Label();
  code.test(KEPT2, KEPT2, 32);
  code.jump('e', quiet);
  code.lockArithmetic('and', mem(KEPT1, word(ring.ATTENTION)), ~ring.EVENT_AWAITED, 32);
  code.lockArithmetic('add', mem(KEPT1, word(ring.WAKE_COUNT)), 1, 32);
  code.bind(quiet);

  // The kernel leaves no event of 12 bytes.
  const notTwo = new Label();
  code.cmp(KEPT0, 2, 32);
  code.jump('ne', notTwo);
  code.movImmediate(KEPT0, 3);
  code.bind(notTwo);
  // KEPT4: bytes of the event.
  const isSmall = new Label();
  code.lea(KEPT4, { index: KEPT0, scale: 4, disp: 4 });
  code.cmp(KEPT0, MAX_SMALL_WORDS, 32);
  code.jump('be', isSmall);
  code.add(KEPT4, 4);
  code.bind(isSmall);

  // KEPT2: the time that durations are made of.
  code.mov(KEPT2, ARG5);
  code.bind(fit!);
  emitCounted(code);
  emitDelta(code);
  code.add(VALUE, KEPT4);
  code.cmp(VALUE, mem(ARG0, WRITER.PAGE_END));
  const fits = new Label();
  code.jump('be', fits);
  code.call(nextPage);
  code.jump('b', full!);
  code.jmp(fit!);

  code.bind(fits);
  emitEventWords(code);
  const counted = new Label();
  code.cmp(mem(ARG0, WRITER.COUNTS), 0, 32);
  code.jump('ne', counted);
  code.mov(VALUE, mem(ARG0, WRITER.PAGE_END));
  code.mov(mem(ARG0, WRITER.LIMIT), VALUE);
  code.jmp(leave!);
  code.bind(counted);
  code.mov(mem(ARG0, WRITER.COUNT_STAMP), ARG5);
  code.mov(ARG5, KEPT2);
  code.bind(leave!);
  emitRestore(code, saved);
  code.ret();

  code.bind(noRing!);
  code.unary('inc', mem(ARG1, BLOCK.RINGLESS));
  code.jmp(silent!);

  code.bind(full!);
  code.mov(ARG5, KEPT2);
  code.mov(VALUE, KEPT1);
  emitCount(code, WRITER.DROPPED, ring.DROPPED);
  code.bind(silent!);
  code.publish(mem(ARG0, WRITER.BUSY), 0);
  code.xor(ARG4, ARG4, 32);
  code.jmp(leave!);

  code.bind(swap!);
  emitSwap(code);
  code.jmp(retry!);
}

/** In a writer that counts, ARG5 becomes the count, and STAMP that of the last event. VALUE, ARG3 and ARG2 are lost. */
function emitCounted(code: PortableAssembler): void {
  const inNs = new Label();
  code.cmp(mem(ARG0, WRITER.COUNTS), 0, 32);
  code.jump('e', inNs);
  code.counter();
  code.mov(ARG5, VALUE);
  code.mov(VALUE, mem(ARG0, WRITER.COUNT_STAMP));
  code.mov(mem(ARG0, WRITER.STAMP), VALUE);
  code.bind(inNs);
}

/**
 * What deltaTo() does: ARG2 becomes the time since the last event, ARG5 the event's time; ARG4 the position, SCRATCH1 the bytes
 * of a time extend, VALUE both together.
 */
function emitDelta(code: PortableAssembler): void {
  const forward = new Label();
  code.mov(ARG2, ARG5);
  code.sub(ARG2, mem(ARG0, WRITER.STAMP));
  code.jump('ns', forward);
  code.xor(ARG2, ARG2, 32);
  code.bind(forward);
  code.mov(ARG5, mem(ARG0, WRITER.STAMP));
  code.add(ARG5, ARG2);
  code.mov(ARG4, mem(ARG0, WRITER.POSITION));
  const notFirst = new Label();
  code.mov(ARG3, mem(ARG0, WRITER.PAGE_START));
  code.lea(SCRATCH1, mem(ARG3, PAGE_HEADER_BYTES));
  code.cmp(ARG4, SCRATCH1);
  code.jump('ne', notFirst);
  code.mov(mem(ARG3), ARG5);
  code.xor(ARG2, ARG2, 32);
  code.bind(notFirst);
  code.xor(SCRATCH1, SCRATCH1, 32);
  code.cmp(ARG2, DELTA_LIMIT);
  const short = new Label();
  code.jump('b', short);
  code.movImmediate(SCRATCH1, 8);
  code.bind(short);
  code.lea(VALUE, { base: ARG4, index: SCRATCH1, scale: 1, disp: 0 });
}

/**
 * Writes the words before the payload; ARG4 becomes its address. In: ARG2, ARG4, SCRATCH1 of `emitDelta`, KEPT0 the payload's
 * words.
 */
function emitEventWords(code: PortableAssembler): void {
  const noExtend = new Label();
  code.test(SCRATCH1, SCRATCH1);
  code.jump('e', noExtend);
  code.mov(VALUE, ARG2, 32);
  code.and(VALUE, DELTA_MASK, 32);
  code.shift('shl', VALUE, TYPE_LEN_BITS, 32);
  code.or(VALUE, TIME_EXTEND, 32);
  code.mov(mem(ARG4), VALUE, 32);
  code.shift('shr', ARG2, Math.log2(DELTA_LIMIT));
  code.mov(mem(ARG4, 4), ARG2, 32);
  code.add(ARG4, 8);
  code.xor(ARG2, ARG2, 32);
  code.bind(noExtend);
  code.shift('shl', ARG2, TYPE_LEN_BITS, 32);
  const large = new Label();
  const done = new Label();
  code.cmp(KEPT0, MAX_SMALL_WORDS, 32);
  code.jump('a', large);
  code.or(ARG2, KEPT0, 32);
  code.mov(mem(ARG4), ARG2, 32);
  code.add(ARG4, 4);
  code.jmp(done);
  code.bind(large);
  code.mov(mem(ARG4), ARG2, 32);
  code.lea(VALUE, { index: KEPT0, scale: 4, disp: 4 });
  code.mov(mem(ARG4, 4), VALUE, 32);
  code.add(ARG4, 8);
  code.bind(done);
}

/**
 * A snapshot was taken, or the state has changed in another way: KEPT3 is the new one, KEPT1 the ring. Changes ARG0 to the writer
 * in use.
 */
function emitSwap(code: PortableAssembler): void {
  const LIVE = 16;
  const SNAPSHOT_BITS = 8;
  const done = new Label();
  code.mov(KEPT2, mem(ARG0, WRITER.STATE), 32);
  code.mov(mem(ARG0, WRITER.STATE), KEPT3, 32);
  code.mov(ARG4, mem(ARG0, WRITER.SPARE));
  code.test(ARG4, ARG4);
  code.jump('e', done);
  // The word of this cpu: the last snapshot that it followed, and which memory is in use.
  code.mov(VALUE, mem(ARG0, WRITER.SWITCH));
  code.mov(ARG3, mem(ARG0, WRITER.CPU), 32);
  code.lea(VALUE, { base: VALUE, index: ARG3, scale: 4, disp: LIVE * 4 });
  code.mov(ARG2, mem(VALUE), 32);
  code.and(ARG2, 1, 32);
  code.sub(KEPT2, KEPT3, 32);
  code.shift('shr', KEPT2, SNAPSHOT_BITS, 32);
  code.and(KEPT2, 1, 32);
  code.xor(ARG2, KEPT2, 32);
  code.mov(ARG3, KEPT3, 32);
  code.shift('shr', ARG3, SNAPSHOT_BITS, 32);
  code.add(ARG3, ARG3, 32);
  code.or(ARG3, ARG2, 32);
  code.xchg(mem(VALUE), ARG3, 32);
  code.test(KEPT2, KEPT2, 32);
  code.jump('e', done);
  code.mov(mem(ARG4, WRITER.STATE), KEPT3, 32);
  code.mov(mem(ARG4, WRITER.SPARE), ARG0);
  const hasEvents = new Label();
  code.cmp(mem(ARG4, WRITER.COUNT), 0);
  code.jump('ne', hasEvents);
  for (const stamp of [WRITER.STAMP, WRITER.COUNT_STAMP]) {
    code.mov(VALUE, mem(ARG0, stamp));
    code.mov(mem(ARG4, stamp), VALUE);
  }
  code.bind(hasEvents);
  code.mov(VALUE, mem(ARG0, WRITER.BUSY));
  code.mov(mem(ARG4, WRITER.BUSY), VALUE);
  code.mov(VALUE, mem(ARG0, WRITER.IN_USE));
  code.mov(mem(VALUE), ARG4);
  code.publish(mem(ARG0, WRITER.BUSY), 0);
  code.mov(ARG0, ARG4);
  code.lockArithmetic('add', mem(KEPT1, word(ring.WAKE_COUNT)), 1, 32);
  code.bind(done);
}
