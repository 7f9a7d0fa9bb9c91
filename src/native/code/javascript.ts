import { EXIT_UNWOUND, FTRACE_EVENTS } from '../../events/ftrace-events.js';
import * as fgraph from '../../ftrace/fgraph.js';
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
  mem,
  SCRATCH0,
  SCRATCH1,
  VALUE,
} from '../machine/operands.js';
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
 * What the code of native text does in a process whose JavaScript fentry traces too, in threads that run both: their calls are
 * one graph. Each side has a ring and a shadow stack of its own. They share the words of `Fgraph.state`:
 *
 * - Each record is later than the last one of the other side, by 1 ns at least. So the order of time is the order in which things
 *   happened, whatever two readings of two clocks say.
 * - A call's depth counts the open calls of both sides.
 * - An exception that leaves functions of JavaScript and then a native one is noticed by JavaScript only where it is caught. The
 *   native function's exit is recorded before that: hence it records the exits of the functions above it first.
 *
 * In all parts ARG1 is the block, SCRATCH0 the arena; VALUE is lost.
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
  emitQuiet(code: PortableAssembler, skip: Label): void {
    this.#inJavaScript(code, () => {
      code.cmp(mem(VALUE, word(fgraph.QUIET)), 0, 32);
      code.jump('ne', skip);
    });
  }

  /** ARG5 becomes the time of a record. ARG3 and ARG2 are lost. */
  emitTime(code: PortableAssembler): void {
    emitNow(code);
    this.#inJavaScript(code, () => {
      const later = new Label();
      code.mov(ARG3, mem(VALUE, word(fgraph.STAMP)));
      code.cmp(ARG5, ARG3);
      code.jump('a', later);
      code.lea(ARG5, mem(ARG3, 1));
      code.bind(later);
      code.mov(mem(VALUE, word(fgraph.NATIVE_STAMP)), ARG5);
    });
  }

  /** KEPT1, depth and flags of a new frame, become what they are in the graph of both. ARG2 is lost. */
  emitDepth(code: PortableAssembler): void {
    this.#inJavaScript(code, () => {
      code.mov(KEPT1, mem(VALUE, word(fgraph.NATIVE)), 32);
      emitFrames(code, ARG2);
      code.add(KEPT1, ARG2, 32);
      const marks = { [fgraph.IN_GRAPH]: FRAME_FLAG.IN_GRAPH, [fgraph.IN_NOTRACE]: FRAME_FLAG.IN_NOTRACE };
      for (const [mark, flag] of Object.entries(marks)) {
        const outside = new Label();
        code.cmp(mem(VALUE, word(Number(mark))), 0, 32);
        code.jump('e', outside);
        code.or(KEPT1, flag << FLAGS_SHIFT, 32);
        code.bind(outside);
      }
    });
  }

  /**
   * The frame in KEPT0 was added; KEPT1 is its depth and flags. ARG3 and ARG2 are lost. @param counts whether the calls in it are
   * deeper
   */
  emitEntered(code: PortableAssembler, counts = true): void {
    this.#inJavaScript(code, () => {
      emitFrames(code, ARG2);
      code.mov(mem(KEPT0, FRAME.JS_DEPTH), ARG2, 32);
      code.mov(ARG3, mem(VALUE, word(fgraph.NATIVE)), 32);
      code.mov(mem(KEPT0, FRAME.BEFORE), ARG3, 32);
      code.mov(ARG2, KEPT1, 32);
      code.and(ARG2, fgraph.NATIVE_MARK.IN_GRAPH | fgraph.NATIVE_MARK.IN_NOTRACE, 32);
      code.movzx(ARG3, ARG3, 16);
      code.lea(ARG3, indexed(ARG2, ARG3, 1, counts ? 1 : 0));
      code.mov(mem(VALUE, word(fgraph.NATIVE)), ARG3, 32);
    });
  }

  /** The frame in KEPT0 is going to be removed. ARG3 is lost. */
  emitLeft(code: PortableAssembler): void {
    this.#inJavaScript(code, () => {
      code.mov(ARG3, mem(KEPT0, FRAME.BEFORE), 32);
      code.mov(mem(VALUE, word(fgraph.NATIVE)), ARG3, 32);
    });
  }

  /**
   * The exit of the frame in KEPT0 is going to be recorded; SCRATCH1 is the place of its return address. ARG3, ARG2, ARG0, ARG4,
   * ARG5 are lost.
   */
  emitEndAbove(code: PortableAssembler): void {
    this.#inJavaScript(code, () => {
      const none = new Label();
      emitFrames(code, ARG2);
      code.cmp(ARG2, mem(KEPT0, FRAME.JS_DEPTH), 32);
      code.jump('be', none);
      code.call(this.#end);
      code.bind(none);
    });
  }

  /** Emits what the parts share. */
  emitShared(code: PortableAssembler): void {
    if (!this.isOn) return;
    const writer = this.#writer;
    const saved = [KEPT1, KEPT2, KEPT3];
    const [done, next, write] = Array.from({ length: 3 }, () => new Label());
    code.align(16);
    code.bind(this.#end);
    for (const register of saved) code.push(register);
    // KEPT1: the frames that are open; KEPT2: those that stay.
    emitFrames(code, KEPT1);
    code.mov(KEPT2, mem(KEPT0, FRAME.JS_DEPTH), 32);
    const again = code.label();
    code.cmp(KEPT1, KEPT2, 32);
    code.jump('be', done!);
    code.sub(KEPT1, 1, 32);
    code.mov(ARG2, mem(ARG1, BLOCK.JS_WANTS));
    code.test(indexed(ARG2, KEPT1, 4), WANTS, 32);
    code.jump('e', next!);
    code.mov(ARG2, mem(ARG1, BLOCK.JS_CALLTIMES));
    code.lea(ARG2, indexed(ARG2, KEPT1, 8));
    code.fromDouble(KEPT3, mem(ARG2));
    code.mov(ARG0, mem(ARG1, BLOCK.WRITER));
    writer.emitBegin(code, mem(SCRATCH1), next!);
    this.emitTime(code);
    code.mov(VALUE, mem(SCRATCH0, GATE.THRESHOLD));
    code.test(VALUE, VALUE);
    code.jump('e', write!);
    code.add(VALUE, KEPT3);
    code.cmp(ARG5, VALUE);
    code.jump('ae', write!);
    writer.emitRelease(code);
    code.jmp(next!);
    code.bind(write!);
    writer.emitReserve(code, EXIT_WORDS + 1, next!);
    code.mov(ARG3, mem(ARG1, BLOCK.JS_FUNCTIONS));
    code.mov(ARG3, indexed(ARG3, KEPT1, 4), 32);
    emitFunctionAddress(code, this.#functionTable);
    code.movzx(ARG2, mem(KEPT0, FRAME.BEFORE), 16);
    code.lea(ARG2, indexed(ARG2, KEPT1, 1, 1));
    emitRecord(code, exitEvent, { func: ARG3, depth: ARG2, overrun: 0, calltime: KEPT3, rettime: ARG5 });
    code.mov(mem(ARG4, EXIT_WORDS * 4), EXIT_UNWOUND, 32);
    writer.emitCommit(code, EXIT_WORDS + 1);
    code.bind(next!);
    code.jmp(again);
    code.bind(done!);
    code.mov(VALUE, mem(ARG1, BLOCK.JS_STATE));
    code.mov(mem(VALUE, word(fgraph.UNWOUND_TO)), KEPT2, 32);
    code.or(mem(VALUE, word(fgraph.BUSY)), fgraph.UNWOUND, 32);
    emitRestore(code, saved);
    code.ret();
    code.emitAsides();
  }

  /** Emits code for threads that run JavaScript: VALUE is the state of its shadow stack. */
  #inJavaScript(code: PortableAssembler, emit: () => void): void {
    if (!this.isOn) return;
    const other = new Label();
    code.mov(VALUE, mem(ARG1, BLOCK.JS_STATE));
    code.test(VALUE, VALUE);
    code.jump('e', other);
    emit();
    code.bind(other);
  }
}

/**
 * A register becomes the number of frames of JavaScript that are open and not seen to have ended. VALUE is the state of its
 * shadow stack.
 */
function emitFrames(code: PortableAssembler, to: typeof ARG2): void {
  const few = new Label();
  const all = new Label();
  code.mov(to, mem(VALUE, word(fgraph.TOP)), 32);
  code.and(to, fgraph.FRAME_MASK, 32);
  code.test(mem(VALUE, word(fgraph.BUSY)), fgraph.UNWOUND, 32);
  code.jump('e', all);
  code.cmp(to, mem(VALUE, word(fgraph.UNWOUND_TO)), 32);
  code.jump('be', all);
  code.mov(to, mem(VALUE, word(fgraph.UNWOUND_TO)), 32);
  code.bind(all);
  code.cmp(to, MOST_FRAMES, 32);
  code.jump('be', few);
  code.movImmediate(to, MOST_FRAMES);
  code.bind(few);
}
