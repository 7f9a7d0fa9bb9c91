import type { PortableAssembler } from '../machine/assembler.js';
import { ARG0, ARG1, ARG2, ARG3, ARG5, indexed, Label, mem, SCRATCH0, VALUE } from '../machine/operands.js';
import { BLOCK, FRAME, SHARED } from './arena.js';

/**
 * Emits a function of C that V8 calls while it walks a stack: in ARG0 where it expects a return address, it returns where that
 * is. function_graph puts the exit of a thunk in the place of the return address of a call that it follows, and V8 knows a frame
 * by its return address.
 */
export function emitReturnAddress(code: PortableAssembler, arena: number): Label {
  const [block, frame, next, done] = Array.from({ length: 4 }, () => new Label());
  code.align(16);
  const start = code.label();
  code.mov(VALUE, ARG0);
  code.mov(ARG5, mem(ARG0));
  code.movImmediate(SCRATCH0, arena);
  code.mov(ARG1, mem(SCRATCH0, SHARED.CHAIN));
  code.bind(block!);
  code.test(ARG1, ARG1);
  code.jump('e', done!);
  code.mov(ARG3, mem(ARG1, BLOCK.TOP));
  code.lea(ARG2, indexed(ARG3, ARG1, 1, BLOCK.FRAMES));
  code.bind(frame!);
  code.sub(ARG3, FRAME.BYTES);
  code.jump('s', next!);
  code.sub(ARG2, FRAME.BYTES);
  code.cmp(mem(ARG2, FRAME.SLOT), ARG0);
  code.jump('ne', frame!);
  code.cmp(mem(ARG2, FRAME.EXIT), ARG5);
  code.jump('ne', frame!);
  // Its function may have been reached by a jump from another call: the address is the exit of that one, which has the same
  // place.
  code.lea(VALUE, mem(ARG2, FRAME.RETURN));
  code.mov(ARG5, mem(VALUE));
  code.jmp(frame!);
  code.bind(next!);
  code.cmp(VALUE, ARG0);
  code.jump('ne', done!);
  code.mov(ARG1, mem(ARG1, BLOCK.NEXT));
  code.jmp(block!);
  code.bind(done!);
  code.returnValue();
  return start;
}
