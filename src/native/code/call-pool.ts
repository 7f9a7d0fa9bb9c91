import type { PortableAssembler } from '../machine/assembler.js';
import { ARG0, ARG1, ARG3, FP, Label, mem, SCRATCH1, VALUE } from '../machine/operands.js';
import type { ProbeMachine, RegisterPlace } from '../machine/probe-machine.js';
import { BLOCK } from './arena.js';

/**
 * The calls that a return probe follows at a time (struct kretprobe_instance): for each the place of its return address on the
 * stack; 0: free.
 */
export interface CallPool {
  /** The address of the pool's words of 64 bits in the process. */
  readonly address: number;
  readonly calls: number;
}

const WORD = 8;

/**
 * Takes a call that begins into the pool, if there is room. A call that has been left by longjmp or an exception makes room when
 * a later one of the same thread is above its place. FP: the saved registers; ARG1: the block.
 */
export function emitAdmit(code: PortableAssembler, { registers }: ProbeMachine, pool: CallPool, at: RegisterPlace): void {
  const [take, next, done] = [new Label(), new Label(), new Label()];
  code.mov(SCRATCH1, mem(FP, registers.saved[at.register]!));
  if (at.offset !== 0) code.add(SCRATCH1, at.offset);
  code.movImmediate(ARG0, pool.address);
  code.movImmediate(ARG3, pool.calls);
  const again = code.label();
  code.mov(VALUE, mem(ARG0));
  code.test(VALUE, VALUE);
  code.jump('e', take);
  code.cmp(VALUE, SCRATCH1);
  code.jump('a', next);
  code.cmp(VALUE, mem(ARG1, BLOCK.STACK_LOW));
  code.jump('b', next);
  code.cmp(SCRATCH1, mem(ARG1, BLOCK.STACK_HIGH));
  code.jump('ae', next);
  code.bind(take);
  code.lockCmpxchg(mem(ARG0), SCRATCH1);
  code.jump('ne', again);
  code.jmp(done);
  code.bind(next);
  code.add(ARG0, WORD);
  code.unary('dec', ARG3, 32);
  code.jump('ne', again);
  code.bind(done);
}

/** Removes the call that has ended from the pool; goes to `missed` if it is not there. Same registers. */
export function emitEnd(code: PortableAssembler, { registers }: ProbeMachine, pool: CallPool, missed: Label): void {
  const found = new Label();
  code.mov(SCRATCH1, mem(FP, registers.saved.sp));
  code.sub(SCRATCH1, WORD);
  code.movImmediate(ARG0, pool.address);
  code.movImmediate(ARG3, pool.calls);
  const again = code.label();
  code.cmp(mem(ARG0), SCRATCH1);
  code.jump('e', found);
  code.add(ARG0, WORD);
  code.unary('dec', ARG3, 32);
  code.jump('ne', again);
  code.jmp(missed);
  code.bind(found);
  code.mov(mem(ARG0), 0);
}
