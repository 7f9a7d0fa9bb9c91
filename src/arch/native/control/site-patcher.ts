import { asTraceError } from '../../../base/errno.js';
import { pause } from '../process/pause.js';
import type { ProcessMemory } from '../process/process-memory.js';
import { type StoppedThread, whileStopped } from '../process/stop.js';

/** Bytes of text that take the place of others of the same length. */
export interface TextChange {
  readonly address: number;
  readonly bytes: Uint8Array;
  /** What may be there before; anything else is left alone. */
  readonly from: readonly Uint8Array[];
}

/** What could not be changed: why, as a sentence about the place. */
export interface Unchanged {
  readonly change: TextChange;
  readonly why: string;
}

/** How often the process is stopped again for text that a thread was in, and the milliseconds in which it may leave. */
const TRIES = 20;
const BETWEEN = 5;

const OTHER_BYTES = 'has other bytes than its file: something else has changed it';
const IN_USE = 'a thread is in the midst of it';

const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

/**
 * Changes text of a process that runs: while all of its threads are stopped, where none is in the midst of the bytes. Returns what could
 * not be changed.
 * @param alsoStopped is called during the first stop, before the text changes
 */
export function changeText(
  memory: ProcessMemory,
  changes: readonly TextChange[],
  alsoStopped?: () => void,
): readonly Unchanged[] {
  const unchanged: Unchanged[] = [];
  let left = changes;
  for (let tries = TRIES; tries > 0; tries--) {
    const isFirst = left === changes;
    left = whileStopped(memory.pid, ({ threads }) => {
      if (isFirst) alsoStopped?.();
      return left.filter((change) => {
        if (isInside(change, threads)) return true;
        const why = changeOne(memory, change);
        if (why !== undefined) unchanged.push({ change, why });
        return false;
      });
    });
    if (left.length === 0) return unchanged;
    pause(BETWEEN);
  }
  return [...unchanged, ...left.map((change) => ({ change, why: IN_USE }))];
}

/** At the first byte a thread runs what is there when it goes on. */
const isInside = ({ address, bytes }: TextChange, threads: readonly StoppedThread[]): boolean =>
  threads.some(({ pc }) => pc > address && pc < address + bytes.length);

function changeOne(memory: ProcessMemory, { address, bytes, from }: TextChange): string | undefined {
  try {
    const present = memory.read(address, bytes.length);
    if (same(present, bytes)) return undefined;
    if (!from.some((expected) => same(expected, present))) return OTHER_BYTES;
    memory.write(address, bytes);
    return undefined;
  } catch (error) {
    return asTraceError(error).message;
  }
}
