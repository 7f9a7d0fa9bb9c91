import type { PortableAssembler } from '../machine/assembler.js';
import {
  ARG0,
  ARG1,
  ARG2,
  ARG3,
  ARG4,
  ARG5,
  FP,
  indexed,
  KEPT0,
  KEPT1,
  KEPT2,
  KEPT3,
  KEPT4,
  Label,
  mem,
  SCRATCH0,
  SCRATCH1,
  SP,
  VALUE,
} from '../machine/operands.js';
import type { ParentPlace } from '../machine/thunk.js';
import { FUNCTION, GATE, OPERATION } from './arena.js';
import type { CodeParts } from './function-trampoline.js';
import { emitTrampolineEnd } from './trampoline-end.js';

/** What a routine finds from FP on, the last one first. */
export const LIST_SAVED = [VALUE, ARG3, ARG2, KEPT0, ARG1, ARG0, ARG4, ARG5, SCRATCH0, SCRATCH1, KEPT1, KEPT2, KEPT3, KEPT4, FP];
const WORD = 8;

/**
 * Emits what a thunk calls whose function has operations (arch_ftrace_ops_list_func): it does them in their order. A thunk pushes
 * the function's number; all registers are kept but the flags, and the number is removed.
 */
export function emitListTrampoline(
  code: PortableAssembler,
  { blocks, javascript, arena, functionTable, machine }: CodeParts,
  place: ParentPlace,
): Label {
  const [leave, unblocked] = [new Label(), new Label()];
  code.align(64);
  const start = code.label();
  const number = code.enter(LIST_SAVED);
  if (place === 'in the frame') {
    code.lea(KEPT2, mem(FP, WORD));
    code.mov(KEPT3, mem(FP));
  } else {
    code.lea(KEPT2, mem(SP, number + machine.returnAbove[place === 'behind a call' ? 'call' : 'jump']));
    code.mov(KEPT3, FP);
  }
  code.mov(FP, SP);
  code.movImmediate(SCRATCH0, arena);
  code.cmp(mem(SCRATCH0, GATE.OPEN), 0, 32);
  code.jump('e', leave);
  blocks.emitTake(code, unblocked);
  javascript.emitQuiet(code, leave);
  code.mov(ARG3, mem(FP, number), 32);
  code.shift('shl', ARG3, Math.log2(FUNCTION.BYTES));
  code.mov(KEPT1, indexed(SCRATCH0, ARG3, 1, functionTable + FUNCTION.IP));
  code.mov(KEPT0, indexed(SCRATCH0, ARG3, 1, functionTable + FUNCTION.OPERATIONS), 32);
  code.test(KEPT0, KEPT0);
  code.jump('e', leave);
  code.add(KEPT0, SCRATCH0);
  const again = code.label();
  code.mov(VALUE, mem(KEPT0, OPERATION.ROUTINE));
  code.test(VALUE, VALUE);
  code.jump('e', leave);
  code.call(VALUE);
  code.add(KEPT0, OPERATION.BYTES);
  code.jmp(again);
  emitTrampolineEnd(code, LIST_SAVED, { leave, unblocked });
  return start;
}
