import { isEmptyHash } from './hash.js';
import { FTRACE_OPS_FL, type FtraceOps, opsWants } from './ops.js';
import type { DynFtraceRecords } from './records.js';

/**
 * What a thread must patch: function `functions[i]` calls the ops whose bits are set in `masks[i]`. 0 is NOP, one bit that ops'
 * own trampoline, several the list function. Both arrays have the same length.
 */
export interface Patches {
  readonly functions: Uint32Array;
  readonly masks: Uint32Array;
}

/** The ops that function `n` must call, as a bit mask of their ids. */
function wantedMask(ops: readonly FtraceOps[], n: number): number {
  let mask = 0;
  for (const one of ops) if (opsWants(one, n)) mask |= 1 << one.id;
  return mask;
}

/**
 * The ops that may want a function. Breakpoints are expensive: ops that select every function do not get those that need one, and a
 * breakpoint that was hit too often is not set again.
 */
function candidatesOf(records: DynFtraceRecords, ops: readonly FtraceOps[]): (n: number) => readonly FtraceOps[] {
  const named = ops.filter(({ filter }) => !isEmptyHash(filter));
  return (n) => {
    if (!records.isEarly(n)) return ops;
    return records.isOverheated(n) ? [] : named;
  };
}

/**
 * The patches that change a thread from what it calls now to what the ops want. Pure.
 * @param applied mask of each function as the thread has it; functions beyond its end are NOP
 * @param ops those that this thread calls
 * @param from,to only functions of this range, as for a text that was just linked
 */
export function planPatches(
  records: DynFtraceRecords,
  applied: Uint32Array,
  ops: readonly FtraceOps[],
  from = 0,
  to = records.count,
): Patches {
  const functions = new Uint32Array(to - from);
  const masks = new Uint32Array(to - from);
  const candidates = candidatesOf(records, ops);
  let length = 0;
  for (let n = from; n < to; n++) {
    if (!records.has(n)) continue;
    const mask = wantedMask(candidates(n), n);
    if (mask === (n < applied.length ? applied[n] : 0)) continue;
    functions[length] = n;
    masks[length++] = mask;
  }
  return { functions: functions.slice(0, length), masks: masks.slice(0, length) };
}

/** What the thread has after `patches`; grows `applied` where needed. */
export function afterPatches(applied: Uint32Array, patches: Patches): Uint32Array {
  const end = patches.functions.reduce((most, n) => Math.max(most, n + 1), 0);
  const next = new Uint32Array(Math.max(applied.length, end));
  next.set(applied);
  for (let i = 0; i < patches.functions.length; i++) next[patches.functions[i]!] = patches.masks[i]!;
  return next;
}

/** Updates the records' counts and flags to what all ops of all threads want (__ftrace_hash_rec_update). */
export function updateRecords(records: DynFtraceRecords, ops: readonly FtraceOps[], from = 0, to = records.count): void {
  const candidates = candidatesOf(records, ops);
  for (let n = from; n < to; n++) {
    if (!records.has(n)) continue;
    let references = 0;
    let regs = false;
    for (const one of candidates(n)) {
      if (!opsWants(one, n)) continue;
      references++;
      regs ||= (one.flags & FTRACE_OPS_FL.SAVE_REGS) !== 0;
    }
    records.set(n, references, regs);
  }
}
