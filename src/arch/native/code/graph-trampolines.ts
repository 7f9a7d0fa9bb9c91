import { FTRACE_EVENTS } from '../../../events/ftrace-events.js';
import type { Assembler } from '../x86-64/assembler.js';
import { indexed, Label, mem, R8, R9, R10, R11, R12, RAX, RBP, RBX, RCX, RDI, RDX, RSI, RSP } from '../x86-64/operands.js';
import { BLOCK, FRAME, FRAME_FLAG, FRAME_INCOMPLETE, FUNCTION, FUNCTION_FLAG, GATE, SHARED } from './arena.js';
import { emitNow } from './clock.js';
import { type CodeParts, emitFunctionAddress } from './function-trampoline.js';
import { emitRecord, recordWords } from './record-code.js';
import { emitFramesEnd, type ShadowStackCode } from './shadow-stack.js';

/** Where the return address is that a call is followed by: on the stack above the function's number, or in the frame that it has built. */
export const SLOT_PLACES = ['on the stack', 'in the frame'] as const;
export type SlotPlace = (typeof SLOT_PLACES)[number];

/** Bytes from the return address that the entry gets to the thunk's instruction to which the function returns. */
export const EXIT_DISTANCE: Readonly<Record<SlotPlace, number>> = { 'on the stack': 16, 'in the frame': 1 };

/** Who hears the end of a call besides function_graph: a return probe; or that one alone. */
export const PROBED_BY = ['with graph', 'alone'] as const;
export type ProbedBy = (typeof PROBED_BY)[number];

const WORD = 8;
/** With -fipa-ra a caller counts on registers that the function does not use: all that is used is kept. */
const SAVED = [RAX, RCX, RDX, RBX, RSI, RDI, R8, R9, R10, R11, R12];
const SAVED_BYTES = SAVED.length * WORD;
const NUMBER = SAVED_BYTES + WORD;

const entryEvent = FTRACE_EVENTS.funcgraph_entry;
const ENTRY_WORDS = recordWords(entryEvent);
/** Depth and flags are one word here: depth below, flags above. */
const FLAGS_SHIFT = (FRAME.FLAGS - FRAME.DEPTH) * 8;

/**
 * Emits what function_graph does at an entry (kernel/trace/trace_functions_graph.c). A thunk pushes the function's number and calls this. All
 * registers are kept but the flags: the carry flag says that the call is not followed. The number is removed.
 */
export function emitGraphEntry(
  code: Assembler,
  parts: CodeParts,
  stack: ShadowStackCode,
  place: SlotPlace,
  frames: number,
  probed?: ProbedBy,
): Label {
  const { writer, blocks, functionTable } = parts;
  const [skip, unblocked, top, root, tooDeep, filtered, follow, refused, timed] = Array.from({ length: 9 }, () => new Label());
  /** The tracer does not want the call. */
  const [unwanted, followed] = [probed === undefined ? skip! : new Label(), new Label()];
  code.align(64);
  const start = code.label();
  for (const register of SAVED) code.push(register);
  code.movImmediate(R10, parts.arena);
  code.cmp(mem(R10, GATE.OPEN), 0, 32);
  code.jump('e', skip!);
  blocks.emitTake(code);
  code.test(RSI, RSI);
  code.jump('e', unblocked!);
  if (probed === undefined) {
    code.cmp(mem(RSI, BLOCK.IGNORED), 0, 32);
    code.jump('ne', skip!);
  }
  code.lea(R11, place === 'on the stack' ? mem(RSP, NUMBER + WORD) : mem(RBP, WORD));

  // rbx: the caller's frame; r12d: depth and flags of the new one.
  code.bind(top!);
  emitFramesEnd(code, -FRAME.BYTES);
  code.test(RCX, RCX);
  code.jump('e', root!);
  const hasParent = new Label();
  code.cmp(mem(RBX, FRAME.SLOT), R11);
  code.jump('a', hasParent);
  // Not the usual order: the caller's frame is not the last one, or is of another stack.
  code.call(stack.repair);
  emitFramesEnd(code, -FRAME.BYTES);
  code.test(RCX, RCX);
  code.jump('e', root!);
  code.bind(hasParent);
  code.mov(R12, mem(RBX, FRAME.DEPTH), 32);
  code.and(R12, ((FRAME_FLAG.IN_GRAPH | FRAME_FLAG.IN_NOTRACE) << FLAGS_SHIFT) | 0xffff, 32);
  // A frame that only a return probe has counts for no depth: that of the first one is -1.
  code.add(R12, 1, 16);
  const hasDepth = new Label();
  code.jmp(hasDepth);
  code.bind(root!);
  code.xor(R12, R12, 32);
  code.bind(hasDepth);
  if (probed === 'alone') code.jmp(unwanted);
  if (probed !== undefined) {
    code.cmp(mem(RSI, BLOCK.IGNORED), 0, 32);
    code.jump('ne', unwanted);
  }
  code.movzx(RAX, R12, 16);
  code.cmp(RAX, mem(R10, GATE.MAX_DEPTH), 32);
  code.jump('ae', unwanted);

  // rdx: the function's flags.
  code.mov(RDX, mem(RSP, NUMBER), 32);
  code.shift('shl', RDX, Math.log2(FUNCTION.BYTES));
  code.mov(RDX, indexed(R10, RDX, 1, functionTable + FUNCTION.FLAGS), 32);
  code.mov(RAX, R12, 32);
  code.shift('shr', RAX, FLAGS_SHIFT, 32);
  code.or(RAX, RDX, 32);
  code.or(RAX, mem(R10, GATE.HAS_GRAPH_FUNCTIONS), 32);
  code.jump('ne', filtered!);
  code.bind(follow!);
  if (probed !== undefined) code.or(R12, FRAME_FLAG.PROBED << FLAGS_SHIFT, 32);
  emitPush(code, stack, place, frames, tooDeep!);
  code.mov(RDI, mem(RSI, BLOCK.WRITER));
  writer.emitBegin(code, mem(R11), refused!);
  emitNow(code);
  code.cmp(mem(R10, GATE.THRESHOLD), 0);
  code.jump('ne', timed!);
  writer.emitReserve(code, ENTRY_WORDS, refused!);
  code.mov(RCX, mem(RSP, NUMBER), 32);
  emitFunctionAddress(code, functionTable);
  code.movzx(RDX, R12, 16);
  emitRecord(code, entryEvent, { func: RCX, depth: RDX });
  writer.emitCommit(code, ENTRY_WORDS);
  const calltime = code.label();
  code.mov(mem(RBX, FRAME.CALLTIME), R9);
  code.or(R12, FRAME_FLAG.RECORDED << FLAGS_SHIFT, 32);
  code.mov(mem(RBX, FRAME.DEPTH), R12, 32);
  code.bind(followed);
  emitHook(code, place);
  emitLeave(code);
  code.clc();
  code.ret(WORD);

  // tracing_thresh: the exit says it all.
  code.bind(timed!);
  writer.emitRelease(code);
  code.jmp(calltime);

  code.bind(refused!);
  if (probed === undefined) {
    code.mov(mem(RBX, FRAME.SLOT), 0);
    code.call(stack.lower);
    code.jmp(skip!);
  } else {
    code.jmp(followed);
    code.bind(unwanted);
    code.sub(R12, 1, 16);
    code.or(R12, FRAME_FLAG.PROBED << FLAGS_SHIFT, 32);
    emitPush(code, stack, place, frames, tooDeep!);
    code.jmp(followed);
  }

  // set_graph_function, set_graph_notrace.
  code.bind(filtered!);
  const quiet = new Label();
  const loud = new Label();
  code.test(R12, FRAME_FLAG.IN_NOTRACE << FLAGS_SHIFT, 32);
  code.jump('ne', unwanted);
  code.test(RDX, FUNCTION_FLAG.NOTRACE, 32);
  code.jump('ne', quiet);
  code.cmp(mem(R10, GATE.HAS_GRAPH_FUNCTIONS), 0, 32);
  code.jump('e', follow!);
  code.test(R12, FRAME_FLAG.IN_GRAPH << FLAGS_SHIFT, 32);
  code.jump('ne', follow!);
  code.test(RDX, FUNCTION_FLAG.GRAPH, 32);
  code.jump('e', unwanted);
  code.bind(loud);
  code.or(R12, FRAME_FLAG.IN_GRAPH << FLAGS_SHIFT, 32);
  code.jmp(follow!);
  // Its frame only ends the part that is not traced.
  code.bind(quiet);
  code.or(R12, (FRAME_FLAG.IN_NOTRACE | (probed === undefined ? 0 : FRAME_FLAG.PROBED)) << FLAGS_SHIFT, 32);
  emitPush(code, stack, place, frames, tooDeep!);
  code.jmp(followed);

  code.bind(tooDeep!);
  code.unary('inc', mem(RSI, BLOCK.TOO_DEEP));
  code.jmp(skip!);
  code.bind(unblocked!);
  code.lockArithmetic('add', mem(R10, SHARED.UNBLOCKED), 1);
  code.bind(skip!);
  emitLeave(code);
  code.stc();
  code.ret(WORD);
  return start;
}

/** Adds a frame: the place in r11, depth and flags in r12d, rcx frames before it. rbx becomes its address. */
function emitPush(code: Assembler, stack: ShadowStackCode, place: SlotPlace, frames: number, tooDeep: Label): void {
  const claimed = new Label();
  const onTop = new Label();
  code.cmp(RCX, frames);
  code.jump('b', onTop);
  // Coroutines that take turns leave free frames behind that are never on top.
  code.call(stack.hole);
  code.test(RBX, RBX);
  code.jump('e', tooDeep);
  code.lea(RAX, mem(R11, FRAME_INCOMPLETE));
  code.mov(mem(RBX, FRAME.SLOT), RAX);
  code.jmp(claimed);

  code.bind(onTop);
  code.imulBy(RBX, RCX, FRAME.BYTES);
  code.add(RCX, 1);
  code.lea(RBX, indexed(RBX, RSI, 1, BLOCK.FRAMES));
  // What interrupts this must take the next frame. It would remove this one from the top as long as it has no place.
  code.lea(RAX, mem(R11, FRAME_INCOMPLETE));
  const again = code.label();
  code.mov(mem(RSI, BLOCK.TOP), RCX);
  code.mov(mem(RBX, FRAME.SLOT), RAX);
  code.mov(mem(RSI, BLOCK.TOP), RCX);
  code.cmp(mem(RBX, FRAME.SLOT), RAX);
  code.jump('ne', again);
  code.bind(claimed);
  code.mov(RAX, mem(R11));
  code.mov(mem(RBX, FRAME.RETURN), RAX);
  code.mov(RAX, mem(RSP, NUMBER), 32);
  code.mov(mem(RBX, FRAME.FUNCTION), RAX, 32);
  code.mov(mem(RBX, FRAME.DEPTH), R12, 32);
  code.mov(RAX, mem(RSP, SAVED_BYTES));
  code.add(RAX, EXIT_DISTANCE[place]);
  code.mov(mem(RBX, FRAME.EXIT), RAX);
  code.mov(mem(RBX, FRAME.SLOT), R11);
}

/** On the stack, the thunk's own call puts the exit into the place. */
function emitHook(code: Assembler, place: SlotPlace): void {
  if (place === 'on the stack') return;
  code.mov(RAX, mem(RBX, FRAME.EXIT));
  code.mov(mem(R11), RAX);
}

function emitLeave(code: Assembler): void {
  for (const register of SAVED.toReversed()) code.pop(register);
}

/**
 * Emits what function_graph does at an exit. A thunk jumps here when its function has returned: the stack pointer is behind the place where its
 * return address was. All registers are kept but the flags.
 */
export function emitGraphExit(code: Assembler, parts: CodeParts, stack: ShadowStackCode): Label {
  code.align(64);
  const start = code.label();
  code.lea(RSP, mem(RSP, -WORD));
  for (const register of SAVED) code.push(register);
  code.movImmediate(R10, parts.arena);
  code.lea(R11, mem(RSP, SAVED_BYTES));
  parts.blocks.emitFind(code);
  const search = new Label();
  const found = new Label();
  const lowered = new Label();
  const unrecorded = new Label();
  code.test(RSI, RSI);
  code.jump('e', search);
  emitFramesEnd(code, -FRAME.BYTES);
  code.cmp(mem(RBX, FRAME.SLOT), R11);
  code.jump('ne', search);
  code.bind(found);
  code.mov(RAX, mem(RBX, FRAME.RETURN));
  code.mov(mem(R11), RAX);
  code.test(RSI, RSI);
  code.jump('e', unrecorded);
  stack.emitExitRecord(code);
  code.bind(unrecorded);
  code.mov(mem(RBX, FRAME.SLOT), 0);
  code.test(RSI, RSI);
  code.jump('e', lowered);
  code.call(stack.lower);
  code.bind(lowered);
  emitLeave(code);
  code.ret();

  code.bind(search);
  code.call(stack.find);
  code.test(RBX, RBX);
  const exhume = new Label();
  code.jump('e', exhume);
  code.test(RSI, RSI);
  code.jump('e', found);
  code.unary('inc', mem(RSI, BLOCK.HOLES), 32);
  code.jmp(found);

  code.bind(exhume);
  code.call(stack.exhume);
  code.test(RAX, RAX);
  const lost = new Label();
  code.jump('e', lost);
  code.mov(mem(R11), RAX);
  code.jmp(lowered);
  // The place is unknown: there is nowhere to go.
  code.bind(lost);
  code.ud2();
  return start;
}
