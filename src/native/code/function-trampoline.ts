import { FTRACE_EVENTS } from '../../events/ftrace-events.js';
import type { PortableAssembler } from '../machine/assembler.js';
import type { Machine } from '../machine/machine.js';
import { ARG0, ARG1, ARG2, ARG3, ARG4, ARG5, FP, Label, mem, SCRATCH0, SCRATCH1, SP, VALUE } from '../machine/operands.js';
import type { ParentPlace } from '../machine/thunk.js';
import { BLOCK, GATE } from './arena.js';
import { emitNow } from './clock.js';
import { emitFunctionAddress } from './function-address.js';
import type { JavaScriptCode } from './javascript.js';
import { emitRecord, recordWords } from './record-code.js';
import type { RingWriterCode } from './ring-writer.js';
import type { ThreadBlockCode } from './thread-block.js';
import { emitTrampolineEnd } from './trampoline-end.js';

const SAVED = [VALUE, ARG3, ARG2, ARG1, ARG0, ARG4, ARG5, SCRATCH0, SCRATCH1];

/** What shared code is made of. */
export interface CodeParts {
  readonly machine: Machine;
  readonly writer: RingWriterCode;
  readonly blocks: ThreadBlockCode;
  readonly javascript: JavaScriptCode;
  /** The address of the arena in the process. */
  readonly arena: number;
  readonly functionTable: number;
}

const WORD = 8;

/**
 * Emits what the function tracer does at an entry (kernel/trace/trace_functions.c). A thunk pushes the function's number and
 * calls this; all registers are kept but the flags, and the number is removed.
 */
export function emitFunctionTrampoline(code: PortableAssembler, parts: CodeParts, place: ParentPlace): Label {
  const { writer, blocks, javascript, machine } = parts;
  const event = FTRACE_EVENTS.function;
  const words = recordWords(event);
  const leave = new Label();
  const unblocked = new Label();
  code.align(64);
  const start = code.label();
  const number = code.enter(SAVED);
  const parent =
    place === 'in the frame' ? mem(FP, WORD) : mem(SP, number + machine.returnAbove[place === 'behind a call' ? 'call' : 'jump']);
  code.movImmediate(SCRATCH0, parts.arena);
  code.cmp(mem(SCRATCH0, GATE.OPEN), 0, 32);
  code.jump('e', leave);
  if (!javascript.isOn) emitNow(code);
  blocks.emitTake(code, unblocked);
  code.cmp(mem(ARG1, BLOCK.IGNORED), 0, 32);
  code.jump('ne', leave);
  javascript.emitQuiet(code, leave);
  code.mov(ARG0, mem(ARG1, BLOCK.WRITER));
  writer.emitBegin(code, parent, leave);
  if (javascript.isOn) javascript.emitTime(code);
  writer.emitReserve(code, words, leave);
  code.mov(ARG3, mem(SP, number), 32);
  emitFunctionAddress(code, parts.functionTable);
  if (place === 'in the frame') {
    code.mov(ARG2, parent);
    code.stripSignature(ARG2);
    emitRecord(code, event, { ip: ARG3, parent_ip: ARG2 });
  } else emitRecord(code, event, { ip: ARG3, parent_ip: parent });
  writer.emitCommit(code, words);
  emitTrampolineEnd(code, SAVED, { leave, unblocked });
  return start;
}
