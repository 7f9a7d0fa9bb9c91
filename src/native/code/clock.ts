import type { PortableAssembler } from '../machine/assembler.js';
import { ARG2, ARG3, ARG5, indexed, type Label, mem, SCRATCH0, VALUE } from '../machine/operands.js';
import { CLOCK, GATE } from './arena.js';

/** Emits a function of C that returns the processor's counter as it is. */
export function emitCounterFunction(code: PortableAssembler): Label {
  code.align(16);
  const start = code.label();
  code.counter();
  code.returnValue();
  return start;
}

/** ARG5 becomes the time in ns. SCRATCH0 is the arena. VALUE, ARG3 and ARG2 are lost. */
export function emitNow(code: PortableAssembler): void {
  // The choice of the clock comes first: its base is then older than the counter.
  code.mov(ARG3, mem(SCRATCH0, GATE.CLOCK), 32);
  code.counter();
  code.sub(VALUE, indexed(SCRATCH0, ARG3, 1, CLOCK.BASE));
  // The high half of the product is the result: shifting both halves takes longer than all the rest.
  code.shift('shl', VALUE, 64 - code.clockShift);
  code.unary('imul', indexed(SCRATCH0, ARG3, 1, CLOCK.MULTIPLIER));
  code.mov(ARG5, indexed(SCRATCH0, ARG3, 1, CLOCK.OFFSET));
  code.add(ARG5, ARG2);
}
