import { PROFILE_ROW } from '../../ftrace/integer-profile.js';
import type { PortableAssembler } from '../machine/assembler.js';
import { ARG0, ARG1, ARG2, ARG3, ARG5, indexed, KEPT0, Label, mem, SCRATCH0, SCRATCH1, SP, VALUE } from '../machine/operands.js';
import { BLOCK, FRAME, FRAME_FLAG, GATE, PROFILE_MODE } from './arena.js';
import { emitNow } from './clock.js';
import { emitRestore } from './trampoline-end.js';

const ROW_SHIFT = Math.log2(PROFILE_ROW.BYTES);
const CLOCK_THREAD_CPUTIME_ID = 3;
const SECOND = 1e9;
const TIMESPEC_BYTES = 16;

/**
 * The function profiler (kernel/trace/ftrace.c). What is counted belongs to one thread, and each count changes in one
 * instruction, or in two that are joined by the carry flag: a signal handler that comes between them, and counts too, changes
 * nothing. Registers: ARG1 the block, SCRATCH0 the arena.
 */

/** Counts a call of the function whose number is in ARG3. ARG3, ARG0 are lost. */
export function emitProfileHit(code: PortableAssembler): void {
  const done = new Label();
  code.mov(ARG0, mem(ARG1, BLOCK.PROFILE));
  code.test(ARG0, ARG0);
  code.jump('e', done);
  code.shift('shl', ARG3, ROW_SHIFT);
  code.unary('inc', indexed(ARG0, ARG3, 1, PROFILE_ROW.HITS));
  code.bind(done);
}

/**
 * The call of the function whose number is in ARG3, with its frame in KEPT0, is measured from now on. VALUE, ARG3, ARG2, ARG0,
 * ARG5 are lost.
 */
export function emitProfileEntry(code: PortableAssembler): void {
  const timed = new Label();
  code.mov(mem(KEPT0, FRAME.NUMBER), ARG3, 32);
  code.mov(mem(KEPT0, FRAME.SUBTIME), 0);
  const ran = code.aside(() => {
    code.arithmetic('or', mem(KEPT0, FRAME.FLAGS), FRAME_FLAG.RUN_TIME, 8);
    emitRunTime(code);
    code.jmp(timed);
  });
  code.test(mem(SCRATCH0, GATE.PROFILE), PROFILE_MODE.RUN_TIME, 32);
  code.jump('ne', ran);
  emitNow(code);
  code.bind(timed);
  code.mov(mem(KEPT0, FRAME.CALLTIME), ARG5);
  code.arithmetic('or', mem(KEPT0, FRAME.FLAGS), FRAME_FLAG.PROFILED, 8);
}

/**
 * Emits what counts the time of the call whose frame is in KEPT0 (profile_graph_return): ARG5 is the time of its end. VALUE,
 * ARG3, ARG2, ARG0, ARG5 are lost.
 */
export function emitProfileExit(code: PortableAssembler, start: Label): void {
  const [timed, count, none] = [new Label(), new Label(), new Label()];
  code.align(16);
  code.bind(start);
  code.arithmetic('and', mem(KEPT0, FRAME.FLAGS), ~FRAME_FLAG.PROFILED & 0x7f, 8);
  code.mov(ARG0, mem(ARG1, BLOCK.PROFILE));
  code.test(ARG0, ARG0);
  code.jump('e', none);
  code.test(mem(KEPT0, FRAME.FLAGS), FRAME_FLAG.RUN_TIME, 8);
  code.jump('e', timed);
  code.push(ARG0);
  emitRunTime(code);
  code.pop(ARG0);
  code.bind(timed);
  code.sub(ARG5, mem(KEPT0, FRAME.CALLTIME));
  const own = code.aside(() => {
    emitSubtime(code);
    code.jmp(count);
  });
  code.test(mem(SCRATCH0, GATE.PROFILE), PROFILE_MODE.OWN_TIME, 32);
  code.jump('ne', own);
  code.bind(count);
  code.mov(ARG3, mem(KEPT0, FRAME.NUMBER), 32);
  code.shift('shl', ARG3, ROW_SHIFT);
  code.lea(ARG3, indexed(ARG0, ARG3));
  code.add(mem(ARG3, PROFILE_ROW.TIME), ARG5);
  code.mov(VALUE, ARG5);
  code.unary('mul', ARG5);
  code.add(mem(ARG3, PROFILE_ROW.SQUARES_LOW), VALUE);
  code.arithmetic('adc', mem(ARG3, PROFILE_ROW.SQUARES_HIGH), ARG2);
  code.bind(none);
  code.ret();
}

/** Takes the time of profiled calls inside from that in ARG5, which counts as such for the caller. VALUE, ARG2 are lost. */
function emitSubtime(code: PortableAssembler): void {
  const [again, around, less] = [new Label(), new Label(), new Label()];
  code.mov(ARG2, KEPT0);
  code.lea(VALUE, mem(ARG1, BLOCK.FRAMES));
  code.bind(again);
  code.sub(ARG2, FRAME.BYTES);
  code.cmp(ARG2, VALUE);
  code.jump('b', around);
  code.test(mem(ARG2, FRAME.FLAGS), FRAME_FLAG.PROFILED, 8);
  code.jump('e', again);
  // That of another stack, or a free one.
  code.cmp(mem(ARG2, FRAME.SLOT), SCRATCH1);
  code.jump('b', again);
  code.add(mem(ARG2, FRAME.SUBTIME), ARG5);
  code.bind(around);
  code.sub(ARG5, mem(KEPT0, FRAME.SUBTIME));
  code.jump('ae', less);
  code.xor(ARG5, ARG5, 32);
  code.bind(less);
}

/** ARG5 becomes the time that the thread has run, in ns. VALUE, ARG3, ARG2, ARG0 are lost. */
function emitRunTime(code: PortableAssembler): void {
  const [failed, done] = [new Label(), new Label()];
  // A system call changes ARG3 and SCRATCH1.
  const saved = [ARG1, SCRATCH1];
  for (const register of saved) code.push(register);
  code.sub(SP, TIMESPEC_BYTES);
  code.movImmediate(ARG0, CLOCK_THREAD_CPUTIME_ID);
  code.mov(ARG1, SP);
  code.systemCall('clock_gettime');
  code.test(VALUE, VALUE, 32);
  code.jump('ne', failed);
  code.imulBy(ARG5, mem(SP), SECOND);
  code.add(ARG5, mem(SP, 8));
  code.jmp(done);
  code.bind(failed);
  code.xor(ARG5, ARG5, 32);
  code.bind(done);
  code.add(SP, TIMESPEC_BYTES);
  emitRestore(code, saved);
}
