import type { PortableAssembler as MachineAssembler } from '../../machine/assembler.js';
import type { ProbedThunkEntries, ProbedThunkFunction, ProbeMachine } from '../../machine/probe-machine.js';
import type { Thunk } from '../../machine/thunk.js';
import type { Assembler } from './assembler.js';
import * as i from './instructions.js';
import { load, store } from './short-forms.js';
import {
  emitCall,
  emitExitAddress,
  emitFollowed,
  emitFollowedInFrame,
  emitNumber,
  emitTake,
  FRAME_POINTER,
  LINK,
  NUMBER,
  parentOf,
  SCRATCH,
  WORD,
  words,
} from './thunk-parts.js';

/** x0 to x29, two by two. */
const PAIRS = Array.from({ length: 15 }, (_, pair) => 2 * pair);
/** Behind x30, as in struct pt_regs; and what is behind them. */
const [STACK_POINTER, FLAGS, RETURN, THUNK] = [31, 33, 34, 35].map((index) => index * WORD) as [number, number, number, number];
const BYTES = THUNK + WORD;
/** What the place's thunk has put there: its number, beside it x30, and in the middle of a function behind them x16 and x17. */
const [NUMBER_BYTES, SCRATCH_BYTES] = [2 * WORD, 2 * WORD];

export const PROBES: ProbeMachine = {
  registers: {
    saved: {
      ...Object.fromEntries(Array.from({ length: 31 }, (_, n) => [`x${n}`, n * WORD])),
      lr: LINK * WORD,
      sp: STACK_POINTER,
      pstate: FLAGS,
    },
    constants: {},
    instructionPointer: 'pc',
    arguments: ['x0', 'x1', 'x2', 'x3', 'x4', 'x5', 'x6', 'x7'],
    result: 'x0',
  },
  words: { number: BYTES, returnAddress: RETURN },
  stackArguments: 0,
  placeOf: ({ frame }) =>
    frame === undefined ? { register: 'sp', offset: -WORD } : { register: 'x29', offset: frame.bytes - WORD },
  enter(code, context) {
    const isMiddle = context === 'middle';
    words(code, i.addImmediate('sub', 64, i.SP, i.SP, BYTES));
    for (const n of PAIRS) words(code, i.pair('stp', n, n + 1, i.SP, n * WORD));
    words(code, store(LINK, i.SP, THUNK), load(LINK, i.SP, BYTES + WORD), store(LINK, i.SP, LINK * WORD));
    if (isMiddle) {
      words(code, i.pair('ldp', SCRATCH, NUMBER, i.SP, BYTES + NUMBER_BYTES));
      words(code, i.pair('stp', SCRATCH, NUMBER, i.SP, SCRATCH * WORD));
    }
    words(code, i.readSystem('nzcv', LINK), store(LINK, i.SP, FLAGS));
    words(code, i.addImmediate('add', 64, LINK, i.SP, BYTES + NUMBER_BYTES + (isMiddle ? SCRATCH_BYTES : 0)));
    words(code, store(LINK, i.SP, STACK_POINTER), i.addImmediate('add', 64, FRAME_POINTER, i.SP, 0));
  },
  leave(code, context) {
    if (context === 'middle') words(code, load(SCRATCH, i.SP, FLAGS), i.writeFlags(SCRATCH));
    for (const n of PAIRS) words(code, i.pair('ldp', n, n + 1, i.SP, n * WORD));
    words(code, load(LINK, i.SP, THUNK), i.addImmediate('add', 64, i.SP, i.SP, BYTES));
    code.ret();
  },
  functionThunk,
  placeThunk(code, { probeEntry }, number) {
    words(code, i.addImmediate('sub', 64, i.SP, i.SP, NUMBER_BYTES + SCRATCH_BYTES));
    words(code, i.pair('stp', SCRATCH, NUMBER, i.SP, NUMBER_BYTES));
    emitNumber(code, number);
    words(code, i.pair('stp', NUMBER, LINK, i.SP, 0));
    (code as Assembler).link(probeEntry.middle);
    words(code, load(LINK, i.SP, WORD), i.pair('ldp', SCRATCH, NUMBER, i.SP, NUMBER_BYTES));
    words(code, i.addImmediate('add', 64, i.SP, i.SP, NUMBER_BYTES + SCRATCH_BYTES));
  },
};

function functionThunk(code: MachineAssembler, entries: ProbedThunkEntries, one: ProbedThunkFunction): Thunk {
  const { site, entry, exit, tracer } = one;
  const { probeEntry, probedEntry, graphEntry, graphExit, functionEntry } = entries;
  const address = code.here;
  const use: Thunk['use'] = site.returnSlot === 'top' || site.form === 'jump' ? 'jump' : 'call';
  if (entry !== undefined) {
    emitCall(code, { n: entry, site }, use, probeEntry[use === 'jump' ? 'jumped' : 'called']);
    emitTake(code, LINK);
  }
  if (tracer === 'function') {
    emitCall(code, one, use, functionEntry[parentOf(one, use)]);
    emitTake(code, LINK);
  }
  const isFollowed = exit !== undefined || tracer === 'function_graph';
  if (!isFollowed || (site.returnSlot !== 'top' && site.frame === undefined)) {
    // Nothing is on the stack any more.
    if (use === 'jump') code.jmp(one.goesOn);
    else code.ret();
    return { address, use };
  }
  const by = tracer === 'function_graph' ? 'with graph' : 'alone';
  const entryAt = (place: 'on the stack' | 'in the frame'): number =>
    exit === undefined ? graphEntry[place] : probedEntry[place][by];
  if (site.frame === undefined) emitFollowed(code, entryAt('on the stack'), one);
  else emitFollowedInFrame(code, entryAt('in the frame'), one, site.frame);
  emitExitAddress(code);
  if (exit !== undefined) {
    // What a return probe looks its call up by lies below the stack pointer, where the exit's code expects it too.
    emitNumber(code, exit);
    words(code, i.pair('stp!', NUMBER, LINK, i.SP, -2 * WORD));
    (code as Assembler).link(probeEntry.returned);
    emitTake(code, LINK);
  }
  code.jmp(graphExit);
  return { address, use };
}
