/** A list of ops and its number. A site that is patched to this number calls these ops, in this order. */
export interface OpsList {
  readonly list: number;
  /** Ids of the ops, each once. */
  readonly ops: readonly number[];
}

/** The number of the empty list: the site is a NOP. */
export const NO_OPS = 0;

/**
 * The numbers of the ops lists that the sites of one thread call. Equal lists have the same number. When no site
 * calls a list any more, its number can be used for another list: the thread obeys in order, so it has patched the last site by
 * then.
 */
export class OpsLists {
  readonly #numbers = new Map<string, number>();
  /** By number: the key of the list, and how many sites call it. */
  readonly #keys: string[] = [''];
  readonly #calls: number[] = [0];
  readonly #free: number[] = [];
  #added: OpsList[] = [];

  /** The number of a list; a new one if no site calls an equal list yet. */
  numberOf(ops: readonly number[]): number {
    if (ops.length === 0) return NO_OPS;
    const key = ops.join();
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const list = this.#free.pop() ?? this.#keys.length;
    this.#numbers.set(key, list);
    this.#keys[list] = key;
    this.#calls[list] = 0;
    this.#added.push({ list, ops });
    return list;
  }

  /** The lists that got a number since the last call: the thread must know them before its sites call them. */
  takeAdded(): readonly OpsList[] {
    const added = this.#added;
    this.#added = [];
    return added;
  }

  /**
   * Functions are patched: they called the lists `before` and call the lists `after`. Forgets the lists that no site calls then.
   */
  change(before: Uint32Array, after: Uint32Array): void {
    for (const list of after) this.#calls[list]!++;
    const left = new Set<number>();
    for (const list of before) if (--this.#calls[list]! === 0) left.add(list);
    left.delete(NO_OPS);
    for (const list of left) {
      this.#numbers.delete(this.#keys[list]!);
      this.#keys[list] = '';
      this.#free.push(list);
    }
  }

  /** How many lists sites call. */
  get size(): number {
    return this.#numbers.size;
  }
}
