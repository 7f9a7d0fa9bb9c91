import { isEmptyHash } from './hash.js';
import { FTRACE_OPS_FL, type FtraceOps, opsWants } from './ops.js';
import { NO_OPS, type OpsList, type OpsLists } from './ops-lists.js';
import type { DynFtraceRecords } from './records.js';

/**
 * What a thread must patch: function `functions[i]` calls the list of ops with number `lists[i]`. Both arrays have the same
 * length.
 */
export interface Patches {
  readonly functions: Uint32Array;
  readonly lists: Uint32Array;
  /** The lists among them that the thread does not know yet. */
  readonly added: readonly OpsList[];
}

/** The ops that a function must call, in their order. */
export type WantedBy = (n: number) => readonly FtraceOps[];

const NONE: readonly FtraceOps[] = [];

/**
 * Finds the ops that want a function. Breakpoints are expensive: ops that select every function do not get those that need one,
 * and a breakpoint that was hit too often is not set again.
 * @param asked for how many functions it will be called
 */
export function wantedBy(records: DynFtraceRecords, ops: readonly FtraceOps[], asked: number): WantedBy {
  const enabled = ops.filter((one) => one.enabled);
  const everyone = enabled.filter(({ filter }) => isEmptyHash(filter));
  const named = enabled.filter(({ filter }) => !isEmptyHash(filter));
  const naming = namingOf(named, asked);
  const mayLeaveOut = enabled.some(({ notrace }) => notrace.functions.size > 0);
  const order = new Map(enabled.map((one, index) => [one, index]));
  return (n) => {
    const isLoadedBefore = records.isLoadedBefore(n);
    if (isLoadedBefore && records.isOverheated(n)) return NONE;
    const some = naming(n);
    const unnamed = isLoadedBefore ? NONE : everyone;
    const all = some.length === 0 ? unnamed : unnamed.length === 0 ? some : merged(unnamed, some, order);
    return mayLeaveOut ? all.filter((one) => opsWants(one, n)) : all;
  };
}

/** How many look-ups in a filter take as long as to index one of its functions. */
const LOOKUPS = 8;

/**
 * Finds the ops whose filters name a function. With a few large filters it looks into each of them; a thousand small ones would
 * take too long, and are indexed by function first.
 */
function namingOf(named: readonly FtraceOps[], asked: number): WantedBy {
  const [first] = named;
  if (first === undefined) return () => NONE;
  if (named.length === 1) return (n) => (first.filter.functions.has(n) ? named : NONE);
  const places = named.reduce((sum, { filter }) => sum + filter.functions.size, 0);
  if (named.length * asked <= LOOKUPS * places) return (n) => named.filter(({ filter }) => filter.functions.has(n));
  const byFunction = new Map<number, FtraceOps[]>();
  for (const one of named) {
    for (const n of one.filter.functions) {
      const known = byFunction.get(n);
      if (known === undefined) byFunction.set(n, [one]);
      else known.push(one);
    }
  }
  return (n) => byFunction.get(n) ?? NONE;
}

/** Both, in the order of all ops. */
const merged = (a: readonly FtraceOps[], b: readonly FtraceOps[], order: ReadonlyMap<FtraceOps, number>): readonly FtraceOps[] =>
  [...a, ...b].sort((one, other) => order.get(one)! - order.get(other)!);

const isSame = (a: readonly FtraceOps[], b: readonly FtraceOps[]): boolean =>
  a === b || (a.length === b.length && a.every((one, index) => one === b[index]));

/** The ids of ops, each once: all probes share one. */
const idsOf = (ops: readonly FtraceOps[]): readonly number[] => [...new Set(ops.map(({ id }) => id))];

/**
 * The patches that change a thread from what it calls now to what is wanted. Changes only `lists`, which numbers the lists that
 * are new; the sender of the patches takes those from there.
 * @param applied number of the list that each function calls, as the thread has it; functions beyond its end are NOP
 * @param wanted by the ops that this thread calls
 * @param from,to only functions of this range, as for a text that was just linked
 */
export function planPatches(
  records: DynFtraceRecords,
  applied: Uint32Array,
  wanted: WantedBy,
  lists: OpsLists,
  from = 0,
  to = records.count,
): Omit<Patches, 'added'> {
  const functions = new Uint32Array(to - from);
  const numbers = new Uint32Array(to - from);
  let length = 0;
  let last = NONE;
  let list: number = NO_OPS;
  for (let n = from; n < to; n++) {
    if (!records.has(n)) continue;
    const ops = wanted(n);
    // Most functions are wanted by the same ops as the one before.
    if (!isSame(ops, last)) list = lists.numberOf(idsOf(ops));
    last = ops;
    if (list === (n < applied.length ? applied[n] : NO_OPS)) continue;
    functions[length] = n;
    numbers[length++] = list;
  }
  return { functions: functions.slice(0, length), lists: numbers.slice(0, length) };
}

/** What the thread has after `patches`, as `lists` counts then; grows `applied` where needed. */
export function afterPatches(applied: Uint32Array, { functions, lists }: Omit<Patches, 'added'>, known: OpsLists): Uint32Array {
  const end = functions.reduce((most, n) => Math.max(most, n + 1), 0);
  const next = new Uint32Array(Math.max(applied.length, end));
  next.set(applied);
  known.change(
    functions.map((n) => next[n]!),
    lists,
  );
  for (let i = 0; i < functions.length; i++) next[functions[i]!] = lists[i]!;
  return next;
}

/** Updates the records' counts and flags to what all ops of all threads want (__ftrace_hash_rec_update). */
export function updateRecords(records: DynFtraceRecords, wanted: WantedBy, from = 0, to = records.count): void {
  for (let n = from; n < to; n++) {
    if (!records.has(n)) continue;
    const ops = wanted(n);
    records.set(n, ops.length, ops.some(savesRegs), ops.some(modifies));
  }
}

const modifies = ({ flags }: FtraceOps): boolean => (flags & FTRACE_OPS_FL.IPMODIFY) !== 0;
const savesRegs = ({ flags }: FtraceOps): boolean => (flags & FTRACE_OPS_FL.SAVE_REGS) !== 0;
