import type { TraceEvent } from '../../events/define.js';
import { SOFT_DISABLED } from '../../events/event-words.js';
import type { FilterProgram } from '../../events/filter/predicate.js';
import { needsText, type ProbeArgument } from '../../probes/probe-definition.js';
import type { PortableAssembler } from '../machine/assembler.js';
import { ARG0, ARG1, ARG3, ARG4, FP, KEPT0, KEPT1, KEPT2, KEPT3, KEPT4, Label, mem, VALUE } from '../machine/operands.js';
import type { ProbeMachine, RegisterPlace } from '../machine/probe-machine.js';
import { BLOCK, PROBE } from './arena.js';
import type { CommonCode } from './build-code.js';
import { type CallPool, emitAdmit, emitEnd } from './call-pool.js';
import { FetchCode, type FetchNeeds } from './fetch-code.js';
import { emitFilter } from './filter-code.js';
import { JavaScriptCode } from './javascript.js';
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
  /** The calls of a return probe that follows only so many at a time. */
  readonly pool?: CallPool | undefined;
}

/** What a return probe with a limit does at a function's entry. */
export interface AdmittedCalls {
  readonly pool: CallPool;
  /** Where the call's place is there. */
  readonly at: RegisterPlace;
}

/** What handlers are made of. */
interface HandlerParts {
  readonly common: CommonCode;
  readonly writer: RingWriterCode;
  readonly javascript: JavaScriptCode;
}

/**
 * Builds what a probed place calls: each of its probes counts its hit, makes its record beside the ring, and writes it if it
 * passes the event's filter (kprobe_trace_func and its siblings). A probe that interrupts another one is missed, as in the
 * kernel.
 */
export function buildProbeHandler(
  common: CommonCode,
  address: number,
  probes: readonly (HandledProbe | AdmittedCalls)[],
  needs: Omit<FetchNeeds, 'memory' | 'machine'>,
): Uint8Array {
  const { machine } = common;
  const code = machine.assembler(address);
  const writer = new RingWriterCode(common.ringWriter);
  const javascript = new JavaScriptCode(writer, common.functionTable, common.hasJavaScript);
  for (const probe of probes) {
    if ('at' in probe) emitAdmit(code, machine.probes, probe.pool, probe.at);
    else {
      const all = { ...needs, memory: common.probeMemory, machine: machine.probes };
      emitProbe(code, { common, writer, javascript }, probe, all);
    }
  }
  code.ret();
  return code.finish();
}

function emitProbe(
  code: PortableAssembler,
  parts: HandlerParts,
  { event, args, hits, writer: place, missed, state, filter, isRecorded, isHeard, pool }: HandledProbe,
  needs: FetchNeeds,
): void {
  const { common, writer } = parts;
  const { registers } = needs.machine;
  const [nested, taken, tooLong] = [new Label(), new Label(), new Label()];
  const [rejected, done, next] = [new Label(), new Label(), new Label()];
  if (pool !== undefined) emitEnd(code, needs.machine, pool, nested);
  if (hits !== undefined) {
    code.movImmediate(VALUE, hits);
    code.lockArithmetic('add', mem(VALUE), 1, 32);
  }
  // The triggers of an event see it also when it is not recorded.
  if (!isHeard) emitUnlessDisabled(code, state, next);
  code.cmp(mem(ARG1, BLOCK.EVENTS_IGNORED), 0, 32);
  code.jump('ne', next);
  code.mov(ARG0, mem(ARG1, place));
  code.test(ARG0, ARG0);
  code.jump('e', next);
  code.mov(KEPT3, mem(FP, registers.saved.sp));
  writer.emitBegin(code, mem(KEPT3), nested);
  emitTakeScratch(code, taken);
  code.lea(KEPT1, mem(ARG1, BLOCK.SCRATCH));
  code.lea(KEPT2, mem(KEPT1, event.end));
  emitHead(code, event, needs.machine);
  const fetch = new FetchCode(code, needs);
  for (const argument of args) fetch.emitArgument(argument, event.fields[argument.name]!.offset);
  if (needsText(args)) {
    code.lea(VALUE, mem(KEPT1, MAX_RECORD));
    code.cmp(KEPT2, VALUE);
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
  code.mov(mem(ARG1, BLOCK.SCRATCH_USER), 0);
  code.jmp(next);
  // No page has room for it.
  code.bind(tooLong);
  code.mov(mem(ARG1, BLOCK.SCRATCH_USER), 0);
  code.bind(taken);
  writer.emitRelease(code);
  code.bind(nested);
  code.movImmediate(VALUE, missed);
  code.lockArithmetic('add', mem(VALUE), 1, 32);
  code.bind(next);
}

/**
 * Makes the probe whose stack pointer is in KEPT3 the one whose record is made; goes to `taken` if it has interrupted another
 * one, which may write to the ring of another instance. Who has left by longjmp has it no more, as with a ring (RingWriterCode).
 */
function emitTakeScratch(code: PortableAssembler, taken: Label): void {
  const free = new Label();
  code.mov(VALUE, mem(ARG1, BLOCK.SCRATCH_USER));
  code.test(VALUE, VALUE);
  code.jump('e', free);
  code.cmp(KEPT3, VALUE);
  code.jump('b', taken);
  code.cmp(VALUE, mem(ARG1, BLOCK.STACK_LOW));
  code.jump('b', taken);
  code.cmp(KEPT3, mem(ARG1, BLOCK.STACK_HIGH));
  code.jump('ae', taken);
  code.bind(free);
  code.mov(mem(ARG1, BLOCK.SCRATCH_USER), KEPT3);
}

function emitUnlessDisabled(code: PortableAssembler, state: number, disabled: Label): void {
  code.movImmediate(VALUE, state);
  code.test(mem(VALUE), SOFT_DISABLED, 32);
  code.jump('ne', disabled);
}

/** Writes the record for the host, too. */
function emitHeard(code: PortableAssembler, parts: HandlerParts, event: TraceEvent, args: readonly ProbeArgument[]): void {
  const done = new Label();
  code.push(ARG0);
  code.mov(ARG0, mem(ARG1, BLOCK.HEARD));
  code.test(ARG0, ARG0);
  code.jump('e', done);
  parts.writer.emitBegin(code, mem(KEPT3), done);
  emitWrite(code, parts, event, args, done);
  code.bind(done);
  code.pop(ARG0);
}

function emitWrite(
  code: PortableAssembler,
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
function emitHead(code: PortableAssembler, event: TraceEvent, { words }: ProbeMachine): void {
  code.mov(mem(KEPT1), event.id, 32);
  code.mov(VALUE, mem(ARG1, BLOCK.TID), 32);
  code.mov(mem(KEPT1, 4), VALUE, 32);
  // The bytes behind the last field, up to a whole word.
  if (event.end % 4 !== 0) code.mov(mem(KEPT1, event.end & ~3), 0, 32);
  const put = (name: string): void => {
    const field = event.fields[name];
    if (field !== undefined) code.mov(mem(KEPT1, field.offset), VALUE);
  };
  code.mov(VALUE, mem(KEPT0, PROBE.IP));
  put('__probe_ip');
  put('__probe_func');
  if (event.fields.__probe_ret_ip === undefined) return;
  code.mov(VALUE, mem(FP, words.returnAddress));
  put('__probe_ret_ip');
}

function emitFixedRecord(code: PortableAssembler, writer: RingWriterCode, words: number, refused: Label): void {
  writer.emitReserve(code, words, refused);
  for (let word = 0; word < words; word += 2) {
    const bits = word + 1 < words ? 64 : 32;
    code.mov(VALUE, mem(KEPT1, word * 4), bits);
    code.mov(mem(ARG4, word * 4), VALUE, bits);
  }
  writer.emitCommit(code, words);
}

/** A record with texts: KEPT2 is where it ends. */
function emitLongRecord(code: PortableAssembler, writer: RingWriterCode, refused: Label): void {
  code.mov(mem(KEPT2), 0, 32);
  code.mov(KEPT4, KEPT2);
  code.sub(KEPT4, KEPT1);
  code.add(KEPT4, 3);
  code.shift('shr', KEPT4, 2);
  code.mov(ARG3, KEPT4, 32);
  writer.emitReserveWords(code, refused);
  code.push(ARG1);
  code.push(ARG0);
  code.mov(ARG1, KEPT1);
  code.mov(ARG0, ARG4);
  code.mov(ARG3, KEPT4, 32);
  code.copy(32);
  code.pop(ARG0);
  code.pop(ARG1);
  writer.emitCommit(code, KEPT4);
}
