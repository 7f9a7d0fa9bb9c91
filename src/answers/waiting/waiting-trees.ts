import { groupBy } from '../../base/group-by.js';

/** A suspended call, as far as trees must know it. */
export interface CallToMerge {
  /** Calls with the same key are equal. */
  readonly key: string;
  /** Indexes of the calls that wait for it. */
  readonly waiters: readonly number[];
}

/** Equal calls at one place of the trees. */
export interface MergedCall {
  /** The indexes of the calls. */
  readonly members: readonly number[];
  /** The index of the element that they wait for; undefined: they are innermost. */
  readonly waitsFor: number | undefined;
  /** How many calls of the same key are left out between this element and the one that it waits for. */
  readonly repeated: number;
  /** Some of what waits for them is among those that they wait for. */
  readonly isCircle: boolean;
}

/** The most elements. */
const MOST = 20_000;

/**
 * Merges equal calls that wait for equal calls. Each tree begins with innermost calls, the most first; behind each element come
 * those that wait for it. A call that waits for several others is in several elements, but once in each. Calls that wait for each
 * other in a circle have no innermost one: one of them is taken.
 */
export function mergedCalls(calls: readonly CallToMerge[]): { readonly merged: readonly MergedCall[]; readonly isCut: boolean } {
  const merged: MergedCall[] = [];
  const path = new CallPath(calls.length);
  const open = [...groupsOf(calls, innermost(calls))].reverse().map((members) => ({ members, from: -1 }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (merged.length === MOST) return { merged, isCut: true };
    const { members, from } = next;
    path.leaveTo(from);
    path.enter(merged.length, members);
    let [last, repeated] = [members, 0];
    let groups = groupsOf(calls, waitersOf(calls, last));
    // Of a call that calls itself only the innermost is an element.
    while (isRepeated(calls, last, groups) && !groups[0]!.some((call) => path.has(call))) {
      last = groups[0]!;
      path.enter(merged.length, last);
      repeated++;
      groups = groupsOf(calls, waitersOf(calls, last));
    }
    const waiting = groups.map((group) => group.filter((call) => !path.has(call)));
    const isCircle = groups.some((group, i) => group.length !== waiting[i]!.length);
    const at = merged.push({ members, waitsFor: from < 0 ? undefined : from, repeated, isCircle }) - 1;
    for (const group of waiting.reverse()) if (group.length > 0) open.push({ members: group, from: at });
  }
  return { merged, isCut: false };
}

/** The calls from the innermost one to the one that is looked at. */
class CallPath {
  readonly #isOn: Uint8Array;
  readonly #steps: { readonly element: number; readonly members: readonly number[] }[] = [];

  constructor(calls: number) {
    this.#isOn = new Uint8Array(calls);
  }

  has(call: number): boolean {
    return this.#isOn[call] === 1;
  }

  enter(element: number, members: readonly number[]): void {
    this.#steps.push({ element, members });
    for (const call of members) this.#isOn[call] = 1;
  }

  /** Goes back to an element; -1: to the start. */
  leaveTo(element: number): void {
    for (let step = this.#steps.at(-1); step !== undefined && step.element !== element; step = this.#steps.at(-1)) {
      for (const call of step.members) this.#isOn[call] = 0;
      this.#steps.pop();
    }
  }
}

const isRepeated = (calls: readonly CallToMerge[], members: readonly number[], groups: readonly (readonly number[])[]): boolean =>
  groups.length === 1 && calls[groups[0]![0]!]!.key === calls[members[0]!]!.key;

/** The calls that wait for any of some calls, each once. */
function waitersOf(calls: readonly CallToMerge[], members: readonly number[]): Iterable<number> {
  const [only] = members;
  if (members.length === 1) return new Set(calls[only!]!.waiters);
  const waiters = new Set<number>();
  for (const call of members) for (const waiter of calls[call]!.waiters) waiters.add(waiter);
  return waiters;
}

/** Calls by their keys, the most first. */
function groupsOf(calls: readonly CallToMerge[], members: Iterable<number>): readonly (readonly number[])[] {
  const groups = groupBy(members, (call) => calls[call]!.key);
  return [...groups.values()].sort((a, b) => b.length - a.length);
}

/** The calls that wait for no other; and one of each circle that nothing else leads to. */
function innermost(calls: readonly CallToMerge[]): readonly number[] {
  const waits = new Uint8Array(calls.length);
  for (const { waiters } of calls) for (const waiter of waiters) waits[waiter] = 1;
  const first: number[] = [];
  const isReached = new Uint8Array(calls.length);
  const reach = (from: number): void => {
    first.push(from);
    const open = [from];
    for (let call = open.pop(); call !== undefined; call = open.pop()) {
      if (isReached[call] === 1) continue;
      isReached[call] = 1;
      for (const waiter of calls[call]!.waiters) open.push(waiter);
    }
  };
  for (let call = 0; call < calls.length; call++) if (waits[call] === 0) reach(call);
  for (let call = 0; call < calls.length; call++) if (isReached[call] === 0) reach(call);
  return first;
}
