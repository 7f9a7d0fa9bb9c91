import { attempt } from '../../../base/attempt.js';
import { asTraceError } from '../../../base/errno.js';
import { sameBytes } from '../../../base/same-bytes.js';
import type { AddressRange } from './address-range.js';
import { type LentBytes, lentBytes, oweOthers } from './debts.js';
import type { ProcessMemory } from './process-memory.js';
import { StackWords } from './stack-words.js';
import type { StoppedThread } from './stop.js';

/** Bytes of text that take the place of others of the same length. */
export interface TextChange {
  readonly address: number;
  readonly bytes: Uint8Array;
  /** What may be there before; anything else is left alone. */
  readonly from: readonly Uint8Array[];
  /** Several instructions make room for one: a signal handler may return into their midst. */
  readonly isMoved?: true;
  /** Nobody has asked for it: that it cannot be made is no reason to refuse something. */
  readonly isUnasked?: true;
  /** Called when it could not be made: why, as a sentence about the place. */
  readonly refused?: (why: string) => void;
}

/** A change is made, a thread is in the midst of it, or it cannot be made for a reason. */
export type ChangeState = 'made' | 'waits' | { readonly why: string };

const OTHER_BYTES =
  'its text has other bytes than its file, and not from this fentry: another program has changed it, or the program itself';

/** Makes changes of text in which none of the threads is in the midst. */
export function changeText(
  memory: ProcessMemory,
  threads: readonly StoppedThread[],
  changes: readonly TextChange[],
): readonly ChangeState[] {
  let stacks: StackWords | undefined;
  const isOnStack = ({ address, bytes }: TextChange): boolean => {
    stacks ??= new StackWords(memory, threads, rangeOf(changes));
    return stacks.hasBetween(address, address + bytes.length);
  };
  return changes.map((change) => {
    const waits = isInside(change, threads) || (change.isMoved === true && isOnStack(change));
    return waits ? 'waits' : changeOne(memory, change);
  });
}

function changeOne(memory: ProcessMemory, change: TextChange): ChangeState {
  const { address, bytes, from } = change;
  let present: Uint8Array | undefined;
  try {
    present = memory.read(address, bytes.length);
    const lent = lentBytes(memory.pid, address, bytes.length);
    const before = Uint8Array.from(present);
    for (const { at, original } of lent) before.set(original, at);
    if (sameBytes(before, bytes)) return 'made';
    if (!from.some((expected) => sameBytes(expected, before))) return { why: OTHER_BYTES };
    memory.write(address, withLent(bytes, present, lent));
    oweOthers(lent, bytes);
    return 'made';
  } catch (error) {
    // At the end of a page a part may have been written.
    if (present !== undefined) undo(memory, address, present);
    return { why: asTraceError(error).message };
  }
}

/** Where the program waits at its entry point, an endless loop stays; what is put back in its place is the change. */
function withLent(bytes: Uint8Array, present: Uint8Array, lent: readonly LentBytes[]): Uint8Array {
  const written = Uint8Array.from(bytes);
  for (const { at, original } of lent) written.set(present.subarray(at, at + original.length), at);
  return written;
}

const undo = (memory: ProcessMemory, address: number, present: Uint8Array): void =>
  void attempt(() => memory.write(address, present));

/** From the first to the last address of some changes. */
const rangeOf = (changes: readonly TextChange[]): AddressRange => ({
  start: changes.reduce((least, { address }) => Math.min(least, address), Infinity),
  end: changes.reduce((most, { address, bytes }) => Math.max(most, address + bytes.length), 0),
});

/** At the first byte a thread runs what is there when it goes on. */
const isInside = ({ address, bytes }: TextChange, threads: readonly StoppedThread[]): boolean =>
  threads.some(({ pc }) => pc > address && pc < address + bytes.length);
