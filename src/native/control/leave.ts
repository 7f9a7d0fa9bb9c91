import { SHARED } from '../code/arena.js';
import type { AddressRange } from '../process/address-range.js';
import type { MappedRange } from '../process/process-maps.js';
import type { ProcessMemory } from '../process/process-memory.js';
import { type StoppedThread, whileStopped } from '../process/stop.js';
import { ChangeQueue, type MakeChanges } from './change-queue.js';
import { CODE_STATE, HEADER_BYTES, type TracedMemory } from './code-header.js';
import { closeLeftovers, endedCode, type Leftover, restoreText, setCodeState } from './leftovers.js';
import type { RingMemoryPages } from './shared-pages.js';
import { hasWaysBack } from './ways-back.js';

/** What a host is about to leave. */
export interface LeaveNeeds {
  readonly memory: ProcessMemory;
  readonly mapped: TracedMemory;
  readonly pages: RingMemoryPages;
}

/**
 * Leaves a process that is stopped, whose text does not lead to any code of this host any more. Its calls get their return
 * addresses back. The code and the arena stay mapped, for a later host; rings are given back to the system unless a thread may
 * still write to them.
 */
export function leave(
  { memory, mapped, pages }: LeaveNeeds,
  threads: readonly StoppedThread[],
  code: readonly AddressRange[],
): void {
  const left: Leftover = { ...mapped, code, state: CODE_STATE.USED, isKnown: true };
  const isLeft = end(memory, threads, left);
  if (isLeft) pages.empty();
}

/** Takes the headers of code away: it is never used again. */
export function forget(memory: ProcessMemory, code: readonly AddressRange[]): void {
  for (const { start } of code) memory.write(start, new Uint8Array(HEADER_BYTES));
}

/**
 * Gives open calls their return addresses back, and says in the process how code is left. Returns whether it can be used again.
 */
function end(memory: ProcessMemory, threads: readonly StoppedThread[], leftover: Leftover): boolean {
  const isBusy = hasWaysBack(memory, threads, endedCode(leftover)) || handlesTraps(memory, leftover);
  setCodeState(memory, leftover.code, isBusy ? CODE_STATE.ENDED : CODE_STATE.LEFT);
  return !isBusy;
}

const handlesTraps = (memory: ProcessMemory, { data }: Leftover): boolean =>
  memory.read(data.start + SHARED.HANDLES_TRAPS, 4).some((byte) => byte !== 0);

/**
 * Ends what earlier hosts have left: the text becomes that of the objects' files, and open calls get their return addresses back.
 * @returns what can be used again; undefined: nothing
 */
export function endLeftovers(
  memory: ProcessMemory,
  make: MakeChanges,
  maps: readonly MappedRange[],
  leftovers: readonly Leftover[],
): Leftover | undefined {
  const used = leftovers.filter(({ state }) => state === CODE_STATE.USED);
  closeLeftovers(memory, used);
  let isRestored = true;
  const queue = new ChangeQueue(make);
  const refused = (): void => void (isRestored = false);
  queue.addText(restoreText(memory, maps, used).map((change) => ({ ...change, refused })));
  queue.flush();
  const known = leftovers.filter(({ isKnown, state }) => isKnown && (isRestored || state !== CODE_STATE.USED));
  return (
    known.find(({ state }) => state === CODE_STATE.LEFT) ??
    (known.length === 0
      ? undefined
      : whileStopped(memory.pid, ({ threads }) => known.find((leftover) => end(memory, threads, leftover))))
  );
}
