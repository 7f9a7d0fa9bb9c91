import { FTRACE_EVENTS } from '../../events/ftrace-events.js';
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
  Label,
  type Memory,
  mem,
  SCRATCH0,
  SCRATCH1,
  SP,
  VALUE,
} from '../machine/operands.js';
import type { ProbedBy } from '../machine/probe-machine.js';
import type { SlotPlace } from '../machine/thunk.js';
import { BLOCK, FRAME, FRAME_FLAG, FRAME_INCOMPLETE, FUNCTION, FUNCTION_FLAG, GATE, OPEN } from './arena.js';
import { emitNow } from './clock.js';
import { ARGUMENT_WORDS, emitEntryArguments } from './entry-arguments.js';
import { emitFunctionAddress } from './function-address.js';
import type { CodeParts } from './function-trampoline.js';
import { emitProfileEntry, emitProfileHit } from './profile-code.js';
import { emitRecord, recordWords } from './record-code.js';
import { emitFramesEnd, type ShadowStackCode } from './shadow-stack.js';
import { unblockedAside } from './trampoline-end.js';

const WORD = 8;
/**
 * Registers that an exit keeps: with -fipa-ra a caller counts on registers that the function does not use: all that is used is
 * kept.
 */
const SAVED_AT_EXIT = [VALUE, ARG3, ARG2, KEPT0, ARG1, ARG0, ARG4, ARG5, SCRATCH0, SCRATCH1];
const SAVED = [...SAVED_AT_EXIT, KEPT1];

const entryEvent = FTRACE_EVENTS.funcgraph_entry;
const ENTRY_WORDS = recordWords(entryEvent);
/** Depth and flags are one word here: depth below, flags above. */
const FLAGS_SHIFT = (FRAME.FLAGS - FRAME.DEPTH) * 8;

/** What an entry is made of. */
interface EntryParts {
  readonly parts: CodeParts;
  readonly stack: ShadowStackCode;
  readonly place: SlotPlace;
  /** Frames of each thread. */
  readonly frames: number;
  readonly probed?: ProbedBy | undefined;
}

/** An entry while it is being emitted. */
interface Entry extends EntryParts {
  /** Bytes from the stack pointer to the function's number. */
  readonly number: number;
}

/** SCRATCH1 becomes the call's place. */
function emitPlace(code: PortableAssembler, { parts, place, number }: Entry): void {
  const { frameWords, returnAbove } = parts.machine;
  if (place === 'on the stack') code.lea(SCRATCH1, mem(SP, number + returnAbove.jump));
  else if (frameWords === undefined) code.lea(SCRATCH1, mem(FP, WORD));
  else code.mov(SCRATCH1, mem(SP, number + frameWords.place));
}

/** The return address; SCRATCH1 is the call's place. */
const returnOf = ({ parts, place, number }: Entry): Memory => {
  const { frameWords } = parts.machine;
  return place === 'on the stack' || frameWords === undefined ? mem(SCRATCH1) : mem(SP, number + frameWords.returnAddress);
};

/**
 * Emits what function_graph does at an entry (kernel/trace/trace_functions_graph.c). A thunk pushes the function's number and
 * calls this. All registers are kept but the flags: the carry flag says that the call is not followed. The number is removed.
 */
export function emitGraphEntry(code: PortableAssembler, options: EntryParts): Label {
  const skip = new Label();
  code.align(64);
  const start = code.label();
  const entry = { ...options, number: code.enter(SAVED) };
  code.movImmediate(SCRATCH0, entry.parts.arena);
  // What all calls do in a process with JavaScript is in the part with limits.
  if (entry.probed === undefined && !entry.parts.javascript.isOn) {
    const limited = new Label();
    code.cmp(mem(SCRATCH0, GATE.OPEN), OPEN.ALL, 32);
    code.jump('ne', limited);
    emitFollow(code, entry, false, skip);
    code.emitAsides();
    code.bind(limited);
  }
  code.cmp(mem(SCRATCH0, GATE.OPEN), OPEN.NOT, 32);
  code.jump('e', skip);
  if (entry.probed !== 'alone') {
    const traced = new Label();
    code.cmp(mem(SCRATCH0, GATE.PROFILE), 0, 32);
    code.jump('e', traced);
    emitProfiled(code, entry, skip);
    code.emitAsides();
    code.bind(traced);
  }
  emitFollow(code, entry, true, skip);
  code.emitAsides();
  code.bind(skip);
  code.stc();
  code.leave(SAVED);
  return start;
}

/**
 * Follows the call and returns to the thunk, or goes to `skip`. `isLimited`: not all calls may be followed, or not all that are
 * recorded.
 */
function emitFollow(code: PortableAssembler, entry: Entry, isLimited: boolean, skip: Label): void {
  const { parts, stack, probed } = entry;
  const { writer, blocks, javascript } = parts;
  const unblocked = unblockedAside(code, skip);
  if (!isLimited) emitNow(code);
  blocks.emitTake(code, unblocked);
  if (probed === undefined) {
    code.cmp(mem(ARG1, BLOCK.IGNORED), 0, 32);
    code.jump('ne', skip);
    javascript.emitQuiet(code, skip);
  }
  emitPlace(code, entry);

  emitParent(code, entry, isLimited);
  javascript.emitDepth(code);

  const followed = new Label();
  const unwanted = probed === undefined ? skip : code.aside(() => emitProbedOnly(code, entry, skip, followed));
  if (probed === 'alone') {
    code.jmp(unwanted);
    emitFollowed(code, entry, followed);
    return;
  }
  if (isLimited) emitLimits(code, entry, { skip, unwanted, followed });
  if (probed !== undefined) code.or(KEPT1, FRAME_FLAG.PROBED << FLAGS_SHIFT, 32);
  emitPush(code, entry, skip);
  javascript.emitEntered(code);
  const refused = code.aside(() => {
    if (probed !== undefined) {
      code.jmp(followed);
      return;
    }
    javascript.emitLeft(code);
    code.mov(mem(KEPT0, FRAME.SLOT), 0);
    code.call(stack.lower);
    code.jmp(skip);
  });
  code.mov(ARG0, mem(ARG1, BLOCK.WRITER));
  writer.emitBegin(code, mem(SCRATCH1), refused);
  const calltime = new Label();
  if (isLimited) {
    javascript.emitTime(code);
    // tracing_thresh: the exit says it all.
    const timed = code.aside(() => {
      writer.emitRelease(code);
      code.jmp(calltime);
    });
    code.cmp(mem(SCRATCH0, GATE.THRESHOLD), 0);
    code.jump('ne', timed);
    // Where a function calls `_mcount` behind its prologue, a machine with a link register has other values in them.
    if (entry.place === 'on the stack' || !parts.machine.hasLinkRegister) emitIfArguments(code, entry, refused, calltime);
  }
  writer.emitReserve(code, ENTRY_WORDS, refused);
  code.movzx(ARG2, KEPT1, 16);
  emitRecord(code, entryEvent, { func: mem(KEPT0, FRAME.IP), depth: ARG2 });
  writer.emitCommit(code, ENTRY_WORDS);
  code.bind(calltime);
  code.mov(mem(KEPT0, FRAME.CALLTIME), ARG5);
  code.arithmetic('or', mem(KEPT0, FRAME.FLAGS), FRAME_FLAG.RECORDED, 8);
  emitFollowed(code, entry, followed);
}

/** Emits the record of a call with what registers had, for funcgraph-args; it goes on at `recorded`. */
function emitIfArguments(code: PortableAssembler, { parts }: Entry, refused: Label, recorded: Label): void {
  const { writer } = parts;
  const words = ENTRY_WORDS + ARGUMENT_WORDS;
  const wanted = code.aside(() => {
    writer.emitReserve(code, words, refused);
    code.movzx(ARG2, KEPT1, 16);
    emitRecord(code, entryEvent, { func: mem(KEPT0, FRAME.IP), depth: ARG2 });
    emitEntryArguments(code, entryEvent.size, 1, SAVED, SP);
    writer.emitCommit(code, words);
    code.jmp(recorded);
  });
  code.cmp(mem(SCRATCH0, GATE.ARGUMENTS), 0, 32);
  code.jump('ne', wanted);
}

/**
 * Finds the caller's frame: ARG3 the bytes of the frames up to it, KEPT0 its address, and KEPT1 the depth and flags of a new one.
 * SCRATCH1 is the place of the return address.
 */
function emitParent(code: PortableAssembler, entry: Entry, isLimited: boolean): void {
  const { stack, parts } = entry;
  const hasParent = new Label();
  const hasDepth = new Label();
  const noParent = code.aside(() => {
    const root = new Label();
    code.test(ARG3, ARG3);
    code.jump('e', root);
    // Not the usual order: the caller's frame is not the last one, or is of another stack.
    if (parts.machine.hasLinkRegister) code.lea(KEPT1, returnOf(entry));
    code.call(stack.repair);
    emitFramesEnd(code, -FRAME.BYTES);
    code.test(ARG3, ARG3);
    code.jump('ne', hasParent);
    code.bind(root);
    code.xor(KEPT1, KEPT1, 32);
    code.jmp(hasDepth);
  });
  emitFramesEnd(code, -FRAME.BYTES);
  code.cmp(mem(KEPT0, FRAME.SLOT), SCRATCH1);
  code.jump('be', noParent);
  code.bind(hasParent);
  if (isLimited) {
    code.mov(KEPT1, mem(KEPT0, FRAME.DEPTH), 32);
    code.and(KEPT1, ((FRAME_FLAG.IN_GRAPH | FRAME_FLAG.IN_NOTRACE) << FLAGS_SHIFT) | 0xffff, 32);
  } else code.movzx(KEPT1, mem(KEPT0, FRAME.DEPTH), 16);
  // A frame that only a return probe has counts for no depth: that of the first one is -1.
  code.add(KEPT1, 1, 16);
  code.bind(hasDepth);
}

/** Emits the profiler's entry (profile_graph_entry), which counts the call, and measures it if it can be followed. */
function emitProfiled(code: PortableAssembler, entry: Entry, skip: Label): void {
  const { parts, probed } = entry;
  const followed = new Label();
  const unblocked = unblockedAside(code, skip);
  parts.blocks.emitTake(code, unblocked);
  code.mov(ARG3, mem(SP, entry.number), 32);
  emitProfileHit(code);
  emitPlace(code, entry);
  emitParent(code, entry, false);
  if (probed !== undefined) code.or(KEPT1, FRAME_FLAG.PROBED << FLAGS_SHIFT, 32);
  emitPush(code, entry, skip);
  code.mov(ARG3, mem(SP, entry.number), 32);
  emitProfileEntry(code);
  emitFollowed(code, entry, followed);
}

/** Returns to the thunk: the call has a frame. */
function emitFollowed(code: PortableAssembler, entry: Entry, followed: Label): void {
  code.bind(followed);
  emitHook(code, entry);
  code.clc();
  code.leave(SAVED);
}

/** Adds a frame for a return probe: the tracer does not want the call. */
function emitProbedOnly(code: PortableAssembler, entry: Entry, skip: Label, followed: Label): void {
  code.sub(KEPT1, 1, 16);
  code.or(KEPT1, FRAME_FLAG.PROBED << FLAGS_SHIFT, 32);
  emitPush(code, entry, skip);
  entry.parts.javascript.emitEntered(code, false);
  code.jmp(followed);
}

/** Where the limits of a tracer lead. */
interface Limited {
  readonly skip: Label;
  /** The tracer does not want the call. */
  readonly unwanted: Label;
  /** The call's frame only ends the part that is not traced. */
  readonly followed: Label;
}

/** max_graph_depth, set_graph_function, set_graph_notrace; for a return probe, set_ftrace_pid. */
function emitLimits(code: PortableAssembler, entry: Entry, { skip, unwanted, followed }: Limited): void {
  const isProbed = entry.probed !== undefined;
  const follow = new Label();
  if (isProbed) {
    code.cmp(mem(ARG1, BLOCK.IGNORED), 0, 32);
    code.jump('ne', unwanted);
  }
  code.movzx(VALUE, KEPT1, 16);
  code.cmp(VALUE, mem(SCRATCH0, GATE.MAX_DEPTH), 32);
  code.jump('ae', unwanted);
  code.test(KEPT1, FRAME_FLAG.IN_NOTRACE << FLAGS_SHIFT, 32);
  code.jump('ne', unwanted);
  // ARG2: the function's flags.
  code.mov(ARG2, mem(SP, entry.number), 32);
  code.shift('shl', ARG2, Math.log2(FUNCTION.BYTES));
  code.mov(ARG2, indexed(SCRATCH0, ARG2, 1, entry.parts.functionTable + FUNCTION.FLAGS), 32);
  const quiet = code.aside(() => {
    code.or(KEPT1, (FRAME_FLAG.IN_NOTRACE | (isProbed ? FRAME_FLAG.PROBED : 0)) << FLAGS_SHIFT, 32);
    emitPush(code, entry, skip);
    entry.parts.javascript.emitEntered(code);
    code.jmp(followed);
  });
  code.test(ARG2, FUNCTION_FLAG.NOTRACE, 32);
  code.jump('ne', quiet);
  code.cmp(mem(SCRATCH0, GATE.HAS_GRAPH_FUNCTIONS), 0, 32);
  code.jump('e', follow);
  code.test(KEPT1, FRAME_FLAG.IN_GRAPH << FLAGS_SHIFT, 32);
  code.jump('ne', follow);
  code.test(ARG2, FUNCTION_FLAG.GRAPH, 32);
  code.jump('e', unwanted);
  code.or(KEPT1, FRAME_FLAG.IN_GRAPH << FLAGS_SHIFT, 32);
  code.bind(follow);
}

/** Adds a frame: the place in SCRATCH1, depth and flags in KEPT1, ARG3 bytes of frames before it. KEPT0 becomes its address. */
function emitPush(code: PortableAssembler, entry: Entry, skip: Label): void {
  const { parts, stack, place, frames } = entry;
  const claimed = new Label();
  const tooDeep = code.aside(() => {
    code.unary('inc', mem(ARG1, BLOCK.TOO_DEEP));
    code.jmp(skip);
  });
  const full = code.aside(() => {
    // Coroutines that take turns leave free frames behind that are never on top.
    code.mov(VALUE, returnOf(entry));
    code.call(stack.hole);
    code.test(KEPT0, KEPT0);
    code.jump('e', tooDeep);
    code.lea(VALUE, mem(SCRATCH1, FRAME_INCOMPLETE));
    code.mov(mem(KEPT0, FRAME.SLOT), VALUE);
    code.jmp(claimed);
  });
  code.cmp(ARG3, frames * FRAME.BYTES);
  code.jump('ae', full);
  code.lea(KEPT0, indexed(ARG3, ARG1, 1, BLOCK.FRAMES));
  code.add(ARG3, FRAME.BYTES);
  // What interrupts this must take the next frame. It removes this one from the top as long as it has no place, and takes it as
  // long as it is not below the top.
  code.lea(VALUE, mem(SCRATCH1, FRAME_INCOMPLETE));
  const again = code.label();
  code.mov(mem(KEPT0, FRAME.SLOT), VALUE);
  code.mov(mem(ARG1, BLOCK.TOP), ARG3);
  code.cmp(mem(KEPT0, FRAME.SLOT), VALUE);
  code.jump('ne', again);
  code.bind(claimed);
  code.mov(VALUE, returnOf(entry));
  code.mov(mem(KEPT0, FRAME.RETURN), VALUE);
  code.mov(ARG3, mem(SP, entry.number), 32);
  emitFunctionAddress(code, parts.functionTable);
  code.mov(mem(KEPT0, FRAME.IP), ARG3);
  code.mov(mem(KEPT0, FRAME.DEPTH), KEPT1, 32);
  code.mov(VALUE, mem(SP, entry.number - WORD));
  code.add(VALUE, parts.machine.exitDistance[place]);
  code.mov(mem(KEPT0, FRAME.EXIT), VALUE);
  code.mov(mem(KEPT0, FRAME.SLOT), SCRATCH1);
}

/** On the stack, the thunk's own call puts the exit into the place. */
function emitHook(code: PortableAssembler, { parts, place }: Entry): void {
  if (place === 'on the stack' || parts.machine.frameWords !== undefined) return;
  code.mov(VALUE, mem(KEPT0, FRAME.EXIT));
  code.mov(mem(SCRATCH1), VALUE);
}

/**
 * Emits what function_graph does at an exit. A thunk jumps here when its function has returned: the stack pointer is behind the
 * place where its return address was. All registers are kept but the flags.
 */
export function emitGraphExit(code: PortableAssembler, parts: CodeParts, stack: ShadowStackCode): Label {
  code.align(64);
  const start = code.label();
  const leave = new Label();
  const places = code.enterExit(SAVED_AT_EXIT);
  code.movImmediate(SCRATCH0, parts.arena);
  code.lea(SCRATCH1, mem(SP, places.returnAddress));
  const result = mem(SP, places.result);
  const { javascript } = parts;
  if (!javascript.isOn) emitNow(code);
  parts.blocks.emitFind(code);
  const search = code.aside(() => emitSearchedExit(code, parts, stack, { leave, result }));
  code.test(ARG1, ARG1);
  code.jump('e', search);
  emitFramesEnd(code, -FRAME.BYTES);
  code.cmp(mem(KEPT0, FRAME.SLOT), SCRATCH1);
  code.jump('ne', search);
  if (parts.machine.hasLinkRegister) {
    code.mov(VALUE, mem(SCRATCH1));
    code.cmp(mem(KEPT0, FRAME.EXIT), VALUE);
    code.jump('ne', search);
  }
  code.mov(VALUE, mem(KEPT0, FRAME.RETURN));
  code.mov(mem(SCRATCH1), VALUE);
  stack.emitExitRecord(code, { hasTime: !javascript.isOn, result });
  javascript.emitLeft(code);
  code.mov(mem(KEPT0, FRAME.SLOT), 0);
  code.sub(KEPT0, ARG1);
  code.sub(KEPT0, BLOCK.FRAMES);
  code.mov(mem(ARG1, BLOCK.TOP), KEPT0);
  const lower = code.aside(() => {
    code.call(stack.lower);
    code.jmp(leave);
  });
  code.cmp(indexed(ARG1, KEPT0, 1, BLOCK.FRAMES - FRAME.BYTES + FRAME.SLOT), 0);
  code.jump('e', lower);
  code.bind(leave);
  code.leaveExit(SAVED_AT_EXIT);
  code.emitAsides();
  return start;
}

/** The exit of a call whose frame is not the last one of the thread in ARG1, if there is any. */
function emitSearchedExit(
  code: PortableAssembler,
  parts: CodeParts,
  stack: ShadowStackCode,
  { leave, result }: { readonly leave: Label; readonly result: Memory },
): void {
  const others = new Label();
  const exhume = new Label();
  code.call(stack.find);
  code.test(KEPT0, KEPT0);
  code.jump('e', exhume);
  code.mov(VALUE, mem(KEPT0, FRAME.RETURN));
  code.mov(mem(SCRATCH1), VALUE);
  code.test(ARG1, ARG1);
  code.jump('e', others);
  code.unary('inc', mem(ARG1, BLOCK.HOLES), 32);
  stack.emitExitRecord(code, { result });
  parts.javascript.emitLeft(code);
  code.mov(mem(KEPT0, FRAME.SLOT), 0);
  code.call(stack.lower);
  code.jmp(leave);
  code.bind(others);
  code.mov(mem(KEPT0, FRAME.SLOT), 0);
  code.jmp(leave);

  code.bind(exhume);
  code.call(stack.exhume);
  const lost = new Label();
  code.test(VALUE, VALUE);
  code.jump('e', lost);
  code.mov(mem(SCRATCH1), VALUE);
  code.jmp(leave);
  // The place is unknown: there is nowhere to go.
  code.bind(lost);
  code.ud2();
}
