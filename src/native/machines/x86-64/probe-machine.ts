import type { PortableAssembler as MachineAssembler } from '../../machine/assembler.js';
import { mem, type Register } from '../../machine/operands.js';
import type { ProbeContext, ProbedThunkEntries, ProbedThunkFunction, ProbeMachine } from '../../machine/probe-machine.js';
import type { ParentPlace, SlotPlace, Thunk } from '../../machine/thunk.js';
import type { Assembler } from './assembler.js';
import { R8, R9, R10, R11, R12, R13, R14, R15, RAX, RBP, RBX, RCX, RDI, RDX, RSI, RSP } from './registers.js';
import { emitCall, emitFollowed } from './thunk-parts.js';

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
const REGISTERS = PUSHED.map(([, register]) => register);
const FLAGS = (PUSHED.length + 1) * WORD;
const RETURN = FLAGS + WORD;
const BYTES = RETURN + WORD;
/** Behind the registers: the return address into the thunk, and the number of the probed place. */
const NUMBER = BYTES + WORD;

/** Bytes that code may use below its stack pointer. */
export const RED_ZONE = 128;
/** From the number's end to what the stack pointer was at the place. */
const TO_STACK: Readonly<Record<ProbeContext, number>> = { jumped: 0, called: WORD, middle: RED_ZONE, returned: WORD };

export const PROBES: ProbeMachine = {
  registers: {
    saved: {
      sp: 0,
      ...Object.fromEntries(PUSHED.toReversed().map(([name], i) => [name, (i + 1) * WORD])),
      flags: FLAGS,
    },
    constants: { cs: 0x33n, ss: 0x2bn, orig_ax: -1n },
    instructionPointer: 'ip',
    arguments: ['di', 'si', 'dx', 'cx', 'r8', 'r9'],
    result: 'ax',
  },
  words: { number: NUMBER, returnAddress: RETURN },
  // Behind the return address.
  stackArguments: WORD,
  placeOf: ({ returnSlot }) => (returnSlot === 'top' ? { register: 'sp', offset: 0 } : { register: 'bp', offset: WORD }),
  enter(machineCode, context) {
    const code = machineCode as Assembler;
    code.lea(RSP, mem(RSP, -WORD));
    code.pushfq();
    for (const register of REGISTERS) code.push(register);
    code.lea(RAX, mem(RSP, NUMBER + TO_STACK[context]));
    code.push(RAX);
    code.mov(RBP, RSP);
    if (context === 'middle') code.cld();
  },
  leave(machineCode, context) {
    const code = machineCode as Assembler;
    if (context === 'middle') emitFlags(code);
    code.lea(RSP, mem(RSP, WORD));
    for (const register of REGISTERS.toReversed()) code.pop(register);
    code.lea(RSP, mem(RSP, 2 * WORD));
    code.ret(WORD);
  },
  functionThunk,
  placeThunk(machineCode, { probeEntry }, number) {
    const code = machineCode as Assembler;
    code.lea(RSP, mem(RSP, -RED_ZONE));
    emitCall(code, number, probeEntry.middle);
    code.lea(RSP, mem(RSP, RED_ZONE));
  },
};

/** Loads the flags that are saved, without the slow instruction for all of them: overflow by an addition, the others from ah. */
function emitFlags(code: Assembler): void {
  code.mov(RAX, mem(RBP, FLAGS), 32);
  code.swapBytes();
  code.and(RAX, 8, 8);
  code.add(RAX, 0x78, 8);
  code.sahf();
}

function functionThunk(machineCode: MachineAssembler, entries: ProbedThunkEntries, one: ProbedThunkFunction): Thunk {
  const code = machineCode as Assembler;
  const { n, site, entry, exit, tracer, goesOn } = one;
  const address = code.here;
  const isTop = site.returnSlot === 'top';
  const use: Thunk['use'] = isTop || site.form === 'jump' ? 'jump' : 'call';
  if (entry !== undefined) emitCall(code, entry, entries.probeEntry[use === 'jump' ? 'jumped' : 'called']);
  if (tracer === 'function') {
    const parent: ParentPlace = isTop ? 'behind a jump' : 'in the frame';
    emitCall(code, n, entries.functionEntry[parent]);
  }
  const followsReturn = site.returnSlot !== 'copy' && (exit !== undefined || tracer === 'function_graph');
  if (followsReturn) emitProbedCall(code, entries, one, isTop ? 'on the stack' : 'in the frame');
  else if (use === 'call') code.ret();
  else code.jmp(goesOn);
  return { address, use };
}

function emitProbedCall(
  code: Assembler,
  { graphEntry, probedEntry, graphExit, probeEntry }: ProbedThunkEntries,
  { n, exit, tracer, goesOn }: ProbedThunkFunction,
  place: SlotPlace,
): void {
  const enter = exit === undefined ? graphEntry[place] : probedEntry[place][tracer === 'function_graph' ? 'with graph' : 'alone'];
  emitCall(code, n, enter);
  emitFollowed(code, place, goesOn);
  if (exit !== undefined) {
    code.lea(RSP, mem(RSP, -WORD));
    emitCall(code, exit, probeEntry.returned);
    code.lea(RSP, mem(RSP, WORD));
  }
  code.jmp(graphExit);
}
