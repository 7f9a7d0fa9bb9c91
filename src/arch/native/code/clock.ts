import type { Assembler } from '../machine/assembler.js';
import { indexed, type Label, mem, R9, R10, RAX, RCX, RDX } from '../machine/operands.js';
import { CLOCK, GATE } from './arena.js';

/** Emits a function that returns the time in ns. */
export function emitClockFunction(code: Assembler, arena: number): Label {
  code.align(16);
  const start = code.label();
  code.movImmediate(R10, arena);
  emitNow(code);
  code.mov(RAX, R9);
  code.ret();
  return start;
}

/** r9 becomes the time in ns. r10 is the arena. rax, rcx and rdx are lost. */
export function emitNow(code: Assembler): void {
  // The choice of the clock comes first: its base is then older than the counter.
  code.mov(RCX, mem(R10, GATE.CLOCK), 32);
  code.counter();
  code.sub(RAX, indexed(R10, RCX, 1, CLOCK.BASE));
  // The high half of the product is the result: shifting both halves takes longer than all the rest.
  code.shift('shl', RAX, 64 - code.clockShift);
  code.unary('imul', indexed(R10, RCX, 1, CLOCK.MULTIPLIER));
  code.mov(R9, indexed(R10, RCX, 1, CLOCK.OFFSET));
  code.add(R9, RDX);
}
