import type { TraceEvent } from '../../../events/define.js';
import { SOFT_DISABLED } from '../../../events/event-words.js';
import type { FilterProgram } from '../../../events/filter/predicate.js';
import { needsText, type ProbeArgument } from '../../../probes/probe-definition.js';
import { Label, mem } from '../machine/operands.js';
import { Assembler } from '../x86-64/assembler.js';
import { R8, R12, R13, R14, R15, RAX, RBP, RBX, RCX, RDI, RSI } from '../x86-64/registers.js';
import { BLOCK, PROBE } from './arena.js';
import type { CommonCode } from './build-code.js';
import { type CallPool, emitAdmit, emitEnd } from './call-pool.js';
import { FetchCode, type FetchNeeds } from './fetch-code.js';
import { emitFilter } from './filter-code.js';
import { JavaScriptCode } from './javascript.js';
import { SAVED } from './probe-frame.js';
import { MAX_RECORD } from './probe-memory.js';
import { RingWriterCode } from './ring-writer.js';

/** A probe of a place, with its event. Addresses are those of words of 32 bits in the process. */
export interface HandledProbe {
  readonly event: TraceEvent;
  readonly args: readonly ProbeArgument[];
  /** Absent: they are counted already. */
  readonly hits: number | undefined;
  /** The word of a thread's block that has the address of its writer. */
  readonly writer: number;
  readonly missed: number;
  /** The event's state word. */
  readonly state: number;
  readonly filter?: FilterProgram | undefined;
  /** Whether it is written to the ring of its instance. */
  readonly isRecorded: boolean;
  /** Whether it is written for the host, which runs its triggers. */
  readonly isHeard: boolean;
  /** Of a return probe that follows only so many calls at a time. */
  readonly pool?: CallPool | undefined;
}

/** What a return probe with a limit does at a function's entry. */
export interface AdmittedCalls {
  readonly pool: CallPool;
  /** Whether the return address is on top of the stack there; or in the frame that the function has built. */
  readonly isTop: boolean;
}

/** What handlers are made of. */
interface HandlerParts {
  readonly common: CommonCode;
  readonly writer: RingWriterCode;
  readonly javascript: JavaScriptCode;
}

/**
 * Builds what a probed place calls: each of its probes counts its hit, makes its record beside the ring, and writes it if it passes the
 * event's filter (kprobe_trace_func and its siblings). A probe that interrupts another one is missed, as in the kernel.
 */
export function buildProbeHandler(
  common: CommonCode,
  address: number,
  probes: readonly (HandledProbe | AdmittedCalls)[],
  needs: Omit<FetchNeeds, 'memory'>,
): Uint8Array {
  const code = new Assembler(address);
  const writer = new RingWriterCode(common.ringWriter);
  const javascript = new JavaScriptCode(writer, common.functionTable, common.hasJavaScript);
  for (const probe of probes) {
    if ('isTop' in probe) emitAdmit(code, probe.pool, probe.isTop);
    else emitProbe(code, { common, writer, javascript }, probe, { ...needs, memory: common.probeMemory });
  }
  code.ret();
  return code.finish();
}

function emitProbe(
  code: Assembler,
  parts: HandlerParts,
  { event, args, hits, writer: place, missed, state, filter, isRecorded, isHeard, pool }: HandledProbe,
  needs: FetchNeeds,
): void {
  const { common, writer } = parts;
  const [nested, taken, tooLong] = [new Label(), new Label(), new Label()];
  const [rejected, done, next] = [new Label(), new Label(), new Label()];
  if (pool !== undefined) emitEnd(code, pool, nested);
  if (hits !== undefined) {
    code.movImmediate(RAX, hits);
    code.lockArithmetic('add', mem(RAX), 1, 32);
  }
  // The triggers of an event see it also when it is not recorded.
  if (!isHeard) emitUnlessDisabled(code, state, next);
  code.cmp(mem(RSI, BLOCK.EVENTS_IGNORED), 0, 32);
  code.jump('ne', next);
  code.mov(RDI, mem(RSI, place));
  code.test(RDI, RDI);
  code.jump('e', next);
  code.mov(R14, mem(RBP, SAVED.sp));
  writer.emitBegin(code, mem(R14), nested);
  emitTakeScratch(code, taken);
  code.lea(R12, mem(RSI, BLOCK.SCRATCH));
  code.lea(R13, mem(R12, event.end));
  emitHead(code, event);
  const fetch = new FetchCode(code, needs);
  for (const argument of args) fetch.emitArgument(argument, event.fields[argument.name]!.offset);
  if (needsText(args)) {
    code.lea(RAX, mem(R12, MAX_RECORD));
    code.cmp(R13, RAX);
    code.jump('a', tooLong);
  }
  if (isHeard) {
    emitHeard(code, parts, event, args);
    emitUnlessDisabled(code, state, rejected);
  }
  if (!isRecorded) code.jmp(rejected);
  if (filter !== undefined) emitFilter(code, event, filter, common.probeMemory.comm, rejected);
  emitWrite(code, parts, event, args, done);
  code.jmp(done);

  code.bind(rejected);
  writer.emitRelease(code);
  code.bind(done);
  code.mov(mem(RSI, BLOCK.SCRATCH_USER), 0);
  code.jmp(next);
  // No page has room for it.
  code.bind(tooLong);
  code.mov(mem(RSI, BLOCK.SCRATCH_USER), 0);
  code.bind(taken);
  writer.emitRelease(code);
  code.bind(nested);
  code.movImmediate(RAX, missed);
  code.lockArithmetic('add', mem(RAX), 1, 32);
  code.bind(next);
}

/**
 * Makes the probe whose stack pointer is in r14 the one whose record is made; goes to `taken` if it has interrupted another one, which may write to
 * the ring of another instance. Who has left by longjmp has it no more, as with a ring (RingWriterCode).
 */
function emitTakeScratch(code: Assembler, taken: Label): void {
  const free = new Label();
  code.mov(RAX, mem(RSI, BLOCK.SCRATCH_USER));
  code.test(RAX, RAX);
  code.jump('e', free);
  code.cmp(R14, RAX);
  code.jump('b', taken);
  code.cmp(RAX, mem(RSI, BLOCK.STACK_LOW));
  code.jump('b', taken);
  code.cmp(R14, mem(RSI, BLOCK.STACK_HIGH));
  code.jump('ae', taken);
  code.bind(free);
  code.mov(mem(RSI, BLOCK.SCRATCH_USER), R14);
}

function emitUnlessDisabled(code: Assembler, state: number, disabled: Label): void {
  code.movImmediate(RAX, state);
  code.test(mem(RAX), SOFT_DISABLED, 32);
  code.jump('ne', disabled);
}

/** Writes the record for the host, too. */
function emitHeard(code: Assembler, parts: HandlerParts, event: TraceEvent, args: readonly ProbeArgument[]): void {
  const done = new Label();
  code.push(RDI);
  code.mov(RDI, mem(RSI, BLOCK.HEARD));
  code.test(RDI, RDI);
  code.jump('e', done);
  parts.writer.emitBegin(code, mem(R14), done);
  emitWrite(code, parts, event, args, done);
  code.bind(done);
  code.pop(RDI);
}

function emitWrite(
  code: Assembler,
  { writer, javascript }: HandlerParts,
  event: TraceEvent,
  args: readonly ProbeArgument[],
  refused: Label,
): void {
  javascript.emitTime(code);
  if (needsText(args)) emitLongRecord(code, writer, refused);
  else emitFixedRecord(code, writer, Math.ceil(event.end / 4), refused);
}

/** What every record begins with, and where the probe was hit. */
function emitHead(code: Assembler, event: TraceEvent): void {
  code.mov(mem(R12), event.id, 32);
  code.mov(RAX, mem(RSI, BLOCK.TID), 32);
  code.mov(mem(R12, 4), RAX, 32);
  // The bytes behind the last field, up to a whole word.
  if (event.end % 4 !== 0) code.mov(mem(R12, event.end & ~3), 0, 32);
  const put = (name: string): void => {
    const field = event.fields[name];
    if (field !== undefined) code.mov(mem(R12, field.offset), RAX);
  };
  code.mov(RAX, mem(RBX, PROBE.IP));
  put('__probe_ip');
  put('__probe_func');
  if (event.fields.__probe_ret_ip === undefined) return;
  code.mov(RAX, mem(RBP, SAVED.ret));
  put('__probe_ret_ip');
}

function emitFixedRecord(code: Assembler, writer: RingWriterCode, words: number, refused: Label): void {
  writer.emitReserve(code, words, refused);
  for (let word = 0; word < words; word += 2) {
    const bits = word + 1 < words ? 64 : 32;
    code.mov(RAX, mem(R12, word * 4), bits);
    code.mov(mem(R8, word * 4), RAX, bits);
  }
  writer.emitCommit(code, words);
}

/** A record with texts: r13 is where it ends. */
function emitLongRecord(code: Assembler, writer: RingWriterCode, refused: Label): void {
  code.mov(mem(R13), 0, 32);
  code.mov(R15, R13);
  code.sub(R15, R12);
  code.add(R15, 3);
  code.shift('shr', R15, 2);
  code.mov(RCX, R15, 32);
  writer.emitReserveWords(code, refused);
  code.push(RSI);
  code.push(RDI);
  code.mov(RSI, R12);
  code.mov(RDI, R8);
  code.mov(RCX, R15, 32);
  code.repMovs(32);
  code.pop(RDI);
  code.pop(RSI);
  writer.emitCommit(code, R15);
}
