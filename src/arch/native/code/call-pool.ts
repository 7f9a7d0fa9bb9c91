import { Label, mem } from '../machine/operands.js';
import type { Assembler } from '../x86-64/assembler.js';
import { R11, RAX, RBP, RCX, RDI, RSI } from '../x86-64/registers.js';
import { BLOCK } from './arena.js';
import { SAVED } from './probe-frame.js';

/** The calls that a return probe follows at a time (struct kretprobe_instance): for each the place of its return address on the stack; 0: free. */
export interface CallPool {
  /** Of words of 64 bits in the process. */
  readonly address: number;
  readonly calls: number;
}

const WORD = 8;

/**
 * Takes a call that begins into the pool, if there is room: its return address is on top of the stack, or in the frame that the function has built. A
 * call that has been left by longjmp or an exception makes room when a later one of the same thread is above its place. rbp: the saved registers;
 * rsi: the block.
 */
export function emitAdmit(code: Assembler, pool: CallPool, isTop: boolean): void {
  const [take, next, done] = [new Label(), new Label(), new Label()];
  code.mov(R11, mem(RBP, isTop ? SAVED.sp! : SAVED.bp!));
  if (!isTop) code.add(R11, WORD);
  code.movImmediate(RDI, pool.address);
  code.movImmediate(RCX, pool.calls);
  const again = code.label();
  code.mov(RAX, mem(RDI));
  code.test(RAX, RAX);
  code.jump('e', take);
  code.cmp(RAX, R11);
  code.jump('a', next);
  code.cmp(RAX, mem(RSI, BLOCK.STACK_LOW));
  code.jump('b', next);
  code.cmp(R11, mem(RSI, BLOCK.STACK_HIGH));
  code.jump('ae', next);
  code.bind(take);
  code.lockCmpxchg(mem(RDI), R11);
  code.jump('ne', again);
  code.jmp(done);
  code.bind(next);
  code.add(RDI, WORD);
  code.unary('dec', RCX, 32);
  code.jump('ne', again);
  code.bind(done);
}

/** Removes the call that has ended from the pool; goes to `missed` if it is not there. Same registers. */
export function emitEnd(code: Assembler, pool: CallPool, missed: Label): void {
  const found = new Label();
  code.mov(R11, mem(RBP, SAVED.sp));
  code.sub(R11, WORD);
  code.movImmediate(RDI, pool.address);
  code.movImmediate(RCX, pool.calls);
  const again = code.label();
  code.cmp(mem(RDI), R11);
  code.jump('e', found);
  code.add(RDI, WORD);
  code.unary('dec', RCX, 32);
  code.jump('ne', again);
  code.jmp(missed);
  code.bind(found);
  code.mov(mem(RDI), 0);
}
