import type { COMMON_FIELDS, TraceEvent } from '../../events/define.js';
import { INTEGER_TYPES, type Operand } from '../../events/filter/operand.js';
import type { FilterProgram, Predicate } from '../../events/filter/predicate.js';
import type { Condition, PortableAssembler } from '../machine/assembler.js';
import { ARG0, ARG2, ARG3, ARG4, ARG5, type Bits, KEPT1, KEPT2, Label, mem, SCRATCH1, VALUE } from '../machine/operands.js';
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
 * Emits a filter, for a record at KEPT1 whose texts end at KEPT2, before its writer in ARG0 publishes it (filter_match_preds of
 * kernel/trace/trace_events_filter.c). Goes to `rejected` if the record does not pass. VALUE, ARG3, ARG2, ARG4, ARG5, SCRATCH1
 * are lost.
 * @param comm the address of what puts the name of the task at ARG2, and its length with its zero byte into VALUE
 */
export function emitFilter(
  code: PortableAssembler,
  event: TraceEvent,
  program: FilterProgram,
  comm: number,
  rejected: Label,
): void {
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

function emitInteger(code: PortableAssembler, event: TraceEvent, predicate: Integer, yes: Label, no: Label): void {
  const { bits, signed } = INTEGER_TYPES[predicate.type];
  emitOperand(code, event, predicate.operand, signed, bits);
  const value = BigInt(predicate.value);
  code.movImmediate(ARG3, BigInt.asUintN(64, signed ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value)));
  if (predicate.operator === '&') code.test(VALUE, ARG3);
  else code.cmp(VALUE, ARG3);
  code.jump((signed ? SIGNED : UNSIGNED)[predicate.operator]!, yes);
  code.jmp(no);
}

/** VALUE becomes an operand, with its sign or zeros above. */
function emitOperand(code: PortableAssembler, event: TraceEvent, operand: Operand, signed: boolean, width: Bits): void {
  if (operand.from === 'cpu') {
    code.movsxd(VALUE, mem(ARG0, WRITER.CPU));
    return;
  }
  if (operand.from === 'comm') throw new Error('a name is no integer');
  const [offset, bits] = operand.from === 'header' ? HEADER[operand.name] : [event.fields[operand.name]!.offset, width];
  const source = mem(KEPT1, offset);
  if (bits === 64) code.mov(VALUE, source);
  else if (bits === 32 && signed) code.movsxd(VALUE, source);
  else if (bits === 32) code.mov(VALUE, source, 32);
  else {
    code.movzx(VALUE, source, bits);
    if (!signed) return;
    code.shift('shl', VALUE, 64 - bits);
    code.shift('sar', VALUE, 64 - bits);
  }
}

function emitText(code: PortableAssembler, event: TraceEvent, predicate: Text, comm: number, yes: Label, no: Label): void {
  const { operand, not } = predicate;
  // ARG4: the text, ARG5: its end.
  if (operand.from === 'comm') {
    code.mov(ARG2, KEPT2);
    code.call(comm);
    code.mov(ARG4, KEPT2);
    code.lea(ARG5, { base: KEPT2, index: VALUE, scale: 1, disp: -1 });
  } else if (operand.from === 'field') {
    code.mov(VALUE, mem(KEPT1, event.fields[operand.name]!.offset), 32);
    code.mov(ARG4, VALUE, 32);
    code.and(ARG4, 0xffff, 32);
    code.add(ARG4, KEPT1);
    code.shift('shr', VALUE, 16);
    code.lea(ARG5, { base: ARG4, index: VALUE, scale: 1, disp: -1 });
    // What could not be read is no text.
    code.test(VALUE, VALUE, 32);
    code.jump('e', not ? yes : no);
  } else throw new Error('a field of the header is no text');
  const [found, missed] = not ? [no, yes] : [yes, no];
  emitTextMatch(code, predicate, { text: ARG4, end: ARG5, at: SCRATCH1, byte: VALUE, limit: ARG2, bit: ARG3 }, found, missed);
}
