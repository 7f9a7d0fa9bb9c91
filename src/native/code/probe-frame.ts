import type { PortableAssembler } from '../machine/assembler.js';
import { ARG1, ARG3, FP, KEPT0, Label, mem, SCRATCH0, SCRATCH1, VALUE } from '../machine/operands.js';
import type { ProbeContext } from '../machine/probe-machine.js';
import { FRAME, GATE, PROBE } from './arena.js';
import type { CodeParts } from './function-trampoline.js';
import { emitFramesEnd, type ShadowStackCode } from './shadow-stack.js';
import { emitCountUnblocked } from './trampoline-end.js';

const WORD = 8;

/**
 * Emits what a probed place calls, with its number on the stack: it saves the registers and calls the place's handler. All
 * registers are kept, in the middle of a function the flags too.
 *
 * The handler gets in FP the saved registers, in KEPT0 the place's PROBE entry, in ARG1 the thread's block, in SCRATCH0 the
 * arena; it may change all others.
 * @param table the address of the PROBE entries
 */
export function emitProbeEntry(
  code: PortableAssembler,
  parts: CodeParts,
  stack: ShadowStackCode,
  context: ProbeContext,
  table: number,
): Label {
  const [leave, taken, unblocked, counted] = [new Label(), new Label(), new Label(), new Label()];
  const { enter, leave: emitLeave, words } = parts.machine.probes;
  code.align(64);
  const start = code.label();
  enter(code, context);
  code.movImmediate(SCRATCH0, parts.arena);
  code.cmp(mem(SCRATCH0, GATE.OPEN), 0, 32);
  code.jump('e', leave);
  if (context === 'returned') parts.blocks.emitFind(code);
  else parts.blocks.emitTake(code, taken);
  code.bind(taken);
  if (parts.javascript.isOn) {
    const noBlock = new Label();
    code.test(ARG1, ARG1);
    code.jump('e', noBlock);
    parts.javascript.emitQuiet(code, leave);
    code.bind(noBlock);
  }
  if (context === 'returned') emitReturnAddress(code, parts, stack, leave);
  code.mov(KEPT0, mem(FP, words.number), 32);
  code.shift('shl', KEPT0, Math.log2(PROBE.BYTES));
  code.movImmediate(VALUE, table);
  code.add(KEPT0, VALUE);
  code.test(ARG1, ARG1);
  code.jump('e', unblocked);
  code.mov(VALUE, mem(KEPT0, PROBE.HANDLER));
  code.test(VALUE, VALUE);
  code.jump('e', leave);
  code.call(VALUE);
  code.bind(leave);
  emitLeave(code, context);

  code.bind(unblocked);
  emitCountUnblocked(code);
  code.mov(VALUE, mem(KEPT0, PROBE.MISSED));
  code.test(VALUE, VALUE);
  code.jump('e', counted);
  code.lockArithmetic('add', mem(VALUE), 1, 32);
  code.bind(counted);
  code.jmp(leave);
  return start;
}

/** Keeps the address to which the function returns: that of the frame whose place is below the stack pointer. */
function emitReturnAddress(code: PortableAssembler, { machine }: CodeParts, stack: ShadowStackCode, leave: Label): void {
  const { registers, words } = machine.probes;
  const [found, search, known, done] = [new Label(), new Label(), new Label(), new Label()];
  code.test(ARG1, ARG1);
  code.jump('e', leave);
  code.mov(mem(FP, words.returnAddress), 0);
  code.mov(SCRATCH1, mem(FP, registers.saved.sp));
  code.sub(SCRATCH1, WORD);
  emitFramesEnd(code, -FRAME.BYTES);
  code.test(ARG3, ARG3);
  code.jump('e', done);
  code.cmp(mem(KEPT0, FRAME.SLOT), SCRATCH1);
  code.jump('ne', search);
  if (machine.hasLinkRegister) {
    code.mov(VALUE, mem(SCRATCH1));
    code.cmp(mem(KEPT0, FRAME.EXIT), VALUE);
    code.jump('e', found);
  } else code.jmp(found);
  code.bind(search);
  code.call(stack.find);
  code.test(KEPT0, KEPT0);
  code.jump('e', done);
  code.bind(found);
  code.mov(VALUE, mem(KEPT0, FRAME.RETURN));
  // The function may have been reached by a jump from another call, which has the same place and the frame before.
  const before = code.label();
  code.cmp(mem(KEPT0, FRAME.SLOT - FRAME.BYTES), SCRATCH1);
  code.jump('ne', known);
  code.sub(KEPT0, FRAME.BYTES);
  code.cmp(mem(KEPT0, FRAME.EXIT), VALUE);
  code.jump('ne', known);
  code.mov(VALUE, mem(KEPT0, FRAME.RETURN));
  code.jmp(before);
  code.bind(known);
  code.mov(mem(FP, words.returnAddress), VALUE);
  code.bind(done);
}
