import { EXIT_UNWOUND, FTRACE_EVENTS } from '../../../events/ftrace-events.js';
import * as fgraph from '../../../ftrace/fgraph.js';
import type { Assembler } from '../machine/assembler.js';
import { indexed, Label, mem, R8, R9, R10, R11, R12, R13, R14, RAX, RBX, RCX, RDI, RDX, RSI } from '../machine/operands.js';
import { BLOCK, FRAME, FRAME_FLAG, GATE } from './arena.js';
import { emitNow } from './clock.js';
import { emitFunctionAddress } from './function-address.js';
import { emitRecord, recordWords } from './record-code.js';
import type { RingWriterCode } from './ring-writer.js';
import { emitRestore } from './trampoline-end.js';

const exitEvent = FTRACE_EVENTS.funcgraph_exit;
const EXIT_WORDS = recordWords(exitEvent);
/** A byte offset in the state of a thread's shadow stack. */
const word = (index: number): number => index * 4;
/** Depth and flags of a frame are one word in the emitted code: depth below, flags above. */
const FLAGS_SHIFT = (FRAME.FLAGS - FRAME.DEPTH) * 8;
/** Frames of JavaScript count up to here, so that the depth of native calls in them fits into 16 bits. */
const MOST_FRAMES = 0x7fff;
const WANTS = fgraph.WANTS_FAST | fgraph.WANTS_TRACER;

/**
 * What the code of native text does in a process whose JavaScript fentry traces too, in threads that run both: their calls are one graph.
 * Each side has a ring and a shadow stack of its own. They share the words of `Fgraph.state`:
 *
 * - Each record is later than the last one of the other side, by 1 ns at least. So the order of time is the order in which things happened,
 *   whatever two readings of two clocks say.
 * - A call's depth counts the open calls of both sides.
 * - An exception that leaves functions of JavaScript and then a native one is noticed by JavaScript only where it is caught. The native function's
 *   exit is recorded before that: hence it records the exits of the functions above it first.
 *
 * In all parts rsi is the block, r10 the arena; rax is lost.
 */
export class JavaScriptCode {
  readonly #writer: RingWriterCode;
  readonly #functionTable: number;
  readonly isOn: boolean;
  readonly #end = new Label();

  /** @param isOn no thread runs JavaScript that is traced: nothing is emitted */
  constructor(writer: RingWriterCode, functionTable: number, isOn: boolean) {
    this.#writer = writer;
    this.#functionTable = functionTable;
    this.isOn = isOn;
  }

  /** Goes to `skip` while fentry's own JavaScript runs, which calls native functions too. */
  emitQuiet(code: Assembler, skip: Label): void {
    this.#inJavaScript(code, () => {
      code.cmp(mem(RAX, word(fgraph.QUIET)), 0, 32);
      code.jump('ne', skip);
    });
  }

  /** r9 becomes the time of a record. rcx and rdx are lost. */
  emitTime(code: Assembler): void {
    emitNow(code);
    this.#inJavaScript(code, () => {
      const later = new Label();
      code.mov(RCX, mem(RAX, word(fgraph.STAMP)));
      code.cmp(R9, RCX);
      code.jump('a', later);
      code.lea(R9, mem(RCX, 1));
      code.bind(later);
      code.mov(mem(RAX, word(fgraph.NATIVE_STAMP)), R9);
    });
  }

  /** r12d, depth and flags of a new frame, become what they are in the graph of both. rdx is lost. */
  emitDepth(code: Assembler): void {
    this.#inJavaScript(code, () => {
      code.mov(R12, mem(RAX, word(fgraph.NATIVE)), 32);
      emitFrames(code, RDX);
      code.add(R12, RDX, 32);
      const marks = { [fgraph.IN_GRAPH]: FRAME_FLAG.IN_GRAPH, [fgraph.IN_NOTRACE]: FRAME_FLAG.IN_NOTRACE };
      for (const [mark, flag] of Object.entries(marks)) {
        const outside = new Label();
        code.cmp(mem(RAX, word(Number(mark))), 0, 32);
        code.jump('e', outside);
        code.or(R12, flag << FLAGS_SHIFT, 32);
        code.bind(outside);
      }
    });
  }

  /** The frame in rbx was added; r12d is its depth and flags. rcx and rdx are lost. @param counts whether the calls in it are deeper */
  emitEntered(code: Assembler, counts = true): void {
    this.#inJavaScript(code, () => {
      emitFrames(code, RDX);
      code.mov(mem(RBX, FRAME.JS_DEPTH), RDX, 32);
      code.mov(RCX, mem(RAX, word(fgraph.NATIVE)), 32);
      code.mov(mem(RBX, FRAME.BEFORE), RCX, 32);
      code.mov(RDX, R12, 32);
      code.and(RDX, fgraph.NATIVE_MARK.IN_GRAPH | fgraph.NATIVE_MARK.IN_NOTRACE, 32);
      code.movzx(RCX, RCX, 16);
      code.lea(RCX, indexed(RDX, RCX, 1, counts ? 1 : 0));
      code.mov(mem(RAX, word(fgraph.NATIVE)), RCX, 32);
    });
  }

  /** The frame in rbx is going to be removed. rcx is lost. */
  emitLeft(code: Assembler): void {
    this.#inJavaScript(code, () => {
      code.mov(RCX, mem(RBX, FRAME.BEFORE), 32);
      code.mov(mem(RAX, word(fgraph.NATIVE)), RCX, 32);
    });
  }

  /** The exit of the frame in rbx is going to be recorded; r11 is the place of its return address. rcx, rdx, rdi, r8, r9 are lost. */
  emitEndAbove(code: Assembler): void {
    this.#inJavaScript(code, () => {
      const none = new Label();
      emitFrames(code, RDX);
      code.cmp(RDX, mem(RBX, FRAME.JS_DEPTH), 32);
      code.jump('be', none);
      code.call(this.#end);
      code.bind(none);
    });
  }

  /** Emits what the parts share. */
  emitShared(code: Assembler): void {
    if (!this.isOn) return;
    const writer = this.#writer;
    const saved = [R12, R13, R14];
    const [done, next, write] = Array.from({ length: 3 }, () => new Label());
    code.align(16);
    code.bind(this.#end);
    for (const register of saved) code.push(register);
    // r12: the frames that are open; r13: those that stay.
    emitFrames(code, R12);
    code.mov(R13, mem(RBX, FRAME.JS_DEPTH), 32);
    const again = code.label();
    code.cmp(R12, R13, 32);
    code.jump('be', done!);
    code.sub(R12, 1, 32);
    code.mov(RDX, mem(RSI, BLOCK.JS_WANTS));
    code.test(indexed(RDX, R12, 4), WANTS, 32);
    code.jump('e', next!);
    code.mov(RDX, mem(RSI, BLOCK.JS_CALLTIMES));
    code.lea(RDX, indexed(RDX, R12, 8));
    code.fromDouble(R14, mem(RDX));
    code.mov(RDI, mem(RSI, BLOCK.WRITER));
    writer.emitBegin(code, mem(R11), next!);
    this.emitTime(code);
    code.mov(RAX, mem(R10, GATE.THRESHOLD));
    code.test(RAX, RAX);
    code.jump('e', write!);
    code.add(RAX, R14);
    code.cmp(R9, RAX);
    code.jump('ae', write!);
    writer.emitRelease(code);
    code.jmp(next!);
    code.bind(write!);
    writer.emitReserve(code, EXIT_WORDS + 1, next!);
    code.mov(RCX, mem(RSI, BLOCK.JS_FUNCTIONS));
    code.mov(RCX, indexed(RCX, R12, 4), 32);
    emitFunctionAddress(code, this.#functionTable);
    code.movzx(RDX, mem(RBX, FRAME.BEFORE), 16);
    code.lea(RDX, indexed(RDX, R12, 1, 1));
    emitRecord(code, exitEvent, { func: RCX, depth: RDX, overrun: 0, calltime: R14, rettime: R9 });
    code.mov(mem(R8, EXIT_WORDS * 4), EXIT_UNWOUND, 32);
    writer.emitCommit(code, EXIT_WORDS + 1);
    code.bind(next!);
    code.jmp(again);
    code.bind(done!);
    code.mov(RAX, mem(RSI, BLOCK.JS_STATE));
    code.mov(mem(RAX, word(fgraph.UNWOUND_TO)), R13, 32);
    code.or(mem(RAX, word(fgraph.BUSY)), fgraph.UNWOUND, 32);
    emitRestore(code, saved);
    code.ret();
    code.emitAsides();
  }

  /** Emits code for threads that run JavaScript: rax is the state of its shadow stack. */
  #inJavaScript(code: Assembler, emit: () => void): void {
    if (!this.isOn) return;
    const other = new Label();
    code.mov(RAX, mem(RSI, BLOCK.JS_STATE));
    code.test(RAX, RAX);
    code.jump('e', other);
    emit();
    code.bind(other);
  }
}

/** A register becomes the number of frames of JavaScript that are open and not seen to have ended. rax is the state of its shadow stack. */
function emitFrames(code: Assembler, to: typeof RDX): void {
  const few = new Label();
  const all = new Label();
  code.mov(to, mem(RAX, word(fgraph.TOP)), 32);
  code.and(to, fgraph.FRAME_MASK, 32);
  code.test(mem(RAX, word(fgraph.BUSY)), fgraph.UNWOUND, 32);
  code.jump('e', all);
  code.cmp(to, mem(RAX, word(fgraph.UNWOUND_TO)), 32);
  code.jump('be', all);
  code.mov(to, mem(RAX, word(fgraph.UNWOUND_TO)), 32);
  code.bind(all);
  code.cmp(to, MOST_FRAMES, 32);
  code.jump('be', few);
  code.movImmediate(to, MOST_FRAMES);
  code.bind(few);
}
