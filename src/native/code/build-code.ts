import type { PortableAssembler } from '../machine/assembler.js';
import type { Machine } from '../machine/machine.js';
import { ARG0, type Label, mem, VALUE } from '../machine/operands.js';
import { PROBE_CONTEXTS, PROBED_BY, type ProbedBy, type ProbedThunkEntries } from '../machine/probe-machine.js';
import { PARENT_PLACES, SLOT_PLACES, type SlotPlace } from '../machine/thunk.js';
import { GATE, OPEN } from './arena.js';
import { emitCounterFunction } from './clock.js';
import { emitFunctionTrampoline } from './function-trampoline.js';
import { emitGraphEntry, emitGraphExit } from './graph-trampolines.js';
import { JavaScriptCode } from './javascript.js';
import { emitListTrampoline } from './list-trampoline.js';
import { emitOperations, OPERATION_NAMES, type OperationName } from './operations.js';
import { emitProbeEntry } from './probe-frame.js';
import { emitProbeMemory, type ProbeMemoryCode } from './probe-memory.js';
import { emitReturnAddress } from './return-address.js';
import { RingWriterCode } from './ring-writer.js';
import { ShadowStackCode } from './shadow-stack.js';
import { ThreadBlockCode, type ThreadOptions } from './thread-block.js';

/** Where the code and its data are going to be. */
export interface CodeOptions extends ThreadOptions {
  readonly machine: Machine;
  /** The address of the first byte. */
  readonly address: number;
  /** The address of the arena. */
  readonly arena: number;
  /** The address of the PROBE entries. */
  readonly probes: number;
  /** The process, as it knows itself. */
  readonly pid: number;
  /** Whether it is fentry's own process: JavaScript that is traced runs in it too. */
  readonly hasJavaScript?: boolean;
}

/** What the thunks of a range of memory share. Its bytes are good only at their address, with the arena at its own. */
export interface CommonCode extends ProbedThunkEntries {
  readonly machine: Machine;
  readonly bytes: Uint8Array;
  /** What the handlers of probes call. */
  readonly ringWriter: Readonly<Record<'slow' | 'busy', number>>;
  readonly probeMemory: ProbeMemoryCode;
  /** What lists of operations name. */
  readonly operations: Readonly<Record<OperationName, number>>;
  /** Gives the thread that calls it a block: see ThreadBlockCode.emitBind. 0: the process has no JavaScript. */
  readonly bind: number;
  /** Ends that: see ThreadBlockCode.emitUnbind. 0: the process has no JavaScript. */
  readonly unbind: number;
  /** Has nothing recorded from then on: the arena is its argument. 0: the process has no JavaScript. */
  readonly close: number;
  /** Tells V8 where return addresses are: see emitReturnAddress. 0: the process has no JavaScript, or V8 finds them. */
  readonly returnAddress: number;
  readonly functionTable: number;
  /** JavaScript that is traced runs in the process too. */
  readonly hasJavaScript: boolean;
  /** Returns the processor's counter: see emitCounterFunction. 0: the process has no JavaScript. */
  readonly counter: number;
}

/** Builds the code that stands once in each range of code memory; `buildThunks` makes the rest, in the same range. */
export function buildCommonCode(options: CodeOptions): CommonCode {
  const { machine } = options;
  const code = machine.assembler(options.address);
  const writer = new RingWriterCode();
  const blocks = new ThreadBlockCode(options);
  const { functionTable } = options.layout;
  const javascript = new JavaScriptCode(writer, functionTable, options.hasJavaScript === true);
  const parts = { machine, writer, blocks, javascript, arena: options.arena, functionTable };
  const stack = new ShadowStackCode(parts);
  const functionEntry = addresses(code, PARENT_PLACES, (place) => emitFunctionTrampoline(code, parts, place));
  const graph = (place: SlotPlace, by?: ProbedBy): Label =>
    emitGraphEntry(code, { parts, stack, place, frames: options.layout.frames, probed: by });
  const graphEntry = addresses(code, SLOT_PLACES, (place) => graph(place));
  const probedEntry = Object.fromEntries(
    SLOT_PLACES.map((place) => [place, addresses(code, PROBED_BY, (by) => graph(place, by))]),
  ) as CommonCode['probedEntry'];
  const graphExit = code.addressOf(emitGraphExit(code, parts, stack));
  const probeEntry = addresses(code, PROBE_CONTEXTS, (context) => emitProbeEntry(code, parts, stack, context, options.probes));
  const probeMemory = emitProbeMemory(code, options.pid);
  const listEntry = addresses(code, PARENT_PLACES, (place) => emitListTrampoline(code, parts, place));
  const routines = emitOperations(code, parts);
  const operations = addresses(code, OPERATION_NAMES, (name) => routines[name]);
  const bind = javascript.isOn ? code.addressOf(blocks.emitBind(code, options.arena)) : 0;
  const unbind = javascript.isOn ? code.addressOf(blocks.emitUnbind(code)) : 0;
  const close = javascript.isOn ? code.addressOf(emitClose(code)) : 0;
  // Where calls leave their return addresses in a register, V8 itself writes down those that it looks for.
  const asksForAddresses = javascript.isOn && !machine.hasLinkRegister;
  const returnAddress = asksForAddresses ? code.addressOf(emitReturnAddress(code, options.arena)) : 0;
  const counter = javascript.isOn ? code.addressOf(emitCounterFunction(code)) : 0;
  stack.emitShared(code);
  javascript.emitShared(code);
  blocks.emitShared(code);
  const ringWriter = writer.emitShared(code);
  code.align(16);
  return {
    machine,
    bytes: code.finish(),
    functionEntry,
    graphEntry,
    probedEntry,
    graphExit,
    bind,
    unbind,
    close,
    returnAddress,
    counter,
    functionTable,
    hasJavaScript: javascript.isOn,
    ringWriter,
    probeEntry,
    probeMemory,
    listEntry,
    operations,
  };
}

function emitClose(code: PortableAssembler): Label {
  code.align(16);
  const start = code.label();
  code.movImmediate(VALUE, OPEN.NOT);
  code.mov(mem(ARG0, GATE.OPEN), VALUE, 32);
  code.returnValue();
  return start;
}

function addresses<Name extends string>(
  code: PortableAssembler,
  names: readonly Name[],
  emit: (name: Name) => Label,
): Readonly<Record<Name, number>> {
  return Object.fromEntries(names.map((name) => [name, code.addressOf(emit(name))])) as Record<Name, number>;
}
