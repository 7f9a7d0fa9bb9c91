import type { COMMON_FIELDS, TraceEvent } from '../../../events/define.js';
import { INTEGER_TYPES, type Operand } from '../../../events/filter/operand.js';
import type { FilterProgram, Predicate } from '../../../events/filter/predicate.js';
import type { Assembler, Condition } from '../machine/assembler.js';
import { type Bits, Label, mem, R8, R9, R11, R12, R13, RAX, RCX, RDI, RDX } from '../machine/operands.js';
import { WRITER } from './arena.js';
import { emitTextMatch } from './match-code.js';

type Integer = Extract<Predicate, { test: 'integer' }>;
type Text = Extract<Predicate, { test: 'text' }>;

/** Where the fields are that every record begins with, and their bytes. */
const HEADER: Readonly<Record<keyof typeof COMMON_FIELDS, readonly [offset: number, bits: Bits]>> = {
  common_type: [0, 16],
  common_flags: [2, 8],
  common_preempt_count: [3, 8],
  common_pid: [4, 32],
};

const SIGNED: Readonly<Record<string, Condition>> = {
  '==': 'e',
  '!=': 'ne',
  '<': 'l',
  '<=': 'le',
  '>': 'g',
  '>=': 'ge',
  '&': 'ne',
};
const UNSIGNED: Readonly<Record<string, Condition>> = { ...SIGNED, '<': 'b', '<=': 'be', '>': 'a', '>=': 'ae' };

/**
 * Emits a filter, for a record at r12 whose texts end at r13, before its writer in rdi publishes it (filter_match_preds of
 * kernel/trace/trace_events_filter.c). Goes to `rejected` if the record does not pass. rax, rcx, rdx, r8, r9, r11 are lost.
 * @param comm the address of what puts the name of the task at rdx, and its length with its zero byte into rax
 */
export function emitFilter(code: Assembler, event: TraceEvent, program: FilterProgram, comm: number, rejected: Label): void {
  const steps = program.map(() => new Label());
  const passed = new Label();
  const targets = [...steps, passed, rejected];
  for (const [i, { predicate, when, target }] of program.entries()) {
    code.bind(steps[i]!);
    const [yes, no] = when ? [targets[target]!, targets[i + 1]!] : [targets[i + 1]!, targets[target]!];
    if (predicate.test === 'constant') code.jmp(predicate.value ? yes : no);
    else if (predicate.test === 'integer') emitInteger(code, event, predicate, yes, no);
    else emitText(code, event, predicate, comm, yes, no);
  }
  code.bind(passed);
}

function emitInteger(code: Assembler, event: TraceEvent, predicate: Integer, yes: Label, no: Label): void {
  const { bits, signed } = INTEGER_TYPES[predicate.type];
  emitOperand(code, event, predicate.operand, signed, bits);
  const value = BigInt(predicate.value);
  code.movImmediate(RCX, BigInt.asUintN(64, signed ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value)));
  if (predicate.operator === '&') code.test(RAX, RCX);
  else code.cmp(RAX, RCX);
  code.jump((signed ? SIGNED : UNSIGNED)[predicate.operator]!, yes);
  code.jmp(no);
}

/** rax becomes an operand, with its sign or zeros above. */
function emitOperand(code: Assembler, event: TraceEvent, operand: Operand, signed: boolean, width: Bits): void {
  if (operand.from === 'cpu') {
    code.movsxd(RAX, mem(RDI, WRITER.CPU));
    return;
  }
  if (operand.from === 'comm') throw new Error('a name is no integer');
  const [offset, bits] = operand.from === 'header' ? HEADER[operand.name] : [event.fields[operand.name]!.offset, width];
  const source = mem(R12, offset);
  if (bits === 64) code.mov(RAX, source);
  else if (bits === 32 && signed) code.movsxd(RAX, source);
  else if (bits === 32) code.mov(RAX, source, 32);
  else {
    code.movzx(RAX, source, bits);
    if (!signed) return;
    code.shift('shl', RAX, 64 - bits);
    code.shift('sar', RAX, 64 - bits);
  }
}

function emitText(code: Assembler, event: TraceEvent, predicate: Text, comm: number, yes: Label, no: Label): void {
  const { operand, not } = predicate;
  // r8: the text, r9: its end.
  if (operand.from === 'comm') {
    code.mov(RDX, R13);
    code.call(comm);
    code.mov(R8, R13);
    code.lea(R9, { base: R13, index: RAX, scale: 1, disp: -1 });
  } else if (operand.from === 'field') {
    code.mov(RAX, mem(R12, event.fields[operand.name]!.offset), 32);
    code.mov(R8, RAX, 32);
    code.and(R8, 0xffff, 32);
    code.add(R8, R12);
    code.shift('shr', RAX, 16);
    code.lea(R9, { base: R8, index: RAX, scale: 1, disp: -1 });
    // What could not be read is no text.
    code.test(RAX, RAX, 32);
    code.jump('e', not ? yes : no);
  } else throw new Error('a field of the header is no text');
  const [found, missed] = not ? [no, yes] : [yes, no];
  emitTextMatch(code, predicate, { text: R8, end: R9, at: R11, byte: RAX, limit: RDX, bit: RCX }, found, missed);
}
