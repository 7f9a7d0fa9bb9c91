import { Assembler } from '../x86-64/assembler.js';
import type { Label } from '../x86-64/operands.js';
import { emitFunctionTrampoline, PARENT_PLACES, type ParentPlace } from './function-trampoline.js';
import { emitGraphEntry, emitGraphExit, SLOT_PLACES, type SlotPlace } from './graph-trampolines.js';
import { RingWriterCode } from './ring-writer.js';
import { ShadowStackCode } from './shadow-stack.js';
import { ThreadBlockCode, type ThreadOptions } from './thread-block.js';

/** Where the code and its data are going to be. */
export interface CodeOptions extends ThreadOptions {
  /** The address of the first byte. */
  readonly address: number;
  /** The address of the arena. */
  readonly arena: number;
}

/** What the thunks of a range of memory share. Its bytes are good only at their address, with the arena at its own. */
export interface CommonCode {
  readonly bytes: Uint8Array;
  /** Addresses that thunks call or jump to. */
  readonly functionEntry: Readonly<Record<ParentPlace, number>>;
  readonly graphEntry: Readonly<Record<SlotPlace, number>>;
  readonly graphExit: number;
}

/** Builds the code that stands once in each range of code memory; `buildThunks` makes the rest, in the same range. */
export function buildCommonCode(options: CodeOptions): CommonCode {
  const code = new Assembler(options.address);
  const writer = new RingWriterCode();
  const blocks = new ThreadBlockCode(options);
  const parts = { writer, blocks, arena: options.arena, functionTable: options.layout.functionTable };
  const stack = new ShadowStackCode(parts);
  const functionEntry = addresses(code, PARENT_PLACES, (place) => emitFunctionTrampoline(code, parts, place));
  const graphEntry = addresses(code, SLOT_PLACES, (place) => emitGraphEntry(code, parts, stack, place, options.layout.frames));
  const graphExit = code.addressOf(emitGraphExit(code, parts, stack));
  stack.emitShared(code);
  blocks.emitShared(code);
  writer.emitShared(code);
  code.align(16);
  return { bytes: code.finish(), functionEntry, graphEntry, graphExit };
}

function addresses<Name extends string>(
  code: Assembler,
  names: readonly Name[],
  emit: (name: Name) => Label,
): Readonly<Record<Name, number>> {
  return Object.fromEntries(names.map((name) => [name, code.addressOf(emit(name))])) as Record<Name, number>;
}
