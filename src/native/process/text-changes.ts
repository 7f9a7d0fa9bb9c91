import { attempt } from '../../base/attempt.js';
import { asTraceError } from '../../base/errno.js';
import { PAGE } from '../../base/page.js';
import { sameBytes } from '../../base/same-bytes.js';
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

/**
 * Makes changes of text in which none of the threads is in the midst. What lies near to each other is read and written at once.
 */
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
  const states = Array<ChangeState>(changes.length).fill('waits');
  const ready: number[] = [];
  for (const [i, change] of changes.entries()) {
    const waits = isInside(change, threads) || (change.isMoved === true && isOnStack(change));
    if (!waits) ready.push(i);
  }
  for (const group of groupsOf(changes, ready)) changeGroup(memory, changes, group, states);
  return states;
}

/** Groups of changes that lie in one page each, in the order of their addresses; one that lies in two is alone. */
function groupsOf(changes: readonly TextChange[], ready: number[]): readonly (readonly number[])[] {
  const groups: number[][] = [];
  let page = Number.NaN;
  for (const i of ready.sort((a, b) => changes[a]!.address - changes[b]!.address)) {
    const { address, bytes } = changes[i]!;
    const own = Math.floor(address / PAGE);
    const isInOne = Math.floor((address + bytes.length - 1) / PAGE) === own;
    if (isInOne && own === page) groups.at(-1)!.push(i);
    else groups.push([i]);
    page = isInOne ? own : Number.NaN;
  }
  return groups;
}

function changeGroup(
  memory: ProcessMemory,
  changes: readonly TextChange[],
  group: readonly number[],
  states: ChangeState[],
): void {
  const [first, last] = [changes[group[0]!]!, changes[group.at(-1)!]!];
  const start = first.address;
  let present: Uint8Array | undefined;
  try {
    present = memory.read(start, last.address + last.bytes.length - start);
    const lent = lentBytes(memory.pid, start, present.length);
    const text = Uint8Array.from(present);
    for (const { at, original } of lent) text.set(original, at);
    for (const i of group) states[i] = changeIn(text, start, changes[i]!);
    const written = withLent(text, present, lent);
    if (!sameBytes(written, present)) memory.write(start, written);
    if (lent.length > 0) oweOthers(lent, text);
  } catch (error) {
    // Not all of it may be there, or a part may have been written. Each by itself has a reason of its own.
    if (present !== undefined) undo(memory, start, present);
    if (group.length > 1) for (const i of group) changeGroup(memory, changes, [i], states);
    else states[group[0]!] = { why: asTraceError(error).message };
  }
}

/** Where the program waits at its entry point, an endless loop stays; what is put back in its place is the change. */
function withLent(bytes: Uint8Array, present: Uint8Array, lent: readonly LentBytes[]): Uint8Array {
  const written = Uint8Array.from(bytes);
  for (const { at, original } of lent) written.set(present.subarray(at, at + original.length), at);
  return written;
}

/** Makes a change in bytes that begin at an address. */
function changeIn(text: Uint8Array, start: number, { address, bytes, from }: TextChange): ChangeState {
  const at = address - start;
  const before = text.subarray(at, at + bytes.length);
  if (!sameBytes(before, bytes)) {
    if (!from.some((expected) => sameBytes(expected, before))) return { why: OTHER_BYTES };
    before.set(bytes);
  }
  return 'made';
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
