import { STACK_ENTRIES, STACK_LAYOUT } from '../../../ftrace/deepest-stack.js';
import type { Assembler } from '../machine/assembler.js';
import { indexed, Label, mem, R8, R9, R11, R12, R13, R14, R15, RAX, RBX, RCX, RDI, RDX, RSI } from '../machine/operands.js';
import { BLOCK, MEASURED, MEASURED_CALLS } from './arena.js';
import { emitToDouble } from './to-double.js';
import { emitRestore } from './trampoline-end.js';

const WORD = 8;
const { MAX_SIZE, ORDER, VERSION, CPU_ORDER, FRAMES, MEASURED: NAMED, ADDRESSES, FUNCTIONS, DEPTHS } = STACK_LAYOUT;
const word = (index: number): number => index * 4;

/**
 * Emits what the stack tracer does at an entry (check_stack in kernel/trace/trace_stack.c): the deepest stack is kept, on the thread's own stack alone.
 * A stack is found by two ways together. Frame pointers lead to callers that were compiled with them. And the calls of measured functions are kept in
 * their order: a call ends before another one has its return address at the same place or above. Both know where each return address stands.
 * Registers as in emitOperations().
 * @param returned where a return address that a followed call has replaced becomes the caller's
 */
export function emitStackDepth(code: Assembler, returned: Label, done: Label): void {
  code.cmp(R13, mem(RSI, BLOCK.STACK_LOW));
  code.jump('b', done);
  code.mov(R11, mem(RSI, BLOCK.STACK_HIGH));
  code.cmp(R13, R11);
  code.jump('ae', done);
  emitMeasured(code);

  const [isFree, release, write] = [new Label(), new Label(), new Label()];
  code.mov(R8, mem(RSI, BLOCK.DEEPEST));
  code.test(R8, R8);
  code.jump('e', done);
  // As if the function had called something: its own return address would be below that of its caller.
  code.mov(RDI, R11);
  code.sub(RDI, R13);
  code.add(RDI, WORD);
  code.mov(RAX, mem(R8, word(MAX_SIZE)), 32);
  code.cmp(RDI, RAX);
  code.jump('be', done);
  // A signal handler that has interrupted the writing leaves it alone.
  code.mov(RAX, mem(RSI, BLOCK.DEEPEST_USER));
  code.test(RAX, RAX);
  code.jump('e', isFree);
  code.cmp(RAX, R13);
  code.jump('a', done);
  code.bind(isFree);
  code.mov(mem(RSI, BLOCK.DEEPEST_USER), R13);
  code.mov(RAX, mem(R8, word(MAX_SIZE)), 32);
  const raise = code.label();
  code.cmp(RAX, RDI);
  code.jump('ae', release);
  code.lockCmpxchg(mem(R8, word(MAX_SIZE)), RDI, 32);
  code.jump('ne', raise);
  code.jmp(write);
  code.bind(write);
  emitStack(code, returned);
  code.bind(release);
  code.mov(mem(RSI, BLOCK.DEEPEST_USER), 0);
}

/** rdx becomes the address of the measured call before the one whose number is in a register. */
function emitBefore(code: Assembler, count: typeof RCX | typeof R8): void {
  code.lea(RDX, mem(count, -1));
  code.and(RDX, MEASURED_CALLS - 1);
  code.shift('shl', RDX, Math.log2(MEASURED.BYTES));
  code.lea(RDX, indexed(RSI, RDX, 1, BLOCK.MEASURED));
}

/** Adds the call at r13 to those that are measured, and takes away what has ended. rax, rcx, rdx are lost. */
function emitMeasured(code: Assembler): void {
  const [put, fits] = [new Label(), new Label()];
  code.mov(RCX, mem(RSI, BLOCK.MEASURED_COUNT));
  const again = code.label();
  code.cmp(RCX, mem(RSI, BLOCK.MEASURED_GONE));
  code.jump('be', put);
  emitBefore(code, RCX);
  code.cmp(mem(RDX, MEASURED.SLOT), R13);
  code.jump('a', put);
  code.unary('dec', RCX);
  code.jmp(again);
  code.bind(put);
  code.unary('inc', RCX);
  emitBefore(code, RCX);
  code.mov(mem(RDX, MEASURED.SLOT), R13);
  code.mov(RAX, mem(R13));
  code.mov(mem(RDX, MEASURED.RETURN), RAX);
  code.mov(mem(RSI, BLOCK.MEASURED_COUNT), RCX);
  code.sub(RCX, MEASURED_CALLS);
  code.jump('be', fits);
  code.cmp(RCX, mem(RSI, BLOCK.MEASURED_GONE));
  code.jump('le', fits);
  code.mov(mem(RSI, BLOCK.MEASURED_GONE), RCX);
  code.bind(fits);
}

/**
 * Writes the stack (DeepestStack.write): each address with the bytes that are in use where it stands. r11 is the stack's upper end. In the loop rdi is how
 * many there are, rbx the next frame pointer, r8 how many measured calls are left, r14 the place of the address before; r15, rax the next one.
 */
function emitStack(code: Assembler, returned: Label): void {
  const [next, measured, valid, walked, take, end] = Array.from({ length: 6 }, () => new Label());
  const saved = [RBX, R14];
  for (const register of saved) code.push(register);
  code.mov(R9, mem(RSI, BLOCK.DEEPEST_PART));
  code.or(mem(R9, word(VERSION)), 1, 32);
  code.mov(RBX, R14);
  code.mov(R8, mem(RSI, BLOCK.MEASURED_COUNT));
  code.xor(RDI, RDI, 32);
  code.mov(RAX, R12);
  code.lea(R14, mem(R13, -WORD));
  code.mov(R15, R14);
  code.jmp(take!);

  code.bind(next!);
  code.movImmediate(R15, -1n);
  code.bind(measured!);
  code.cmp(R8, mem(RSI, BLOCK.MEASURED_GONE));
  code.jump('be', valid!);
  emitBefore(code, R8);
  code.unary('dec', R8);
  code.mov(R15, mem(RDX, MEASURED.SLOT));
  code.mov(RAX, mem(R15));
  code.mov(RCX, mem(RDX, MEASURED.RETURN));
  code.cmp(RAX, RCX);
  code.jump('e', valid!);
  code.call(returned);
  code.cmp(RAX, RCX);
  code.jump('e', valid!);
  // Its place belongs to a function that is not measured.
  code.movImmediate(R15, -1n);
  code.jmp(measured!);

  // rcx: the place of the return address behind the next frame pointer, if that is one.
  code.bind(valid!);
  code.test(RBX, WORD - 1);
  code.jump('ne', walked!);
  code.lea(RCX, mem(RBX, WORD));
  code.cmp(RCX, R14);
  code.jump('be', walked!);
  code.lea(RDX, mem(R11, -WORD));
  code.cmp(RCX, RDX);
  code.jump('a', walked!);
  code.cmp(RCX, R15);
  code.jump('a', walked!);
  code.mov(RBX, mem(RBX));
  const same = new Label();
  code.jump('e', same);
  // The measured call comes later.
  const none = new Label();
  code.cmp(R15, -1);
  code.jump('e', none);
  code.unary('inc', R8);
  code.bind(none);
  code.bind(same);
  code.mov(R15, RCX);
  code.bind(walked!);
  code.cmp(R15, -1);
  code.jump('e', end!);
  code.mov(RAX, mem(R15));
  code.test(RAX, RAX);
  code.jump('e', next!);
  code.call(returned);
  code.bind(take!);
  code.mov(R14, R15);
  code.mov(RDX, R11);
  code.sub(RDX, R15);
  code.mov(indexed(R9, RDI, 4, word(DEPTHS)), RDX, 32);
  emitToDouble(code);
  for (const column of [ADDRESSES, FUNCTIONS]) code.mov(indexed(R9, RDI, 8, word(column)), RAX);
  code.unary('inc', RDI);
  code.cmp(RDI, STACK_ENTRIES);
  code.jump('b', next!);

  code.bind(end!);
  for (const count of [FRAMES, NAMED]) code.mov(mem(R9, word(count)), RDI, 32);
  code.mov(RDX, mem(RSI, BLOCK.DEEPEST));
  code.movImmediate(RAX, 1);
  code.lockXadd(mem(RDX, word(ORDER)), RAX, 32);
  code.unary('inc', RAX, 32);
  code.mov(mem(R9, word(CPU_ORDER)), RAX, 32);
  code.unary('inc', mem(R9, word(VERSION)), 32);
  emitRestore(code, saved);
}
