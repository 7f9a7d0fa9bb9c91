import { NO_OPS } from '../../../src/ftrace/ops-lists.js';
import type { PatchedSites, PortCommand } from '../../../src/port/port.js';

/** The sites of the machine's text, which all of its threads run: patched once for all of them, as machine code is. */
export class SimulatedSites implements PatchedSites {
  /** By function number. */
  readonly #addresses = new Map<number, number>();
  readonly #lists = new Map<number, number>();
  /** Ids of ops, by the number of their list. */
  readonly #ops = new Map<number, readonly number[]>();

  post(command: PortCommand): void {
    if (command.type === 'functions') {
      const { firstFunction, addresses } = command.functions;
      for (const [index, address] of addresses.entries()) this.#addresses.set(firstFunction + index, address);
    }
    if (command.type !== 'patch') return;
    const { functions, lists, added } = command.patches;
    for (const { list, ops } of added) this.#ops.set(list, ops);
    for (const [index, n] of functions.entries()) this.#lists.set(n, lists[index]!);
  }

  /** A function's address; 0 before it was ever patched. */
  address(n: number): number {
    return this.#addresses.get(n) ?? 0;
  }

  /** The ops that a function's site calls, in their order. */
  ops(n: number): readonly number[] {
    return this.#ops.get(this.#lists.get(n) ?? NO_OPS) ?? [];
  }
}
