import { longBytes } from '../machine/long-bytes.js';
import type { Caller } from '../process/caller.js';
import { processMachine } from '../process/process-machine.js';
import type { ProcessMemory } from '../process/process-memory.js';
import { MAP, PROTECTION } from './target-memory.js';

const CALL = processMachine.systemCalls;
const BYTES = 4096;

/**
 * Gives the thread of a process that has no C library a thread pointer: what threads run for fentry tells them apart by it, and
 * reads memory at it. One that has a thread pointer keeps it.
 * @throws TraceError as RemoteCaller does
 */
export function ensureThreadPointer(memory: ProcessMemory, caller: Caller): void {
  const { threadPointerCall } = processMachine;
  if (threadPointerCall === undefined) return;
  const { nr, get, set } = threadPointerCall;
  const flags = MAP.private | MAP.anonymous;
  const [address] = caller.call([
    { nr: CALL.mmap, args: [0, BYTES, PROTECTION.read | PROTECTION.write, flags, -1, 0] },
    { nr, args: [get, { result: 0 }] },
  ]);
  const hasPointer = memory.read(address!, longBytes(0).length).some((byte) => byte !== 0);
  // There may be words on both sides.
  const pointer = address! + BYTES / 2;
  if (!hasPointer) memory.write(pointer, longBytes(pointer));
  caller.call([hasPointer ? { nr: CALL.munmap, args: [address!, BYTES] } : { nr, args: [set, pointer] }]);
}
