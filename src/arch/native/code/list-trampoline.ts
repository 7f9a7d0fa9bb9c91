import type { Assembler } from '../machine/assembler.js';
import type { ParentPlace } from '../machine/machine.js';
import {
  indexed,
  Label,
  mem,
  R8,
  R9,
  R10,
  R11,
  R12,
  R13,
  R14,
  R15,
  RAX,
  RBP,
  RBX,
  RCX,
  RDI,
  RDX,
  RSI,
  RSP,
} from '../machine/operands.js';
import { FUNCTION, GATE, OPERATION } from './arena.js';
import type { CodeParts } from './function-trampoline.js';
import { emitTrampolineEnd } from './trampoline-end.js';

const SAVED = [RAX, RCX, RDX, RBX, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15, RBP];
const WORD = 8;

/**
 * Emits what a thunk calls whose function has operations (arch_ftrace_ops_list_func): it does them in their order. A thunk pushes the
 * function's number; all registers are kept but the flags, and the number is removed.
 */
export function emitListTrampoline(
  code: Assembler,
  { blocks, javascript, arena, functionTable, machine }: CodeParts,
  place: ParentPlace,
): Label {
  const [leave, unblocked] = [new Label(), new Label()];
  code.align(64);
  const start = code.label();
  const number = code.enter(SAVED);
  if (place === 'in the frame') {
    code.lea(R13, mem(RBP, WORD));
    code.mov(R14, mem(RBP));
  } else {
    code.lea(R13, mem(RSP, number + machine.returnAbove[place === 'behind a call' ? 'call' : 'jump']));
    code.mov(R14, RBP);
  }
  code.mov(RBP, RSP);
  code.movImmediate(R10, arena);
  code.cmp(mem(R10, GATE.OPEN), 0, 32);
  code.jump('e', leave);
  blocks.emitTake(code, unblocked);
  javascript.emitQuiet(code, leave);
  code.mov(RCX, mem(RBP, number), 32);
  code.shift('shl', RCX, Math.log2(FUNCTION.BYTES));
  code.mov(R12, indexed(R10, RCX, 1, functionTable + FUNCTION.IP));
  code.mov(RBX, indexed(R10, RCX, 1, functionTable + FUNCTION.OPERATIONS), 32);
  code.test(RBX, RBX);
  code.jump('e', leave);
  code.add(RBX, R10);
  const again = code.label();
  code.mov(RAX, mem(RBX, OPERATION.ROUTINE));
  code.test(RAX, RAX);
  code.jump('e', leave);
  code.call(RAX);
  code.add(RBX, OPERATION.BYTES);
  code.jmp(again);
  emitTrampolineEnd(code, SAVED, { leave, unblocked });
  return start;
}
