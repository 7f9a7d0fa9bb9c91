import { PROFILE_ROW } from '../../../ftrace/integer-profile.js';
import type { Assembler } from '../machine/assembler.js';
import { indexed, Label, mem, R9, R10, R11, RAX, RBX, RCX, RDI, RDX, RSI, RSP } from '../machine/operands.js';
import { BLOCK, FRAME, FRAME_FLAG, GATE, PROFILE_MODE } from './arena.js';
import { emitNow } from './clock.js';
import { emitRestore } from './trampoline-end.js';

const ROW_SHIFT = Math.log2(PROFILE_ROW.BYTES);
const CLOCK_THREAD_CPUTIME_ID = 3;
const SECOND = 1e9;
const TIMESPEC_BYTES = 16;

/**
 * The function profiler (kernel/trace/ftrace.c). What is counted belongs to one thread, and each count changes in one instruction, or in two that are
 * joined by the carry flag: a signal handler that comes between them, and counts too, changes nothing. Registers: rsi the block, r10 the arena.
 */

/** Counts a call of the function whose number is in ecx. rcx, rdi are lost. */
export function emitProfileHit(code: Assembler): void {
  const done = new Label();
  code.mov(RDI, mem(RSI, BLOCK.PROFILE));
  code.test(RDI, RDI);
  code.jump('e', done);
  code.shift('shl', RCX, ROW_SHIFT);
  code.unary('inc', indexed(RDI, RCX, 1, PROFILE_ROW.HITS));
  code.bind(done);
}

/** The call of the function whose number is in ecx, with its frame in rbx, is measured from now on. rax, rcx, rdx, rdi, r9 are lost. */
export function emitProfileEntry(code: Assembler): void {
  const timed = new Label();
  code.mov(mem(RBX, FRAME.NUMBER), RCX, 32);
  code.mov(mem(RBX, FRAME.SUBTIME), 0);
  const ran = code.aside(() => {
    code.arithmetic('or', mem(RBX, FRAME.FLAGS), FRAME_FLAG.RUN_TIME, 8);
    emitRunTime(code);
    code.jmp(timed);
  });
  code.test(mem(R10, GATE.PROFILE), PROFILE_MODE.RUN_TIME, 32);
  code.jump('ne', ran);
  emitNow(code);
  code.bind(timed);
  code.mov(mem(RBX, FRAME.CALLTIME), R9);
  code.arithmetic('or', mem(RBX, FRAME.FLAGS), FRAME_FLAG.PROFILED, 8);
}

/**
 * Emits what counts the time of the call whose frame is in rbx (profile_graph_return): r9 is the time of its end. rax, rcx, rdx, rdi, r9 are lost.
 */
export function emitProfileExit(code: Assembler, start: Label): void {
  const [timed, count, none] = [new Label(), new Label(), new Label()];
  code.align(16);
  code.bind(start);
  code.arithmetic('and', mem(RBX, FRAME.FLAGS), ~FRAME_FLAG.PROFILED & 0x7f, 8);
  code.mov(RDI, mem(RSI, BLOCK.PROFILE));
  code.test(RDI, RDI);
  code.jump('e', none);
  code.test(mem(RBX, FRAME.FLAGS), FRAME_FLAG.RUN_TIME, 8);
  code.jump('e', timed);
  code.push(RDI);
  emitRunTime(code);
  code.pop(RDI);
  code.bind(timed);
  code.sub(R9, mem(RBX, FRAME.CALLTIME));
  const own = code.aside(() => {
    emitSubtime(code);
    code.jmp(count);
  });
  code.test(mem(R10, GATE.PROFILE), PROFILE_MODE.OWN_TIME, 32);
  code.jump('ne', own);
  code.bind(count);
  code.mov(RCX, mem(RBX, FRAME.NUMBER), 32);
  code.shift('shl', RCX, ROW_SHIFT);
  code.lea(RCX, indexed(RDI, RCX));
  code.add(mem(RCX, PROFILE_ROW.TIME), R9);
  code.mov(RAX, R9);
  code.unary('mul', R9);
  code.add(mem(RCX, PROFILE_ROW.SQUARES_LOW), RAX);
  code.arithmetic('adc', mem(RCX, PROFILE_ROW.SQUARES_HIGH), RDX);
  code.bind(none);
  code.ret();
}

/** Takes the time of profiled calls inside from that in r9, which counts as such for the caller. rax, rdx are lost. */
function emitSubtime(code: Assembler): void {
  const [again, around, less] = [new Label(), new Label(), new Label()];
  code.mov(RDX, RBX);
  code.lea(RAX, mem(RSI, BLOCK.FRAMES));
  code.bind(again);
  code.sub(RDX, FRAME.BYTES);
  code.cmp(RDX, RAX);
  code.jump('b', around);
  code.test(mem(RDX, FRAME.FLAGS), FRAME_FLAG.PROFILED, 8);
  code.jump('e', again);
  // That of another stack, or a free one.
  code.cmp(mem(RDX, FRAME.SLOT), R11);
  code.jump('be', again);
  code.add(mem(RDX, FRAME.SUBTIME), R9);
  code.bind(around);
  code.sub(R9, mem(RBX, FRAME.SUBTIME));
  code.jump('ae', less);
  code.xor(R9, R9, 32);
  code.bind(less);
}

/** r9 becomes the time that the thread has run, in ns. rax, rcx, rdx, rdi are lost. */
function emitRunTime(code: Assembler): void {
  const [failed, done] = [new Label(), new Label()];
  // A system call changes rcx and r11.
  const saved = [RSI, R11];
  for (const register of saved) code.push(register);
  code.sub(RSP, TIMESPEC_BYTES);
  code.movImmediate(RDI, CLOCK_THREAD_CPUTIME_ID);
  code.mov(RSI, RSP);
  code.systemCall('clock_gettime');
  code.test(RAX, RAX, 32);
  code.jump('ne', failed);
  code.imulBy(R9, mem(RSP), SECOND);
  code.add(R9, mem(RSP, 8));
  code.jmp(done);
  code.bind(failed);
  code.xor(R9, R9, 32);
  code.bind(done);
  code.add(RSP, TIMESPEC_BYTES);
  emitRestore(code, saved);
}
