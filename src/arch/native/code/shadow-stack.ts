import { EXIT_REGISTER, EXIT_UNWOUND, FTRACE_EVENTS } from '../../../events/ftrace-events.js';
import type { Assembler } from '../machine/assembler.js';
import {
  indexed,
  Label,
  type Memory,
  mem,
  R8,
  R9,
  R10,
  R11,
  R12,
  R13,
  R14,
  RAX,
  RBX,
  RCX,
  RDI,
  RDX,
  type Register,
  RSI,
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

/** rbx becomes the address of the frame behind the last one of the block in rsi, plus `disp`. rcx becomes the frames' bytes. */
export function emitFramesEnd(code: Assembler, disp = 0): void {
  code.mov(RCX, mem(RSI, BLOCK.TOP));
  code.lea(RBX, indexed(RCX, RSI, 1, BLOCK.FRAMES + disp));
}

/** What an exit's record has. */
interface ExitOptions {
  /** The call was left by an exception or by longjmp. */
  readonly unwound?: boolean;
  /** r9 is the time. */
  readonly hasTime?: boolean;
  /** Where the register is that has what the function returned; absent: it is not known. */
  readonly result?: Memory | undefined;
}

/** Flags, a length, the 64 bits of the register, and two bytes of nothing. */
const RESULT_WORDS = 3;
const RESULT_HEAD = EXIT_REGISTER | (8 << 8);

/** Writes what was returned behind the fields of an exit whose record begins at r8. rax is lost. */
function emitResult(code: Assembler, result: Memory): void {
  code.mov(RAX, result);
  code.shift('shl', RAX, 16);
  code.or(RAX, RESULT_HEAD);
  code.mov(mem(R8, EXIT_WORDS * 4), RAX);
  code.mov(RAX, result);
  code.shift('shr', RAX, 48);
  code.mov(mem(R8, EXIT_WORDS * 4 + 8), RAX, 32);
}

/**
 * The shadow stack: the calls of a thread whose return goes through a thunk, found by the place of their return address. A frame is left without a
 * return when longjmp, an exception or the end of a coroutine passes it by. Such a frame is dropped when its place and the present one are both
 * on the thread's own stack and its is below, or when another call has the same place. Frames of other stacks stay: the coroutine may go on.
 * Of a dropped frame the return address is kept, because the thread's own stack may hold other stacks.
 *
 * Registers in all parts: rsi the block, r10 the arena, r11 the place of the present return address.
 */
export class ShadowStackCode {
  /** Removes dead frames from the top. On machines with a link register r12 is where the return address is. rax, rbx, rcx, rdx, rdi, r8, r9 are lost. */
  readonly repair = new Label();
  /** rbx becomes the frame with the place in r11, and with the exit there, 0 if there is none; what is above it and dead is dropped. Same registers. */
  readonly find = new Label();
  /** Removes free frames from the top. rax, rcx are lost. */
  readonly lower = new Label();
  /** rbx becomes a free frame below the top, 0 if there is none. rax, rcx are lost. */
  readonly hole = new Label();
  /** rax becomes the return address for the place in r11 of a frame that was dropped too early; 0: there is none. rbx, rcx, rdx, rdi are lost. */
  readonly exhume = new Label();
  readonly #parts: CodeParts;
  readonly #isDead = new Label();
  readonly #profiled = new Label();
  readonly #unwound = new Label();

  constructor(parts: CodeParts) {
    this.#parts = parts;
  }

  emitShared(code: Assembler): void {
    this.#emitIsDead(code);
    this.#emitUnwound(code);
    this.#emitLower(code);
    this.#emitRepair(code);
    this.#emitFind(code);
    this.#emitHole(code);
    this.#emitExhume(code);
    emitProfileExit(code, this.#profiled);
    code.emitAsides();
  }

  /** Writes the exit record of the frame in rbx, or profiles its call: its flags say what is due; r9 becomes the time. rdi, r8, rax, rcx, rdx are lost. */
  emitExitRecord(code: Assembler, { unwound = false, hasTime = false, result }: ExitOptions = {}): void {
    const { writer, javascript } = this.#parts;
    const done = new Label();
    const write = new Label();
    const words = unwound ? EXIT_WORDS + 1 : EXIT_WORDS;
    const unrecorded = code.aside(() => {
      code.test(mem(RBX, FRAME.FLAGS), FRAME_FLAG.PROFILED, 8);
      code.jump('e', done);
      if (!hasTime) emitNow(code);
      code.call(this.#profiled);
      code.jmp(done);
    });
    code.test(mem(RBX, FRAME.FLAGS), FRAME_FLAG.RECORDED, 8);
    code.jump('e', unrecorded);
    // Whatever interrupts this: the record is not written twice.
    code.arithmetic('and', mem(RBX, FRAME.FLAGS), ~FRAME_FLAG.RECORDED & 0x7f, 8);
    const emitBegin = (): void => {
      code.cmp(mem(RSI, BLOCK.IGNORED), 0, 32);
      code.jump('ne', done);
      javascript.emitEndAbove(code);
      code.mov(RDI, mem(RSI, BLOCK.WRITER));
      writer.emitBegin(code, mem(R11), done);
      if (!hasTime) javascript.emitTime(code);
    };
    const emitFields = (): void => {
      code.movzx(RDX, mem(RBX, FRAME.DEPTH), 16);
      emitRecord(code, exitEvent, {
        func: mem(RBX, FRAME.IP),
        depth: RDX,
        overrun: mem(RSI, BLOCK.TOO_DEEP),
        calltime: mem(RBX, FRAME.CALLTIME),
        rettime: R9,
      });
    };
    const limited = code.aside(() => {
      code.cmp(mem(R10, GATE.OPEN), OPEN.NOT, 32);
      code.jump('e', done);
      emitBegin();
      code.mov(RAX, mem(R10, GATE.THRESHOLD));
      code.test(RAX, RAX);
      const wanted = result === undefined ? write : new Label();
      code.jump('e', wanted);
      code.add(RAX, mem(RBX, FRAME.CALLTIME));
      code.cmp(R9, RAX);
      code.jump('ae', wanted);
      writer.emitRelease(code);
      code.jmp(done);
      if (result === undefined) return;
      code.bind(wanted);
      code.cmp(mem(R10, GATE.RESULTS), 0, 32);
      code.jump('e', write);
      writer.emitReserve(code, EXIT_WORDS + RESULT_WORDS, done);
      emitFields();
      emitResult(code, result);
      writer.emitCommit(code, EXIT_WORDS + RESULT_WORDS);
      code.jmp(done);
    });
    code.cmp(mem(R10, GATE.OPEN), OPEN.ALL, 32);
    code.jump('ne', limited);
    emitBegin();
    code.bind(write);
    writer.emitReserve(code, words, done);
    emitFields();
    if (unwound) code.mov(mem(R8, EXIT_WORDS * 4), EXIT_UNWOUND, 32);
    writer.emitCommit(code, words);
    code.bind(done);
  }

  /** Leaves the flags at "below" if the frame in rbx is free, or dead because the stack is higher now. rax is lost. */
  #emitIsDead(code: Assembler): void {
    const alive = new Label();
    code.align(16);
    code.bind(this.#isDead);
    code.mov(RAX, mem(RBX, FRAME.SLOT));
    code.cmp(RAX, 1);
    const leave = new Label();
    code.jump('b', leave);
    code.cmp(RAX, mem(RSI, BLOCK.STACK_LOW));
    code.jump('b', alive);
    code.cmp(R11, mem(RSI, BLOCK.STACK_HIGH));
    code.jump('ae', alive);
    code.cmp(RAX, R11);
    code.bind(leave);
    code.ret();
    code.bind(alive);
    code.clc();
    code.ret();
  }

  /** The frame in rbx ends without a return. */
  #emitUnwound(code: Assembler): void {
    code.align(16);
    code.bind(this.#unwound);
    this.emitExitRecord(code, { unwound: true });
    this.#parts.javascript.emitLeft(code);
    code.mov(RCX, mem(RSI, BLOCK.BURIED), 32);
    code.lea(RAX, mem(RCX, 1));
    code.mov(mem(RSI, BLOCK.BURIED), RAX, 32);
    code.and(RCX, GRAVES - 1, 32);
    code.shift('shl', RCX, GRAVE_SHIFT);
    code.mov(RAX, mem(RBX, FRAME.RETURN));
    code.mov(indexed(RSI, RCX, 1, BLOCK.GRAVES + GRAVE.RETURN), RAX);
    code.mov(RAX, mem(RBX, FRAME.EXIT));
    code.mov(indexed(RSI, RCX, 1, BLOCK.GRAVES + GRAVE.EXIT), RAX);
    code.mov(RAX, mem(RBX, FRAME.SLOT));
    code.mov(indexed(RSI, RCX, 1, BLOCK.GRAVES + GRAVE.SLOT), RAX);
    code.mov(mem(RBX, FRAME.SLOT), 0);
    code.ret();
  }

  #emitLower(code: Assembler): void {
    code.align(16);
    code.bind(this.lower);
    const done = new Label();
    const again = code.label();
    code.mov(RCX, mem(RSI, BLOCK.TOP));
    code.test(RCX, RCX);
    code.jump('e', done);
    code.cmp(indexed(RSI, RCX, 1, BLOCK.FRAMES - FRAME.BYTES + FRAME.SLOT), 0);
    code.jump('ne', done);
    code.sub(RCX, FRAME.BYTES);
    code.mov(mem(RSI, BLOCK.TOP), RCX);
    code.jump('ne', again);
    code.mov(mem(RSI, BLOCK.HOLES), 0, 32);
    code.bind(done);
    code.ret();
  }

  #emitHole(code: Assembler): void {
    code.align(16);
    code.bind(this.hole);
    const none = new Label();
    const found = new Label();
    code.cmp(mem(RSI, BLOCK.HOLES), 0, 32);
    code.jump('e', none);
    emitFramesEnd(code);
    const again = code.label();
    code.sub(RBX, FRAME.BYTES);
    code.cmp(mem(RBX, FRAME.SLOT), 0);
    code.jump('e', found);
    code.sub(RCX, FRAME.BYTES);
    code.jump('ne', again);
    code.mov(mem(RSI, BLOCK.HOLES), 0, 32);
    code.bind(none);
    code.xor(RBX, RBX, 32);
    code.ret();
    code.bind(found);
    code.unary('dec', mem(RSI, BLOCK.HOLES), 32);
    code.ret();
  }

  #emitExhume(code: Assembler): void {
    code.align(16);
    code.bind(this.exhume);
    const [none, found, next] = [new Label(), new Label(), new Label()];
    code.xor(RAX, RAX, 32);
    code.test(RSI, RSI);
    code.jump('e', none);
    code.mov(RBX, mem(R11));
    code.xor(RDI, RDI, 32);
    code.mov(RCX, mem(RSI, BLOCK.BURIED), 32);
    code.movImmediate(RDX, GRAVES);
    const again = code.label();
    code.unary('dec', RCX, 32);
    code.and(RCX, GRAVES - 1, 32);
    code.mov(RAX, RCX);
    code.shift('shl', RAX, GRAVE_SHIFT);
    code.lea(RAX, indexed(RSI, RAX, 1, BLOCK.GRAVES));
    code.cmp(mem(RAX, GRAVE.SLOT), R11);
    code.jump('ne', next);
    code.cmp(mem(RAX, GRAVE.EXIT), RBX);
    code.jump('e', found);
    if (this.#parts.machine.hasLinkRegister) {
      code.cmp(mem(RAX, GRAVE.RETURN), RBX);
      code.jump('e', found);
    } else {
      // The last one of this place, if none has the exit: the function may have written over its return address before it went there.
      code.test(RDI, RDI);
      code.jump('ne', next);
      code.mov(RDI, RAX);
    }
    code.bind(next);
    code.unary('dec', RDX, 32);
    code.jump('ne', again);
    code.mov(RAX, RDI);
    code.test(RAX, RAX);
    code.jump('ne', found);
    code.bind(none);
    code.ret();
    code.bind(found);
    code.mov(mem(RAX, GRAVE.SLOT), 0);
    code.mov(RAX, mem(RAX, GRAVE.RETURN));
    code.ret();
  }

  #emitRepair(code: Assembler): void {
    code.align(16);
    code.bind(this.repair);
    const done = new Label();
    const dead = new Label();
    const again = code.label();
    code.call(this.lower);
    emitFramesEnd(code, -FRAME.BYTES);
    code.test(RCX, RCX);
    code.jump('e', done);
    code.call(this.#isDead);
    code.jump('b', dead);
    // A call has the same place: the frame's function has ended, in a jump to the one that is called now if its exit is there.
    code.cmp(mem(RBX, FRAME.SLOT), R11);
    code.jump('ne', done);
    const returnAddress = mem(this.#parts.machine.hasLinkRegister ? R12 : R11);
    code.mov(RAX, mem(RBX, FRAME.EXIT));
    code.cmp(returnAddress, RAX);
    code.jump('ne', dead);
    // Its return probe is hit when the other function has returned to its exit.
    code.test(mem(RBX, FRAME.FLAGS), FRAME_FLAG.PROBED, 8);
    code.jump('ne', done);
    code.mov(RAX, mem(RBX, FRAME.RETURN));
    code.mov(returnAddress, RAX);
    this.emitExitRecord(code);
    this.#parts.javascript.emitLeft(code);
    code.mov(mem(RBX, FRAME.SLOT), 0);
    code.jmp(again);
    code.bind(dead);
    code.call(this.#unwound);
    code.jmp(again);
    code.bind(done);
    code.ret();
  }

  #emitFind(code: Assembler): void {
    code.align(16);
    code.bind(this.find);
    const saved = [R12, R13, R14];
    const [other, done, drop, none] = Array.from({ length: 4 }, () => new Label());
    for (const register of saved) code.push(register);
    const exit = this.#parts.machine.hasLinkRegister ? RDX : undefined;
    if (exit !== undefined) code.mov(exit, mem(R11));
    code.test(RSI, RSI);
    code.jump('e', other!);
    emitSearch(code, other!, { exit });

    // What is above the frame.
    code.mov(R12, RBX);
    emitFramesEnd(code);
    code.bind(drop!);
    code.sub(RBX, FRAME.BYTES);
    code.cmp(RBX, R12);
    code.jump('e', done!);
    code.call(this.#isDead);
    code.jump('ae', drop!);
    code.call(this.#unwound);
    code.jmp(drop!);

    // A coroutine may go on in another thread than the one in which it was called.
    code.bind(other!);
    code.mov(R13, RSI);
    code.mov(RSI, mem(R10, SHARED.CHAIN));
    const block = code.label();
    code.test(RSI, RSI);
    code.jump('e', none!);
    const next = new Label();
    const found = new Label();
    emitSearch(code, next, { exit });
    code.jmp(found);
    code.bind(next);
    code.mov(RSI, mem(RSI, BLOCK.NEXT));
    code.jmp(block);
    code.bind(none!);
    code.xor(RBX, RBX, 32);
    code.bind(found);
    code.mov(RSI, R13);
    code.bind(done!);
    emitRestore(code, saved);
    code.ret();
  }
}

/** What registers have of the frame that is searched. */
interface Searched {
  readonly place?: Register;
  /** Absent: the place says enough. */
  readonly exit?: Register | undefined;
}

/** rbx becomes the uppermost frame of the block in rsi that has a place; goes to `none` if there is none. rcx is lost. */
export function emitSearch(code: Assembler, none: Label, { place = R11, exit }: Searched = {}): void {
  emitFramesEnd(code);
  const again = code.label();
  code.sub(RCX, FRAME.BYTES);
  code.jump('s', none);
  code.sub(RBX, FRAME.BYTES);
  code.cmp(mem(RBX, FRAME.SLOT), place);
  code.jump('ne', again);
  if (exit === undefined) return;
  const found = new Label();
  code.cmp(mem(RBX, FRAME.EXIT), exit);
  code.jump('e', found);
  // The host has given the return address back while the function was on its way here.
  code.cmp(mem(RBX, FRAME.RETURN), exit);
  code.jump('ne', again);
  code.bind(found);
}
