import type { Patch } from './borrowed-stub.js';

/** What this process owes others: it must be done for it if it is killed (guard.ts). */
export interface Debts {
  /** The process that stands still for it; absent: none does. */
  readonly stopped?: number;
  /** Text to be put back. */
  readonly patches: readonly { readonly pid: number; readonly address: number; readonly bytes: string }[];
}

interface OwedPatches {
  readonly pid: number;
  readonly patches: readonly Patch[];
}

const owed = new Set<OwedPatches>();
let stopped: number | undefined;
let tell: (debts: Debts) => void = () => {};

/** Has all debts told from now on, before they are made and after they are settled. */
export function tellDebts(to: (debts: Debts) => void): void {
  tell = to;
  changed();
}

/** Says that a process is about to be stopped, or goes on. */
export function setStopped(pid: number | undefined): void {
  stopped = pid;
  changed();
}

/** Says that text is about to be changed for a moment. Returns what says that it is what it was. */
export function owe(pid: number, patches: readonly Patch[]): () => void {
  const one = { pid, patches };
  owed.add(one);
  changed();
  return () => {
    owed.delete(one);
    changed();
  };
}

/** What is lent of some bytes of a process: where it begins in them, and the part of the patch that is put back there. */
export interface LentBytes {
  readonly at: number;
  readonly original: Uint8Array;
}

/** The parts of some bytes of a process that are something else for a moment. */
export function lentBytes(pid: number, address: number, length: number): readonly LentBytes[] {
  const lent: LentBytes[] = [];
  for (const { patches, ...one } of owed) {
    if (one.pid !== pid) continue;
    for (const { address: start, bytes } of patches) {
      const [from, to] = [Math.max(start, address), Math.min(start + bytes.length, address + length)];
      if (from < to) lent.push({ at: from - address, original: bytes.subarray(from - start, to - start) });
    }
  }
  return lent;
}

/** Has other bytes put back than those that were there. */
export function oweOthers(lent: readonly LentBytes[], bytes: Uint8Array): void {
  for (const { at, original } of lent) original.set(bytes.subarray(at, at + original.length));
  changed();
}

function changed(): void {
  const patches = [...owed].flatMap(({ pid, patches }) =>
    patches.map(({ address, bytes }) => ({ pid, address, bytes: Buffer.from(bytes).toString('hex') })),
  );
  tell({ ...(stopped !== undefined && { stopped }), patches });
}
