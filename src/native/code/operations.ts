import { FTRACE_EVENTS } from '../../events/ftrace-events.js';
import { OFF } from '../../ring-buffer/instance-switch.js';
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
  VALUE,
} from '../machine/operands.js';
import { BLOCK, FRAME, OPERATION, REPEATS, SHARED } from './arena.js';
import { ARGUMENT_WORDS, emitEntryArguments } from './entry-arguments.js';
import type { CodeParts } from './function-trampoline.js';
import { LIST_SAVED } from './list-trampoline.js';
import { emitRecord, recordWords } from './record-code.js';
import { emitCallersAddress, emitFramesEnd } from './shadow-stack.js';
import { emitStackDepth } from './stack-depth.js';
import { emitRestore } from './trampoline-end.js';

/** What an operation can be; each routine says what it takes. */
export const OPERATION_NAMES = ['function', 'stack', 'traceon', 'traceoff', 'snapshot', 'dump', 'cpudump', 'depth'] as const;
/** The name of a routine. */
export type OperationName = (typeof OPERATION_NAMES)[number];

/** Bits of C of `function`. */
export const FUNCTION_OPERATION = { STACK: 1, ARGUMENTS: 2, NO_REPEATS: 4, REPEATS_SHIFT: 8 } as const;

/** Most addresses of a stack: a walk takes time at each call. */
const MOST_ADDRESSES = 64;
/** Bytes and words of a stack record before its addresses. */
const STACK_BYTES = 16;
const STACK_WORDS = STACK_BYTES / 4;
const WORD = 8;
const ONE_SNAPSHOT = 256;

/** What routines are made of. */
export interface OperationParts extends CodeParts {
  /** Where the writers walk the stack. */
  readonly walk: Label;
  /** Where return addresses that followed calls have replaced are looked up: see emitReturned. */
  readonly returned: Label;
}

type Emit = (code: PortableAssembler, parts: OperationParts, done: Label) => void;

/**
 * Emits the routines that a list of operations calls (operations with function probes are in kernel/trace/trace_functions.c).
 * Registers: KEPT0 the operation, ARG1 the thread's block, SCRATCH0 the arena, KEPT1 the function's address, KEPT2 the place of
 * its return address, KEPT3 the frame pointer of its caller. These are kept; all others are lost.
 */
export function emitOperations(code: PortableAssembler, parts: CodeParts): Readonly<Record<OperationName, Label>> {
  const walk = new Label();
  const returned = new Label();
  const labels = OPERATION_NAMES.map((name) => {
    code.align(16);
    const start = code.label();
    const done = new Label();
    ROUTINES[name](code, { ...parts, walk, returned }, done);
    code.bind(done);
    code.ret();
    return [name, start] as const;
  });
  emitWalk(code, walk, returned);
  emitReturned(code, returned);
  return Object.fromEntries(labels) as Record<OperationName, Label>;
}

/** ARG0 becomes the writer of the instance whose word A names; goes to `none` if the thread has none there. */
function emitWriter(code: PortableAssembler, none: Label): void {
  code.mov(VALUE, mem(KEPT0, OPERATION.A));
  code.mov(ARG0, { base: ARG1, index: VALUE, scale: 1, disp: 0 });
  code.test(ARG0, ARG0);
  code.jump('e', none);
}

/** Takes one of the counts at B, if B is not 0; goes to `none` if there is none left. */
function emitTakeOne(code: PortableAssembler, none: Label, isLeft: 'g' | 'ne'): void {
  const [always, take] = [new Label(), new Label()];
  code.mov(ARG2, mem(KEPT0, OPERATION.B));
  code.test(ARG2, ARG2);
  code.jump('e', always);
  code.mov(VALUE, mem(ARG2), 32);
  const again = code.label();
  code.test(VALUE, VALUE, 32);
  code.jump(isLeft, take);
  code.jmp(none);
  code.bind(take);
  code.lea(ARG3, mem(VALUE, -1));
  code.lockCmpxchg(mem(ARG2), ARG3, 32);
  code.jump('ne', again);
  code.bind(always);
}

/** A: the address of the instance's STATE. It is switched, and counted, only if it changes (update_traceon_count). */
const switching =
  (on: boolean): Emit =>
  (code, _parts, done) => {
    code.mov(ARG4, mem(KEPT0, OPERATION.A));
    code.test(mem(ARG4), OFF.tracingOn, 32);
    code.jump(on ? 'e' : 'ne', done);
    emitTakeOne(code, done, 'g');
    if (on) code.lockArithmetic('and', mem(ARG4), ~OFF.tracingOn, 32);
    else code.lockArithmetic('or', mem(ARG4), OFF.tracingOn, 32);
  };

/** C: the address of the top level's STATE. Tracing stops, and the host is told. */
const dumping =
  (isOfOneCpu: boolean): Emit =>
  (code, _parts, done) => {
    emitTakeOne(code, done, 'g');
    code.mov(ARG4, mem(KEPT0, OPERATION.C));
    code.lockArithmetic('or', mem(ARG4), OFF.tracingOn, 32);
    if (!isOfOneCpu) {
      code.mov(mem(SCRATCH0, SHARED.DUMP), 1, 32);
      return;
    }
    code.mov(VALUE, mem(ARG1, BLOCK.TID), 32);
    code.mov(mem(SCRATCH0, SHARED.DUMP_CPU), VALUE, 32);
  };

const ROUTINES: Readonly<Record<OperationName, Emit>> = {
  /**
   * A: the word of the block with the writer; B: the bit of the list that leaves tasks out, or 0; C: FUNCTION_OPERATION, and from
   * REPEATS_SHIFT on the word of the block with its REPEATS.
   */
  function(code, parts, done) {
    const { writer, javascript } = parts;
    const event = FTRACE_EVENTS.function;
    const words = recordWords(event);
    code.mov(VALUE, mem(KEPT0, OPERATION.B));
    code.test(mem(ARG1, BLOCK.IGNORED_LISTS), VALUE, 32);
    code.jump('ne', done);
    emitWriter(code, done);
    writer.emitBegin(code, mem(KEPT2), done);
    javascript.emitTime(code);
    emitRepeats(code, parts, done);
    const emitFields = (): void => {
      emitParent(code, parts);
      code.mov(ARG2, VALUE);
      emitRecord(code, event, { ip: KEPT1, parent_ip: ARG2 });
    };
    const [recorded, plain] = [new Label(), new Label()];
    code.test(mem(KEPT0, OPERATION.C), FUNCTION_OPERATION.ARGUMENTS, 32);
    code.jump('e', plain);
    writer.emitReserve(code, words + ARGUMENT_WORDS, done);
    emitFields();
    emitEntryArguments(code, event.size, 0, LIST_SAVED, FP);
    writer.emitCommit(code, words + ARGUMENT_WORDS);
    code.jmp(recorded);
    code.bind(plain);
    writer.emitReserve(code, words, done);
    emitFields();
    writer.emitCommit(code, words);
    code.bind(recorded);
    code.test(mem(KEPT0, OPERATION.C), FUNCTION_OPERATION.STACK, 32);
    code.jump('e', done);
    emitStack(code, parts, done);
  },
  /**
   * A: as for `function`; B: the address of the count; C: the address of the top level's STATE: what is not recorded does not
   * count.
   */
  stack(code, parts, done) {
    const uncounted = new Label();
    code.cmp(mem(KEPT0, OPERATION.B), 0);
    code.jump('e', uncounted);
    code.mov(ARG4, mem(KEPT0, OPERATION.C));
    code.test(mem(ARG4), OFF.tracingOn, 32);
    code.jump('ne', done);
    emitTakeOne(code, done, 'ne');
    code.bind(uncounted);
    emitStack(code, parts, done);
  },
  traceon: switching(true),
  traceoff: switching(false),
  /** A: the address of the instance's STATE; B: the address of the count. */
  snapshot(code, _parts, done) {
    emitTakeOne(code, done, 'g');
    code.mov(ARG4, mem(KEPT0, OPERATION.A));
    code.lockArithmetic('add', mem(ARG4), ONE_SNAPSHOT, 32);
  },
  dump: dumping(false),
  cpudump: dumping(true),
  depth: (code, { returned }, done) => emitStackDepth(code, returned, done),
};

/**
 * Emits func-no-repeats: a call of the same function from the same place as the last one is only counted, and the count is
 * recorded before the next other call. ARG5 is the time, also afterwards; the writer is this code's. KEPT4, SCRATCH1, VALUE,
 * ARG3, ARG2 are lost.
 */
function emitRepeats(code: PortableAssembler, parts: OperationParts, done: Label): void {
  const { writer, javascript } = parts;
  const [off, other, fresh] = [new Label(), new Label(), new Label()];
  const event = FTRACE_EVENTS.func_repeats;
  const words = recordWords(event);
  code.test(mem(KEPT0, OPERATION.C), FUNCTION_OPERATION.NO_REPEATS, 32);
  code.jump('e', off);
  emitParent(code, parts);
  code.mov(ARG2, VALUE);
  code.mov(KEPT4, mem(KEPT0, OPERATION.C));
  code.shift('shr', KEPT4, FUNCTION_OPERATION.REPEATS_SHIFT);
  code.add(KEPT4, ARG1);
  code.cmp(KEPT1, mem(KEPT4, REPEATS.IP));
  code.jump('ne', other);
  code.cmp(ARG2, mem(KEPT4, REPEATS.PARENT));
  code.jump('ne', other);
  code.mov(ARG3, mem(KEPT4, REPEATS.COUNT), 32);
  code.cmp(ARG3, MOST_REPEATS, 32);
  code.jump('ae', other);
  code.unary('inc', ARG3, 32);
  code.mov(mem(KEPT4, REPEATS.COUNT), ARG3, 32);
  code.mov(mem(KEPT4, REPEATS.LAST), ARG5);
  writer.emitRelease(code);
  code.jmp(done);
  code.bind(other);
  code.cmp(mem(KEPT4, REPEATS.COUNT), 0, 32);
  code.jump('e', fresh);
  writer.emitReserve(code, words, done);
  const { count, bottom_delta_ts: delta } = event.fields;
  code.mov(mem(ARG4), event.id, 32);
  code.mov(VALUE, mem(ARG1, BLOCK.TID), 32);
  code.mov(mem(ARG4, 4), VALUE, 32);
  for (const [field, offset] of [
    ['ip', REPEATS.IP],
    ['parent_ip', REPEATS.PARENT],
  ] as const) {
    code.mov(VALUE, mem(KEPT4, offset));
    code.mov(mem(ARG4, event.fields[field].offset), VALUE);
  }
  code.mov(VALUE, ARG5);
  code.sub(VALUE, mem(KEPT4, REPEATS.LAST));
  code.mov(mem(ARG4, delta.offset), VALUE, 32);
  // The upper bits of the time share a word with the count.
  code.shift('shr', VALUE, 32);
  code.shift('shl', VALUE, 16);
  code.mov(ARG3, mem(KEPT4, REPEATS.COUNT), 32);
  code.or(VALUE, ARG3);
  code.mov(mem(ARG4, count.offset), VALUE, 32);
  writer.emitCommit(code, words);
  writer.emitBegin(code, mem(KEPT2), done);
  javascript.emitTime(code);
  code.bind(fresh);
  code.mov(mem(KEPT4, REPEATS.COUNT), 0, 32);
  code.mov(mem(KEPT4, REPEATS.IP), KEPT1);
  code.mov(ARG2, mem(KEPT2));
  code.stripSignature(ARG2);
  code.mov(mem(KEPT4, REPEATS.PARENT), ARG2);
  code.bind(off);
}

/** The most repeats in a record; then the call is recorded again. */
const MOST_REPEATS = 0xffff;

/** Writes the stack of the function that is being entered. */
function emitStack(code: PortableAssembler, { writer, javascript, walk }: OperationParts, done: Label): void {
  emitWriter(code, done);
  writer.emitBegin(code, mem(KEPT2), done);
  javascript.emitTime(code);
  code.xor(ARG4, ARG4, 32);
  code.call(walk);
  code.lea(ARG3, { index: SCRATCH1, scale: 2, disp: STACK_WORDS });
  writer.emitReserveWords(code, done);
  code.call(walk);
  code.mov(mem(ARG4), FTRACE_EVENTS.kernel_stack.id, 32);
  code.mov(VALUE, mem(ARG1, BLOCK.TID), 32);
  code.mov(mem(ARG4, 4), VALUE, 32);
  code.mov(mem(ARG4, 8), SCRATCH1);
  code.lea(SCRATCH1, { index: SCRATCH1, scale: 2, disp: STACK_WORDS });
  writer.emitCommit(code, SCRATCH1);
}

/**
 * SCRATCH1 becomes how many addresses the stack has; with a record at ARG4, they are written there. Callers are found by frame
 * pointers, as the kernel finds those of user space (userstacktrace), and only on the thread's own stack. VALUE, ARG3, ARG2 are
 * lost.
 */
function emitWalk(code: PortableAssembler, walk: Label, returned: Label): void {
  const done = new Label();
  const quiet = new Label();
  code.align(16);
  code.bind(walk);
  code.movImmediate(SCRATCH1, 2);
  code.mov(KEPT4, KEPT2);
  code.mov(VALUE, mem(KEPT2));
  code.call(returned);
  code.test(ARG4, ARG4);
  code.jump('e', quiet);
  code.mov(mem(ARG4, STACK_BYTES), KEPT1);
  code.mov(mem(ARG4, STACK_BYTES + WORD), VALUE);
  code.bind(quiet);
  code.mov(ARG3, KEPT3);
  code.mov(ARG2, KEPT2);
  code.cmp(ARG2, mem(ARG1, BLOCK.STACK_LOW));
  code.jump('b', done);
  const again = code.label();
  code.cmp(SCRATCH1, MOST_ADDRESSES);
  code.jump('ae', done);
  code.cmp(ARG3, ARG2);
  code.jump('be', done);
  code.test(ARG3, WORD - 1);
  code.jump('ne', done);
  code.mov(VALUE, mem(ARG1, BLOCK.STACK_HIGH));
  code.sub(VALUE, 2 * WORD);
  code.cmp(ARG3, VALUE);
  code.jump('a', done);
  code.lea(KEPT4, mem(ARG3, WORD));
  code.mov(VALUE, mem(KEPT4));
  code.test(VALUE, VALUE);
  code.jump('e', done);
  code.call(returned);
  const silent = new Label();
  code.test(ARG4, ARG4);
  code.jump('e', silent);
  code.mov({ base: ARG4, index: SCRATCH1, scale: 8, disp: STACK_BYTES }, VALUE);
  code.bind(silent);
  code.unary('inc', SCRATCH1);
  code.mov(ARG2, ARG3);
  code.mov(ARG3, mem(ARG3));
  code.jmp(again);
  code.bind(done);
  code.ret();
}

/**
 * VALUE becomes the function's return address: that of a followed call, if its function has jumped here. KEPT4, ARG3 are lost.
 */
function emitParent(code: PortableAssembler, { returned }: OperationParts): void {
  const done = new Label();
  code.mov(VALUE, mem(KEPT2));
  code.stripSignature(VALUE);
  code.mov(ARG3, mem(ARG1, BLOCK.TOP));
  code.cmp(indexed(ARG3, ARG1, 1, BLOCK.FRAMES - FRAME.BYTES + FRAME.SLOT), KEPT2);
  code.jump('ne', done);
  code.mov(KEPT4, KEPT2);
  code.call(returned);
  code.bind(done);
}

/** The return address in VALUE, which stands at KEPT4, becomes the caller's, if a call that is followed has replaced it. */
function emitReturned(code: PortableAssembler, returned: Label): void {
  code.align(16);
  code.bind(returned);
  code.stripSignature(VALUE);
  code.cmp(mem(ARG1, BLOCK.TOP), 0);
  const some = new Label();
  code.jump('ne', some);
  code.ret();
  code.bind(some);
  const saved = [KEPT0, ARG3];
  for (const register of saved) code.push(register);
  emitFramesEnd(code);
  emitCallersAddress(code, KEPT4);
  emitRestore(code, saved);
  code.ret();
}
