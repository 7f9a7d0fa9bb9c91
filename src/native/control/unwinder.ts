import { type AddressRange, isWithin } from '../process/address-range.js';
import { isExecutable, type MappedRange } from '../process/process-maps.js';
import type { ProcessMemory } from '../process/process-memory.js';
import { hasWord } from '../process/resident-words.js';
import type { StoppedThread } from '../process/stop.js';

/** Whether an object is the library that unwinds stacks for exceptions. */
export const isUnwinder = (path: string): boolean => /\/libgcc_s[.-][^/]*$/.test(path);

/** Whether threads are in the unwinder's library, or something that it has called or that has interrupted it is. */
export function isUnwinding(
  memory: ProcessMemory,
  maps: readonly MappedRange[],
  threads: readonly StoppedThread[],
  stacks: readonly AddressRange[],
): boolean {
  const unwinder = maps.filter((range) => isExecutable(range) && isUnwinder(range.path));
  if (unwinder.length === 0) return false;
  return threads.some(({ pc }) => isWithin(pc, unwinder)) || hasWord(memory, stacks, unwinder);
}
