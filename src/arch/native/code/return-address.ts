import type { Assembler } from '../machine/assembler.js';
import { indexed, Label, mem, R9, R10, RAX, RCX, RDI, RDX, RSI } from '../machine/operands.js';
import { BLOCK, FRAME, SHARED } from './arena.js';

/**
 * Emits a function that V8 calls while it walks a stack: in rdi where it expects a return address, out rax where that is. function_graph puts the
 * exit of a thunk in the place of the return address of a call that it follows, and V8 knows a frame by its return address.
 */
export function emitReturnAddress(code: Assembler, arena: number): Label {
  const [block, frame, next, done] = Array.from({ length: 4 }, () => new Label());
  code.align(16);
  const start = code.label();
  code.mov(RAX, RDI);
  code.mov(R9, mem(RDI));
  code.movImmediate(R10, arena);
  code.mov(RSI, mem(R10, SHARED.CHAIN));
  code.bind(block!);
  code.test(RSI, RSI);
  code.jump('e', done!);
  code.mov(RCX, mem(RSI, BLOCK.TOP));
  code.lea(RDX, indexed(RCX, RSI, 1, BLOCK.FRAMES));
  code.bind(frame!);
  code.sub(RCX, FRAME.BYTES);
  code.jump('s', next!);
  code.sub(RDX, FRAME.BYTES);
  code.cmp(mem(RDX, FRAME.SLOT), RDI);
  code.jump('ne', frame!);
  code.cmp(mem(RDX, FRAME.EXIT), R9);
  code.jump('ne', frame!);
  code.lea(RAX, mem(RDX, FRAME.RETURN));
  code.ret();
  code.bind(next!);
  code.mov(RSI, mem(RSI, BLOCK.NEXT));
  code.jmp(block!);
  code.bind(done!);
  code.ret();
  return start;
}
