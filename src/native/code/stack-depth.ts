import { STACK_ENTRIES, STACK_LAYOUT } from '../../ftrace/deepest-stack.js';
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
  KEPT4,
  Label,
  mem,
  SCRATCH1,
  VALUE,
} from '../machine/operands.js';
import { BLOCK, MEASURED, MEASURED_CALLS } from './arena.js';
import { emitToDouble } from './to-double.js';
import { emitRestore } from './trampoline-end.js';

const WORD = 8;
const { MAX_SIZE, ORDER, VERSION, CPU_ORDER, FRAMES, MEASURED: NAMED, ADDRESSES, FUNCTIONS, DEPTHS } = STACK_LAYOUT;
const word = (index: number): number => index * 4;

/**
 * Emits what the stack tracer does at an entry (check_stack in kernel/trace/trace_stack.c): the deepest stack is kept, on the
 * thread's own stack alone. A stack is found by two ways together. Frame pointers lead to callers that were compiled with them.
 * And the calls of measured functions are kept in their order: a call ends before another one has its return address at the same
 * place or above. Both know where each return address stands. Registers as in emitOperations().
 * @param returned where a return address that a followed call has replaced becomes the caller's
 */
export function emitStackDepth(code: PortableAssembler, returned: Label, done: Label): void {
  code.cmp(KEPT2, mem(ARG1, BLOCK.STACK_LOW));
  code.jump('b', done);
  code.mov(SCRATCH1, mem(ARG1, BLOCK.STACK_HIGH));
  code.cmp(KEPT2, SCRATCH1);
  code.jump('ae', done);
  emitMeasured(code, returned);

  const [isFree, release, write] = [new Label(), new Label(), new Label()];
  code.mov(ARG4, mem(ARG1, BLOCK.DEEPEST));
  code.test(ARG4, ARG4);
  code.jump('e', done);
  // As if the function had called something: its own return address would be below that of its caller.
  code.mov(ARG0, SCRATCH1);
  code.sub(ARG0, KEPT2);
  code.add(ARG0, WORD);
  code.mov(VALUE, mem(ARG4, word(MAX_SIZE)), 32);
  code.cmp(ARG0, VALUE);
  code.jump('be', done);
  // A signal handler that has interrupted the writing leaves it alone.
  code.mov(VALUE, mem(ARG1, BLOCK.DEEPEST_USER));
  code.test(VALUE, VALUE);
  code.jump('e', isFree);
  code.cmp(VALUE, KEPT2);
  code.jump('a', done);
  code.bind(isFree);
  code.mov(mem(ARG1, BLOCK.DEEPEST_USER), KEPT2);
  code.mov(VALUE, mem(ARG4, word(MAX_SIZE)), 32);
  const raise = code.label();
  code.cmp(VALUE, ARG0);
  code.jump('ae', release);
  code.lockCmpxchg(mem(ARG4, word(MAX_SIZE)), ARG0, 32);
  code.jump('ne', raise);
  code.jmp(write);
  code.bind(write);
  emitStack(code, returned);
  code.bind(release);
  code.mov(mem(ARG1, BLOCK.DEEPEST_USER), 0);
}

/** ARG2 becomes the address of the measured call before the one whose number is in a register. */
function emitBefore(code: PortableAssembler, count: typeof ARG3 | typeof ARG4): void {
  code.lea(ARG2, mem(count, -1));
  code.and(ARG2, MEASURED_CALLS - 1);
  code.shift('shl', ARG2, Math.log2(MEASURED.BYTES));
  code.lea(ARG2, indexed(ARG1, ARG2, 1, BLOCK.MEASURED));
}

/** Adds the call at KEPT2 to those that are measured, and takes away what has ended. VALUE, ARG3, ARG2, KEPT4 are lost. */
function emitMeasured(code: PortableAssembler, returned: Label): void {
  const [put, fits] = [new Label(), new Label()];
  code.mov(ARG3, mem(ARG1, BLOCK.MEASURED_COUNT));
  const again = code.label();
  code.cmp(ARG3, mem(ARG1, BLOCK.MEASURED_GONE));
  code.jump('be', put);
  emitBefore(code, ARG3);
  code.cmp(mem(ARG2, MEASURED.SLOT), KEPT2);
  code.jump('a', put);
  code.unary('dec', ARG3);
  code.jmp(again);
  code.bind(put);
  code.unary('inc', ARG3);
  emitBefore(code, ARG3);
  code.mov(mem(ARG2, MEASURED.SLOT), KEPT2);
  code.mov(KEPT4, KEPT2);
  code.mov(VALUE, mem(KEPT2));
  code.call(returned);
  code.mov(mem(ARG2, MEASURED.RETURN), VALUE);
  code.mov(mem(ARG1, BLOCK.MEASURED_COUNT), ARG3);
  code.sub(ARG3, MEASURED_CALLS);
  code.jump('be', fits);
  code.cmp(ARG3, mem(ARG1, BLOCK.MEASURED_GONE));
  code.jump('le', fits);
  code.mov(mem(ARG1, BLOCK.MEASURED_GONE), ARG3);
  code.bind(fits);
}

/**
 * Writes the stack (DeepestStack.write): each address with the bytes that are in use where it stands. SCRATCH1 is the stack's
 * upper end. In the loop ARG0 is how many there are, KEPT0 the next frame pointer, ARG4 how many measured calls are left, KEPT3
 * the place of the address before; KEPT4, VALUE the next one.
 */
function emitStack(code: PortableAssembler, returned: Label): void {
  const [next, measured, valid, walked, take, end] = Array.from({ length: 6 }, () => new Label());
  const saved = [KEPT0, KEPT3];
  for (const register of saved) code.push(register);
  code.mov(ARG5, mem(ARG1, BLOCK.DEEPEST_PART));
  code.or(mem(ARG5, word(VERSION)), 1, 32);
  code.mov(KEPT0, KEPT3);
  code.mov(ARG4, mem(ARG1, BLOCK.MEASURED_COUNT));
  code.xor(ARG0, ARG0, 32);
  code.mov(VALUE, KEPT1);
  code.lea(KEPT3, mem(KEPT2, -WORD));
  code.mov(KEPT4, KEPT3);
  code.jmp(take!);

  code.bind(next!);
  code.movImmediate(KEPT4, -1n);
  code.bind(measured!);
  code.cmp(ARG4, mem(ARG1, BLOCK.MEASURED_GONE));
  code.jump('be', valid!);
  emitBefore(code, ARG4);
  code.unary('dec', ARG4);
  code.mov(KEPT4, mem(ARG2, MEASURED.SLOT));
  code.mov(VALUE, mem(KEPT4));
  code.mov(ARG3, mem(ARG2, MEASURED.RETURN));
  code.cmp(VALUE, ARG3);
  code.jump('e', valid!);
  code.call(returned);
  code.cmp(VALUE, ARG3);
  code.jump('e', valid!);
  // Its place belongs to a function that is not measured.
  code.movImmediate(KEPT4, -1n);
  code.jmp(measured!);

  // ARG3: the place of the return address behind the next frame pointer, if that is one.
  code.bind(valid!);
  code.test(KEPT0, WORD - 1);
  code.jump('ne', walked!);
  code.lea(ARG3, mem(KEPT0, WORD));
  code.cmp(ARG3, KEPT3);
  code.jump('be', walked!);
  code.lea(ARG2, mem(SCRATCH1, -WORD));
  code.cmp(ARG3, ARG2);
  code.jump('a', walked!);
  code.cmp(ARG3, KEPT4);
  code.jump('a', walked!);
  code.mov(KEPT0, mem(KEPT0));
  const same = new Label();
  code.jump('e', same);
  // The measured call comes later.
  const none = new Label();
  code.cmp(KEPT4, -1);
  code.jump('e', none);
  code.unary('inc', ARG4);
  code.bind(none);
  code.bind(same);
  code.mov(KEPT4, ARG3);
  code.bind(walked!);
  code.cmp(KEPT4, -1);
  code.jump('e', end!);
  code.mov(VALUE, mem(KEPT4));
  code.test(VALUE, VALUE);
  code.jump('e', next!);
  code.call(returned);
  code.bind(take!);
  code.mov(KEPT3, KEPT4);
  code.mov(ARG2, SCRATCH1);
  code.sub(ARG2, KEPT4);
  code.mov(indexed(ARG5, ARG0, 4, word(DEPTHS)), ARG2, 32);
  emitToDouble(code);
  for (const column of [ADDRESSES, FUNCTIONS]) code.mov(indexed(ARG5, ARG0, 8, word(column)), VALUE);
  code.unary('inc', ARG0);
  code.cmp(ARG0, STACK_ENTRIES);
  code.jump('b', next!);

  code.bind(end!);
  for (const count of [FRAMES, NAMED]) code.mov(mem(ARG5, word(count)), ARG0, 32);
  code.mov(ARG2, mem(ARG1, BLOCK.DEEPEST));
  code.movImmediate(VALUE, 1);
  code.lockXadd(mem(ARG2, word(ORDER)), VALUE, 32);
  code.unary('inc', VALUE, 32);
  code.mov(mem(ARG5, word(CPU_ORDER)), VALUE, 32);
  code.unary('inc', mem(ARG5, word(VERSION)), 32);
  emitRestore(code, saved);
}
