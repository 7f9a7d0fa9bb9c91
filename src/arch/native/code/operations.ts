import { FTRACE_EVENTS } from '../../../events/ftrace-events.js';
import { OFF } from '../../../ring-buffer/instance-switch.js';
import type { Assembler } from '../machine/assembler.js';
import { Label, mem, R8, R10, R11, R12, R13, R14, R15, RAX, RBX, RCX, RDI, RDX, RSI } from '../machine/operands.js';
import { BLOCK, FRAME, OPERATION, SHARED } from './arena.js';
import type { CodeParts } from './function-trampoline.js';
import { emitRecord, recordWords } from './record-code.js';
import { emitSearch } from './shadow-stack.js';
import { emitStackDepth } from './stack-depth.js';
import { emitRestore } from './trampoline-end.js';

/** What an operation can be; each routine says what it takes. */
export const OPERATION_NAMES = ['function', 'stack', 'traceon', 'traceoff', 'snapshot', 'dump', 'cpudump', 'depth'] as const;
/** The name of a routine. */
export type OperationName = (typeof OPERATION_NAMES)[number];

/** Bits of C of `function`. */
export const FUNCTION_OPERATION = { STACK: 1 } as const;

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

type Emit = (code: Assembler, parts: OperationParts, done: Label) => void;

/**
 * Emits the routines that a list of operations calls (operations with function probes are in kernel/trace/trace_functions.c). Registers: rbx the
 * operation, rsi the thread's block, r10 the arena, r12 the function's address, r13 the place of its return address, r14 the frame pointer
 * of its caller. These are kept; all others are lost.
 */
export function emitOperations(code: Assembler, parts: CodeParts): Readonly<Record<OperationName, Label>> {
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

/** rdi becomes the writer of the instance whose word A names; goes to `none` if the thread has none there. */
function emitWriter(code: Assembler, none: Label): void {
  code.mov(RAX, mem(RBX, OPERATION.A));
  code.mov(RDI, { base: RSI, index: RAX, scale: 1, disp: 0 });
  code.test(RDI, RDI);
  code.jump('e', none);
}

/** Takes one of the counts at B, if B is not 0; goes to `none` if there is none left. */
function emitTakeOne(code: Assembler, none: Label, isLeft: 'g' | 'ne'): void {
  const [always, take] = [new Label(), new Label()];
  code.mov(RDX, mem(RBX, OPERATION.B));
  code.test(RDX, RDX);
  code.jump('e', always);
  code.mov(RAX, mem(RDX), 32);
  const again = code.label();
  code.test(RAX, RAX, 32);
  code.jump(isLeft, take);
  code.jmp(none);
  code.bind(take);
  code.lea(RCX, mem(RAX, -1));
  code.lockCmpxchg(mem(RDX), RCX, 32);
  code.jump('ne', again);
  code.bind(always);
}

/** A: the address of the instance's STATE. It is switched, and counted, only if it changes (update_traceon_count). */
const switching =
  (on: boolean): Emit =>
  (code, _parts, done) => {
    code.mov(R8, mem(RBX, OPERATION.A));
    code.test(mem(R8), OFF.tracingOn, 32);
    code.jump(on ? 'e' : 'ne', done);
    emitTakeOne(code, done, 'g');
    if (on) code.lockArithmetic('and', mem(R8), ~OFF.tracingOn, 32);
    else code.lockArithmetic('or', mem(R8), OFF.tracingOn, 32);
  };

/** C: the address of the top level's STATE. Tracing stops, and the host is told. */
const dumping =
  (ownCpuOnly: boolean): Emit =>
  (code, _parts, done) => {
    emitTakeOne(code, done, 'g');
    code.mov(R8, mem(RBX, OPERATION.C));
    code.lockArithmetic('or', mem(R8), OFF.tracingOn, 32);
    if (!ownCpuOnly) {
      code.mov(mem(R10, SHARED.DUMP), 1, 32);
      return;
    }
    code.mov(RAX, mem(RSI, BLOCK.TID), 32);
    code.mov(mem(R10, SHARED.DUMP_CPU), RAX, 32);
  };

const ROUTINES: Readonly<Record<OperationName, Emit>> = {
  /** A: the word of the block with the writer; B: the bit of the list that leaves tasks out, or 0; C: FUNCTION_OPERATION. */
  function(code, parts, done) {
    const { writer, javascript } = parts;
    const event = FTRACE_EVENTS.function;
    const words = recordWords(event);
    code.mov(RAX, mem(RBX, OPERATION.B));
    code.test(mem(RSI, BLOCK.IGNORED_LISTS), RAX, 32);
    code.jump('ne', done);
    emitWriter(code, done);
    writer.emitBegin(code, mem(R13), done);
    javascript.emitTime(code);
    writer.emitReserve(code, words, done);
    code.mov(RDX, mem(R13));
    code.stripSignature(RDX);
    emitRecord(code, event, { ip: R12, parent_ip: RDX });
    writer.emitCommit(code, words);
    code.test(mem(RBX, OPERATION.C), FUNCTION_OPERATION.STACK, 32);
    code.jump('e', done);
    emitStack(code, parts, done);
  },
  /** A: as for `function`; B: the address of the count; C: the address of the top level's STATE: what is not recorded does not count. */
  stack(code, parts, done) {
    const uncounted = new Label();
    code.cmp(mem(RBX, OPERATION.B), 0);
    code.jump('e', uncounted);
    code.mov(R8, mem(RBX, OPERATION.C));
    code.test(mem(R8), OFF.tracingOn, 32);
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
    code.mov(R8, mem(RBX, OPERATION.A));
    code.lockArithmetic('add', mem(R8), ONE_SNAPSHOT, 32);
  },
  dump: dumping(false),
  cpudump: dumping(true),
  depth: (code, { returned }, done) => emitStackDepth(code, returned, done),
};

/** Writes the stack of the function that is being entered. */
function emitStack(code: Assembler, { writer, javascript, walk }: OperationParts, done: Label): void {
  emitWriter(code, done);
  writer.emitBegin(code, mem(R13), done);
  javascript.emitTime(code);
  code.xor(R8, R8, 32);
  code.call(walk);
  code.lea(RCX, { index: R11, scale: 2, disp: STACK_WORDS });
  writer.emitReserveWords(code, done);
  code.call(walk);
  code.mov(mem(R8), FTRACE_EVENTS.kernel_stack.id, 32);
  code.mov(RAX, mem(RSI, BLOCK.TID), 32);
  code.mov(mem(R8, 4), RAX, 32);
  code.mov(mem(R8, 8), R11);
  code.lea(R11, { index: R11, scale: 2, disp: STACK_WORDS });
  writer.emitCommit(code, R11);
}

/**
 * r11 becomes how many addresses the stack has; with a record at r8, they are written there. Callers are found by frame pointers, as the kernel finds
 * those of user space (userstacktrace), and only on the thread's own stack. rax, rcx, rdx are lost.
 */
function emitWalk(code: Assembler, walk: Label, returned: Label): void {
  const done = new Label();
  const quiet = new Label();
  code.align(16);
  code.bind(walk);
  code.movImmediate(R11, 2);
  code.mov(R15, R13);
  code.mov(RAX, mem(R13));
  code.call(returned);
  code.test(R8, R8);
  code.jump('e', quiet);
  code.mov(mem(R8, STACK_BYTES), R12);
  code.mov(mem(R8, STACK_BYTES + WORD), RAX);
  code.bind(quiet);
  code.mov(RCX, R14);
  code.mov(RDX, R13);
  code.cmp(RDX, mem(RSI, BLOCK.STACK_LOW));
  code.jump('b', done);
  const again = code.label();
  code.cmp(R11, MOST_ADDRESSES);
  code.jump('ae', done);
  code.cmp(RCX, RDX);
  code.jump('be', done);
  code.test(RCX, WORD - 1);
  code.jump('ne', done);
  code.mov(RAX, mem(RSI, BLOCK.STACK_HIGH));
  code.sub(RAX, 2 * WORD);
  code.cmp(RCX, RAX);
  code.jump('a', done);
  code.lea(R15, mem(RCX, WORD));
  code.mov(RAX, mem(R15));
  code.test(RAX, RAX);
  code.jump('e', done);
  code.call(returned);
  const silent = new Label();
  code.test(R8, R8);
  code.jump('e', silent);
  code.mov({ base: R8, index: R11, scale: 8, disp: STACK_BYTES }, RAX);
  code.bind(silent);
  code.unary('inc', R11);
  code.mov(RDX, RCX);
  code.mov(RCX, mem(RCX));
  code.jmp(again);
  code.bind(done);
  code.ret();
}

/** The return address in rax, which stands at r15, becomes the caller's, if a call that is followed has replaced it. */
function emitReturned(code: Assembler, returned: Label): void {
  const leave = new Label();
  code.align(16);
  code.bind(returned);
  code.stripSignature(RAX);
  code.cmp(mem(RSI, BLOCK.TOP), 0);
  const some = new Label();
  code.jump('ne', some);
  code.ret();
  code.bind(some);
  const saved = [RBX, RCX];
  for (const register of saved) code.push(register);
  emitSearch(code, leave, { place: R15 });
  code.mov(RAX, mem(RBX, FRAME.RETURN));
  code.bind(leave);
  emitRestore(code, saved);
  code.ret();
}
