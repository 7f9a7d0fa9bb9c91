import { EXIT_REGISTER, EXIT_UNWOUND, FTRACE_EVENTS } from '../../events/ftrace-events.js';
import type { PortableAssembler } from '../machine/assembler.js';
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
  Label,
  type Memory,
  mem,
  type Register,
  SCRATCH0,
  SCRATCH1,
  VALUE,
} from '../machine/operands.js';
import { BLOCK, FRAME, FRAME_FLAG, GATE, GRAVE, GRAVES, OPEN, SHARED } from './arena.js';
import { emitNow } from './clock.js';
import type { CodeParts } from './function-trampoline.js';
import { emitProfileExit } from './profile-code.js';
import { emitRecord, recordWords } from './record-code.js';
import { emitRestore } from './trampoline-end.js';

const exitEvent = FTRACE_EVENTS.funcgraph_exit;
const EXIT_WORDS = recordWords(exitEvent);
const GRAVE_SHIFT = Math.log2(GRAVE.BYTES);
/**
 * A function that is reached by a jump is in the call that has jumped, up to so many in a row: programs have loops of such jumps.
 */
export const MOST_JUMPS = 64;
/** How many graves may be in use before the oldest one is used again. */
const GRAVES_LOOKED_AT = 16;
/** One of so many calls that are too deep, a power of two, looks for dead frames below the top where no free one is known. */
const CALLS_A_SEARCH = 1024;

/**
 * KEPT0 becomes the address of the frame behind the last one of the block in ARG1, plus `disp`. ARG3 becomes the frames' bytes.
 */
export function emitFramesEnd(code: PortableAssembler, disp = 0): void {
  code.mov(ARG3, mem(ARG1, BLOCK.TOP));
  code.lea(KEPT0, indexed(ARG3, ARG1, 1, BLOCK.FRAMES + disp));
}

/** What an exit's record has. */
interface ExitOptions {
  /** The call was left by an exception or by longjmp. */
  readonly unwound?: boolean;
  /** ARG5 is the time. */
  readonly hasTime?: boolean;
  /** Where the register is that has what the function returned; absent: it is not known. */
  readonly result?: Memory | undefined;
}

/** Flags, a length, the 64 bits of the register, and two bytes of nothing. */
const RESULT_WORDS = 3;
const RESULT_HEAD = EXIT_REGISTER | (8 << 8);

/** Writes what was returned behind the fields of an exit whose record begins at ARG4. VALUE is lost. */
function emitResult(code: PortableAssembler, result: Memory): void {
  code.mov(VALUE, result);
  code.shift('shl', VALUE, 16);
  code.or(VALUE, RESULT_HEAD);
  code.mov(mem(ARG4, EXIT_WORDS * 4), VALUE);
  code.mov(VALUE, result);
  code.shift('shr', VALUE, 48);
  code.mov(mem(ARG4, EXIT_WORDS * 4 + 8), VALUE, 32);
}

/**
 * ARG3 becomes the bytes from the first grave to the next one that may be used: the next free one, if there is one near, because
 * a frame that was dropped long ago may still return when all behind it have; else the oldest. VALUE, ARG0, ARG2 are lost.
 */
function emitGrave(code: PortableAssembler): void {
  const free = new Label();
  const place = (): void => {
    code.mov(ARG3, ARG2);
    code.and(ARG3, GRAVES - 1, 32);
    code.shift('shl', ARG3, GRAVE_SHIFT);
  };
  code.mov(ARG0, mem(ARG1, BLOCK.BURIED), 32);
  code.mov(ARG2, ARG0);
  const again = code.label();
  place();
  code.cmp(indexed(ARG1, ARG3, 1, BLOCK.GRAVES + GRAVE.SLOT), 0);
  code.jump('e', free);
  code.unary('inc', ARG2, 32);
  code.mov(VALUE, ARG2);
  code.sub(VALUE, ARG0, 32);
  code.cmp(VALUE, GRAVES_LOOKED_AT, 32);
  code.jump('b', again);
  code.mov(ARG2, ARG0);
  place();
  code.bind(free);
  code.unary('inc', ARG2, 32);
  code.mov(mem(ARG1, BLOCK.BURIED), ARG2, 32);
}

/**
 * The shadow stack: the calls of a thread whose return goes through a thunk, found by the place of their return address. A frame
 * is left without a return when longjmp, an exception or the end of a coroutine passes it by. Such a frame is dropped when its
 * place and the present one are both on the thread's own stack and its is below, or when another call has the same place. Frames
 * of other stacks stay: the coroutine may go on. Of a dropped frame the return address is kept, because the thread's own stack
 * may hold other stacks.
 *
 * A function that jumps to another one gives its place to that call, whose return address is then the exit of the first call:
 * both have frames, and the calls return one after the other.
 *
 * Registers in all parts: ARG1 the block, SCRATCH0 the arena, SCRATCH1 the place of the present return address.
 */
export class ShadowStackCode {
  /**
   * Removes dead frames from the top. On machines with a link register KEPT1 is where the return address is. VALUE, KEPT0, ARG3,
   * ARG2, ARG0, ARG4, ARG5 are lost.
   */
  readonly repair = new Label();
  /**
   * KEPT0 becomes the frame with the place in SCRATCH1, and with the exit there, 0 if there is none; what is above it and dead is
   * dropped. Same registers.
   */
  readonly find = new Label();
  /** Removes free frames from the top. VALUE, ARG3 are lost. */
  readonly lower = new Label();
  /**
   * KEPT0 becomes a free frame below the top for a call whose return address is VALUE, 0 if there is none: no frame above it has
   * the same place. VALUE, ARG3, ARG2, ARG0, ARG4, ARG5 are lost.
   */
  readonly hole = new Label();
  /**
   * VALUE becomes the return address for the place in SCRATCH1 of a frame that was dropped too early; 0: there is none. KEPT0,
   * ARG3, ARG2, ARG0 are lost.
   */
  readonly exhume = new Label();
  readonly #parts: CodeParts;
  readonly #isDead = new Label();
  readonly #profiled = new Label();
  readonly #unwound = new Label();

  constructor(parts: CodeParts) {
    this.#parts = parts;
  }

  emitShared(code: PortableAssembler): void {
    this.#emitIsDead(code);
    code.align(16);
    code.bind(this.#unwound);
    this.#emitUnwound(code, true);
    code.ret();
    this.#emitLower(code);
    this.#emitRepair(code);
    this.#emitFind(code);
    this.#emitHole(code);
    this.#emitExhume(code);
    emitProfileExit(code, this.#profiled);
    code.emitAsides();
  }

  /**
   * Writes the exit record of the frame in KEPT0, or profiles its call: its flags say what is due; ARG5 becomes the time. ARG0,
   * ARG4, VALUE, ARG3, ARG2 are lost.
   */
  emitExitRecord(code: PortableAssembler, { unwound = false, hasTime = false, result }: ExitOptions = {}): void {
    const { writer, javascript } = this.#parts;
    const done = new Label();
    const write = new Label();
    const words = unwound ? EXIT_WORDS + 1 : EXIT_WORDS;
    const unrecorded = code.aside(() => {
      code.test(mem(KEPT0, FRAME.FLAGS), FRAME_FLAG.PROFILED, 8);
      code.jump('e', done);
      if (!hasTime) emitNow(code);
      code.call(this.#profiled);
      code.jmp(done);
    });
    code.test(mem(KEPT0, FRAME.FLAGS), FRAME_FLAG.RECORDED, 8);
    code.jump('e', unrecorded);
    // Whatever interrupts this: the record is not written twice.
    code.arithmetic('and', mem(KEPT0, FRAME.FLAGS), ~FRAME_FLAG.RECORDED & 0x7f, 8);
    const emitBegin = (): void => {
      code.cmp(mem(ARG1, BLOCK.IGNORED), 0, 32);
      code.jump('ne', done);
      javascript.emitEndAbove(code);
      code.mov(ARG0, mem(ARG1, BLOCK.WRITER));
      writer.emitBegin(code, mem(SCRATCH1), done);
      if (!hasTime) javascript.emitTime(code);
    };
    const emitFields = (): void => {
      code.movzx(ARG2, mem(KEPT0, FRAME.DEPTH), 16);
      emitRecord(code, exitEvent, {
        func: mem(KEPT0, FRAME.IP),
        depth: ARG2,
        overrun: mem(ARG1, BLOCK.TOO_DEEP),
        calltime: mem(KEPT0, FRAME.CALLTIME),
        rettime: ARG5,
      });
    };
    const limited = code.aside(() => {
      code.cmp(mem(SCRATCH0, GATE.OPEN), OPEN.NOT, 32);
      code.jump('e', done);
      emitBegin();
      code.mov(VALUE, mem(SCRATCH0, GATE.THRESHOLD));
      code.test(VALUE, VALUE);
      const wanted = result === undefined ? write : new Label();
      code.jump('e', wanted);
      code.add(VALUE, mem(KEPT0, FRAME.CALLTIME));
      code.cmp(ARG5, VALUE);
      code.jump('ae', wanted);
      writer.emitRelease(code);
      code.jmp(done);
      if (result === undefined) return;
      code.bind(wanted);
      code.cmp(mem(SCRATCH0, GATE.RESULTS), 0, 32);
      code.jump('e', write);
      writer.emitReserve(code, EXIT_WORDS + RESULT_WORDS, done);
      emitFields();
      emitResult(code, result);
      writer.emitCommit(code, EXIT_WORDS + RESULT_WORDS);
      code.jmp(done);
    });
    code.cmp(mem(SCRATCH0, GATE.OPEN), OPEN.ALL, 32);
    code.jump('ne', limited);
    emitBegin();
    code.bind(write);
    writer.emitReserve(code, words, done);
    emitFields();
    if (unwound) code.mov(mem(ARG4, EXIT_WORDS * 4), EXIT_UNWOUND, 32);
    writer.emitCommit(code, words);
    code.bind(done);
  }

  /** Leaves the flags at "below" if the frame in KEPT0, which is not free, is dead: the stack is higher now. VALUE is lost. */
  #emitIsDead(code: PortableAssembler): void {
    const alive = new Label();
    code.align(16);
    code.bind(this.#isDead);
    code.mov(VALUE, mem(KEPT0, FRAME.SLOT));
    code.cmp(VALUE, mem(ARG1, BLOCK.STACK_LOW));
    code.jump('b', alive);
    code.cmp(SCRATCH1, mem(ARG1, BLOCK.STACK_HIGH));
    code.jump('ae', alive);
    code.cmp(VALUE, SCRATCH1);
    code.ret();
    code.bind(alive);
    code.clc();
    code.ret();
  }

  /** The frame in KEPT0 ends without a return. `isLast`: it is the last one of those that are left. */
  #emitUnwound(code: PortableAssembler, isLast: boolean): void {
    this.emitExitRecord(code, { unwound: true });
    if (isLast) this.#parts.javascript.emitLeft(code);
    emitGrave(code);
    code.mov(VALUE, mem(KEPT0, FRAME.RETURN));
    code.mov(indexed(ARG1, ARG3, 1, BLOCK.GRAVES + GRAVE.RETURN), VALUE);
    code.mov(VALUE, mem(KEPT0, FRAME.EXIT));
    code.mov(indexed(ARG1, ARG3, 1, BLOCK.GRAVES + GRAVE.EXIT), VALUE);
    code.mov(VALUE, mem(KEPT0, FRAME.SLOT));
    code.mov(indexed(ARG1, ARG3, 1, BLOCK.GRAVES + GRAVE.SLOT), VALUE);
    code.mov(mem(KEPT0, FRAME.SLOT), 0);
  }

  #emitLower(code: PortableAssembler): void {
    code.align(16);
    code.bind(this.lower);
    const done = new Label();
    const again = code.label();
    code.mov(ARG3, mem(ARG1, BLOCK.TOP));
    code.test(ARG3, ARG3);
    code.jump('e', done);
    code.cmp(indexed(ARG1, ARG3, 1, BLOCK.FRAMES - FRAME.BYTES + FRAME.SLOT), 0);
    code.jump('ne', done);
    code.sub(ARG3, FRAME.BYTES);
    code.mov(mem(ARG1, BLOCK.TOP), ARG3);
    code.jump('ne', again);
    code.mov(mem(ARG1, BLOCK.HOLES), 0, 32);
    code.bind(done);
    code.ret();
  }

  /**
   * A search for a place begins at the top. So a frame must not go below another one with its place: that one is dead, and gives
   * its frame, or it is that of a function that has jumped to this one, which then has no frame.
   */
  #emitHole(code: PortableAssembler): void {
    code.align(16);
    code.bind(this.hole);
    const [search, next, dead, found, none, leave] = Array.from({ length: 6 }, () => new Label());
    code.push(KEPT2);
    code.mov(KEPT2, VALUE);
    code.cmp(mem(ARG1, BLOCK.HOLES), 0, 32);
    code.jump('ne', search!);
    code.test(mem(ARG1, BLOCK.TOO_DEEP), CALLS_A_SEARCH - 1, 32);
    code.jump('ne', none!);
    code.unary('inc', mem(ARG1, BLOCK.HOLES), 32);
    code.bind(search!);
    emitFramesEnd(code);
    code.bind(next!);
    code.lea(VALUE, mem(ARG1, BLOCK.FRAMES));
    code.cmp(KEPT0, VALUE);
    code.jump('be', none!);
    code.sub(KEPT0, FRAME.BYTES);
    code.cmp(mem(KEPT0, FRAME.SLOT), 0);
    code.jump('e', found!);
    code.call(this.#isDead);
    code.jump('b', dead!);
    code.cmp(mem(KEPT0, FRAME.SLOT), SCRATCH1);
    code.jump('ne', next!);
    code.cmp(mem(KEPT0, FRAME.EXIT), KEPT2);
    code.jump('e', leave!);
    code.bind(dead!);
    this.#emitUnwound(code, false);
    // There may be more of them.
    code.add(mem(ARG1, BLOCK.HOLES), 2, 32);
    code.bind(found!);
    code.unary('dec', mem(ARG1, BLOCK.HOLES), 32);
    emitRestore(code, [KEPT2]);
    code.ret();
    code.bind(none!);
    code.mov(mem(ARG1, BLOCK.HOLES), 0, 32);
    code.bind(leave!);
    code.xor(KEPT0, KEPT0, 32);
    emitRestore(code, [KEPT2]);
    code.ret();
  }

  #emitExhume(code: PortableAssembler): void {
    code.align(16);
    code.bind(this.exhume);
    const [none, found, next] = [new Label(), new Label(), new Label()];
    code.xor(VALUE, VALUE, 32);
    code.test(ARG1, ARG1);
    code.jump('e', none);
    code.mov(KEPT0, mem(SCRATCH1));
    code.xor(ARG0, ARG0, 32);
    code.mov(ARG3, mem(ARG1, BLOCK.BURIED), 32);
    code.movImmediate(ARG2, GRAVES);
    const again = code.label();
    code.unary('dec', ARG3, 32);
    code.and(ARG3, GRAVES - 1, 32);
    code.mov(VALUE, ARG3);
    code.shift('shl', VALUE, GRAVE_SHIFT);
    code.lea(VALUE, indexed(ARG1, VALUE, 1, BLOCK.GRAVES));
    code.cmp(mem(VALUE, GRAVE.SLOT), SCRATCH1);
    code.jump('ne', next);
    code.cmp(mem(VALUE, GRAVE.EXIT), KEPT0);
    code.jump('e', found);
    if (this.#parts.machine.hasLinkRegister) {
      code.cmp(mem(VALUE, GRAVE.RETURN), KEPT0);
      code.jump('e', found);
    } else {
      // The last one of this place, if none has the exit: the function may have written over its return address before it went
      // there.
      code.test(ARG0, ARG0);
      code.jump('ne', next);
      code.mov(ARG0, VALUE);
    }
    code.bind(next);
    code.unary('dec', ARG2, 32);
    code.jump('ne', again);
    code.mov(VALUE, ARG0);
    code.test(VALUE, VALUE);
    code.jump('ne', found);
    code.bind(none);
    code.ret();
    code.bind(found);
    code.mov(mem(VALUE, GRAVE.SLOT), 0);
    code.mov(VALUE, mem(VALUE, GRAVE.RETURN));
    code.ret();
  }

  #emitRepair(code: PortableAssembler): void {
    code.align(16);
    code.bind(this.repair);
    const done = new Label();
    const dead = new Label();
    const again = code.label();
    code.call(this.lower);
    emitFramesEnd(code, -FRAME.BYTES);
    code.test(ARG3, ARG3);
    code.jump('e', done);
    code.call(this.#isDead);
    code.jump('b', dead);
    // A call has the same place. If the frame's exit is there, its function has jumped to the one that is called now: that call
    // is in it.
    code.cmp(mem(KEPT0, FRAME.SLOT), SCRATCH1);
    code.jump('ne', done);
    const returnAddress = mem(this.#parts.machine.hasLinkRegister ? KEPT1 : SCRATCH1);
    code.mov(VALUE, mem(KEPT0, FRAME.EXIT));
    code.cmp(returnAddress, VALUE);
    code.jump('ne', dead);
    code.cmp(ARG3, MOST_JUMPS * FRAME.BYTES);
    code.jump('b', done);
    code.cmp(indexed(ARG3, ARG1, 1, BLOCK.FRAMES - MOST_JUMPS * FRAME.BYTES + FRAME.SLOT), SCRATCH1);
    code.jump('ne', done);
    // A loop of jumps: the frame is left to the next one. Its return probe is hit when the last function has returned to its
    // exit.
    code.test(mem(KEPT0, FRAME.FLAGS), FRAME_FLAG.PROBED, 8);
    code.jump('ne', done);
    code.mov(VALUE, mem(KEPT0, FRAME.RETURN));
    code.mov(returnAddress, VALUE);
    this.emitExitRecord(code);
    this.#parts.javascript.emitLeft(code);
    code.mov(mem(KEPT0, FRAME.SLOT), 0);
    code.jmp(again);
    code.bind(dead);
    code.call(this.#unwound);
    code.jmp(again);
    code.bind(done);
    code.ret();
  }

  #emitFind(code: PortableAssembler): void {
    code.align(16);
    code.bind(this.find);
    const saved = [KEPT1, KEPT2, KEPT3];
    const [other, done, drop, none] = Array.from({ length: 4 }, () => new Label());
    for (const register of saved) code.push(register);
    const exit = this.#parts.machine.hasLinkRegister ? ARG2 : undefined;
    if (exit !== undefined) code.mov(exit, mem(SCRATCH1));
    code.test(ARG1, ARG1);
    code.jump('e', other!);
    emitSearch(code, other!, exit);

    // What is above the frame.
    code.mov(KEPT1, KEPT0);
    emitFramesEnd(code);
    code.bind(drop!);
    code.sub(KEPT0, FRAME.BYTES);
    code.cmp(KEPT0, KEPT1);
    code.jump('e', done!);
    code.cmp(mem(KEPT0, FRAME.SLOT), 0);
    code.jump('e', drop!);
    code.call(this.#isDead);
    code.jump('ae', drop!);
    code.call(this.#unwound);
    code.unary('inc', mem(ARG1, BLOCK.HOLES), 32);
    code.jmp(drop!);

    // A coroutine may go on in another thread than the one in which it was called.
    code.bind(other!);
    code.mov(KEPT2, ARG1);
    code.mov(ARG1, mem(SCRATCH0, SHARED.CHAIN));
    const block = code.label();
    code.test(ARG1, ARG1);
    code.jump('e', none!);
    const next = new Label();
    const found = new Label();
    emitSearch(code, next, exit);
    code.jmp(found);
    code.bind(next);
    code.mov(ARG1, mem(ARG1, BLOCK.NEXT));
    code.jmp(block);
    code.bind(none!);
    code.xor(KEPT0, KEPT0, 32);
    code.bind(found);
    code.mov(ARG1, KEPT2);
    code.bind(done!);
    emitRestore(code, saved);
    code.ret();
  }
}

/**
 * KEPT0 becomes the next frame below that has a place; goes to `none` behind the last of ARG3 bytes of frames.
 * @returns where the search goes on below that frame
 */
function emitNextAt(code: PortableAssembler, none: Label, place: Register): Label {
  const again = code.label();
  code.sub(ARG3, FRAME.BYTES);
  code.jump('s', none);
  code.sub(KEPT0, FRAME.BYTES);
  code.cmp(mem(KEPT0, FRAME.SLOT), place);
  code.jump('ne', again);
  return again;
}

/**
 * KEPT0 becomes the uppermost frame of the block in ARG1 that has the place in SCRATCH1; goes to `none` if there is none. ARG3 is
 * lost.
 * @param exit what has the frame's exit; absent: the place says enough
 */
function emitSearch(code: PortableAssembler, none: Label, exit: Register | undefined): void {
  emitFramesEnd(code);
  const again = emitNextAt(code, none, SCRATCH1);
  if (exit === undefined) return;
  const found = new Label();
  code.cmp(mem(KEPT0, FRAME.EXIT), exit);
  code.jump('e', found);
  // The host has given the return address back while the function was on its way here.
  code.cmp(mem(KEPT0, FRAME.RETURN), exit);
  code.jump('ne', again);
  code.bind(found);
}

/**
 * VALUE, which stands at `place`, becomes the return address of the caller if it is the exit of a call, also behind jumps to
 * other functions: those calls have the same place, the last one uppermost. Goes on behind the frame at KEPT0, with ARG3 bytes of
 * frames below it; both are lost.
 */
export function emitCallersAddress(code: PortableAssembler, place: Register): void {
  const done = new Label();
  const again = emitNextAt(code, done, place);
  code.cmp(mem(KEPT0, FRAME.EXIT), VALUE);
  code.jump('ne', again);
  code.mov(VALUE, mem(KEPT0, FRAME.RETURN));
  code.jmp(again);
  code.bind(done);
}
