import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { attempt } from '../../base/attempt.js';
import { TraceError } from '../../base/errno.js';
import { GATE, TRAP_ENTRIES, TRAP_ENTRY, TRAPS } from '../code/arena.js';
import type { NativeMachine } from '../elf/elf-file.js';
import { MACHINES } from '../machines/machines.js';
import { processMachine } from '../machines/process-machine.js';
import { type AddressRange, isWithin } from '../process/address-range.js';
import { ROOM_BYTES } from '../process/near-room.js';
import { isExecutable, type MappedRange } from '../process/process-maps.js';
import type { ProcessMemory } from '../process/process-memory.js';
import type { TextChange } from '../process/text-changes.js';
import {
  CODE_STATE,
  type CodeState,
  HEADER_BYTES,
  parseHeader,
  STUB_BYTES,
  stateWord,
  type TracedMemory,
} from './code-header.js';
import type { EndedCode } from './ways-back.js';

/** Code memory begins at a multiple of so many bytes from where a mapping begins: neighbours look like one mapping. */
const STEP = Math.min(...ROOM_BYTES);

/** What a host has left in a process. */
export interface Leftover extends TracedMemory {
  /** Code of that host, without the stubs behind each range. */
  readonly code: readonly AddressRange[];
  readonly state: CodeState;
  /** A host of this version can read its arena. */
  readonly isKnown: boolean;
}

/**
 * What earlier hosts have left in a process.
 * @throws TraceError EBUSY when such a host is running
 */
export function findLeftovers(memory: ProcessMemory, maps: readonly MappedRange[]): readonly Leftover[] {
  const found = new Map<number, Leftover & { readonly code: AddressRange[] }>();
  for (const range of maps) {
    if (!isExecutable(range) || range.path !== '') continue;
    for (let start = range.start; start + STEP <= range.end; start += STEP) {
      const header = parseHeader(memory.read(start, HEADER_BYTES), start);
      if (header === undefined) continue;
      const { data, shared, code, pid, host, isHeld, isKnown } = header;
      if (isHeld && pid === memory.pid && header.state === CODE_STATE.USED) {
        throw new TraceError('EBUSY', `process ${pid} is traced by fentry's process ${host}`);
      }
      const known = found.get(data.start);
      const state = Math.min(header.state, known?.state ?? CODE_STATE.LEFT) as CodeState;
      found.set(data.start, { data, shared, state, isKnown, code: [...(known?.code ?? []), code] });
    }
  }
  return [...found.values()];
}

/** Where threads can be in what was left: behind the headers, and in the stubs. */
export const endedCode = ({ code, data, shared }: Leftover): EndedCode => ({
  // An unwinder that knows the code keeps the addresses of its first and its last byte.
  code: code.flatMap(({ start, end }) => [
    { start: start + HEADER_BYTES, end: end - 1 },
    { start: end, end: end + STUB_BYTES },
  ]),
  arena: data.start,
  memory: [data, shared],
});

/** Says in the process how code is left. */
export function setCodeState(memory: ProcessMemory, code: readonly AddressRange[], state: CodeState): void {
  for (const range of code) {
    const { address, bytes } = stateWord(range, state);
    memory.write(address, bytes);
  }
}

/** Ends the recording of earlier hosts: calls that are open return as they must, and no new ones are followed. */
export function closeLeftovers(memory: ProcessMemory, leftovers: readonly Leftover[]): void {
  for (const { data } of leftovers) memory.write(data.start + GATE.OPEN, new Uint8Array(4));
}

/** What makes the text that leads to leftovers what the files of its objects have there. */
export function restoreText(
  memory: ProcessMemory,
  maps: readonly MappedRange[],
  leftovers: readonly Leftover[],
): readonly TextChange[] {
  if (leftovers.length === 0) return [];
  const traps = trapsOf(memory, leftovers);
  return maps.flatMap((range) => {
    if (!isExecutable(range) || !range.path.startsWith('/')) return [];
    const original = fileBytes(memory.pid, range);
    return original === undefined
      ? []
      : changesOf(memory.read(range.start, original.length), original, range.start, leftovers, traps);
  });
}

/** What a range had when it was mapped; undefined if its file is another one by now. */
function fileBytes(pid: number, { path, offset, start, end, file }: MappedRange): Buffer | undefined {
  return attempt(() => {
    const name = `/proc/${pid}/root${path}`;
    if (String(statSync(name).ino) !== file.split(' ')[1]) throw new Error('another file');
    const fd = openSync(name, 'r');
    try {
      const bytes = Buffer.alloc(end - start);
      return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, offset));
    } finally {
      closeSync(fd);
    }
  });
}

/** The addresses at which leftovers have, or had, breakpoints. */
function trapsOf(memory: ProcessMemory, leftovers: readonly Leftover[]): ReadonlySet<number> {
  const found = new Set<number>();
  for (const { data } of leftovers) {
    const table = Buffer.from(memory.read(data.start + TRAPS, TRAP_ENTRIES * TRAP_ENTRY.BYTES).buffer);
    for (let at = 0; at < table.length; at += TRAP_ENTRY.BYTES) found.add(Number(table.readBigInt64LE(at + TRAP_ENTRY.ADDRESS)));
  }
  return found;
}

/** The text that calls or jumps to leftovers, or that has one of these breakpoints. @param address of the text's first byte */
export function changesOf(
  text: Uint8Array,
  original: Uint8Array,
  address: number,
  leftovers: readonly Pick<Leftover, 'code'>[],
  traps: ReadonlySet<number> = new Set(),
  machine: NativeMachine = processMachine.name,
): readonly TextChange[] {
  const isLeft = (target: number): boolean => leftovers.some(({ code }) => isWithin(target, code));
  const parts = MACHINES[machine].leftParts({ text, original, address, isLeft, traps });
  return parts.map(([from, to]) => ({ address: address + from, bytes: original.slice(from, to), from: [text.slice(from, to)] }));
}
