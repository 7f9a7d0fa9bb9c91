import { Label, mem, type Register } from '../machine/operands.js';
import type { Assembler } from '../x86-64/assembler.js';
import { R8, R9, R10, R11, R12, R13, R14, R15, RAX, RBP, RBX, RCX, RDI, RDX, RSI, RSP } from '../x86-64/registers.js';
import { FRAME, GATE, PROBE } from './arena.js';
import type { CodeParts } from './function-trampoline.js';
import { emitFramesEnd, type ShadowStackCode } from './shadow-stack.js';
import { emitCountUnblocked, emitRestore } from './trampoline-end.js';

const WORD = 8;
/** In the order in which they are pushed: behind them the memory has them in the reverse order (struct pt_regs). */
const PUSHED: readonly (readonly [name: string, register: Register])[] = [
  ['r15', R15],
  ['r14', R14],
  ['r13', R13],
  ['r12', R12],
  ['bp', RBP],
  ['bx', RBX],
  ['r11', R11],
  ['r10', R10],
  ['r9', R9],
  ['r8', R8],
  ['ax', RAX],
  ['cx', RCX],
  ['dx', RDX],
  ['si', RSI],
  ['di', RDI],
];
const PUSHED_REGISTERS = PUSHED.map(([, register]) => register);

/** Where a probed place's registers are, from rbp on; `ret` is where the function returns to, in a return probe. */
export const SAVED: Readonly<Record<string, number>> = {
  sp: 0,
  ...Object.fromEntries(PUSHED.toReversed().map(([name], i) => [name, (i + 1) * WORD])),
  flags: (PUSHED.length + 1) * WORD,
  ret: (PUSHED.length + 2) * WORD,
};
const FLAGS = SAVED.flags!;
const RET = SAVED.ret!;
const BYTES = RET + WORD;
/** Behind the registers: the return address into the thunk, and the number of the probed place. */
const NUMBER = BYTES + WORD;

/**
 * What a probed place is: a function's site that jumps or calls; any other place, which uses what lies up to 128 bytes below its stack pointer; or
 * a function's end.
 */
export const PROBE_CONTEXTS = ['jumped', 'called', 'middle', 'returned'] as const;
export type ProbeContext = (typeof PROBE_CONTEXTS)[number];

/** Bytes that code may use below its stack pointer. */
export const RED_ZONE = 128;
/** From the number's end to what the stack pointer was at the place. */
const TO_STACK: Readonly<Record<ProbeContext, number>> = { jumped: 0, called: WORD, middle: RED_ZONE, returned: WORD };

/**
 * Emits what a probed place calls, with its number on the stack: it saves the registers and calls the place's handler. All registers are kept, in
 * the middle of a function the flags too, and the number is removed.
 *
 * The handler gets in rbp the saved registers, in rbx the place's PROBE entry, in rsi the thread's block, in r10 the arena; it may change all others.
 * @param table the address of the PROBE entries
 */
export function emitProbeEntry(
  code: Assembler,
  parts: CodeParts,
  stack: ShadowStackCode,
  context: ProbeContext,
  table: number,
): Label {
  const [leave, taken, unblocked, counted] = [new Label(), new Label(), new Label(), new Label()];
  code.align(64);
  const start = code.label();
  code.lea(RSP, mem(RSP, -WORD));
  code.pushfq();
  for (const register of PUSHED_REGISTERS) code.push(register);
  code.lea(RAX, mem(RSP, NUMBER + TO_STACK[context]));
  code.push(RAX);
  code.mov(RBP, RSP);
  if (context === 'middle') code.cld();
  code.movImmediate(R10, parts.arena);
  code.cmp(mem(R10, GATE.OPEN), 0, 32);
  code.jump('e', leave);
  if (context === 'returned') parts.blocks.emitFind(code);
  else parts.blocks.emitTake(code, taken);
  code.bind(taken);
  if (parts.javascript.isOn) {
    const noBlock = new Label();
    code.test(RSI, RSI);
    code.jump('e', noBlock);
    parts.javascript.emitQuiet(code, leave);
    code.bind(noBlock);
  }
  if (context === 'returned') emitReturnAddress(code, stack, leave);
  code.mov(RBX, mem(RBP, NUMBER), 32);
  code.shift('shl', RBX, Math.log2(PROBE.BYTES));
  code.movImmediate(RAX, table);
  code.add(RBX, RAX);
  code.test(RSI, RSI);
  code.jump('e', unblocked);
  code.mov(RAX, mem(RBX, PROBE.HANDLER));
  code.test(RAX, RAX);
  code.jump('e', leave);
  code.call(RAX);
  code.bind(leave);
  if (context === 'middle') emitFlags(code);
  code.lea(RSP, mem(RSP, WORD));
  emitRestore(code, PUSHED_REGISTERS);
  code.lea(RSP, mem(RSP, 2 * WORD));
  code.ret(WORD);

  code.bind(unblocked);
  emitCountUnblocked(code);
  code.mov(RAX, mem(RBX, PROBE.MISSED));
  code.test(RAX, RAX);
  code.jump('e', counted);
  code.lockArithmetic('add', mem(RAX), 1, 32);
  code.bind(counted);
  code.jmp(leave);
  return start;
}

/** Loads the flags that are saved, without the slow instruction for all of them: overflow by an addition, the others from ah. */
function emitFlags(code: Assembler): void {
  code.mov(RAX, mem(RBP, FLAGS), 32);
  code.swapBytes();
  code.and(RAX, 8, 8);
  code.add(RAX, 0x78, 8);
  code.sahf();
}

/** Puts the address to which the function returns where `ret` is: that of the frame whose place is below the stack pointer. */
function emitReturnAddress(code: Assembler, stack: ShadowStackCode, leave: Label): void {
  const found = new Label();
  const done = new Label();
  code.test(RSI, RSI);
  code.jump('e', leave);
  code.mov(mem(RBP, RET), 0);
  code.mov(R11, mem(RBP));
  code.sub(R11, WORD);
  emitFramesEnd(code, -FRAME.BYTES);
  code.test(RCX, RCX);
  code.jump('e', done);
  code.cmp(mem(RBX, FRAME.SLOT), R11);
  code.jump('e', found);
  code.call(stack.find);
  code.test(RBX, RBX);
  code.jump('e', done);
  code.bind(found);
  code.mov(RAX, mem(RBX, FRAME.RETURN));
  code.mov(mem(RBP, RET), RAX);
  code.bind(done);
}
