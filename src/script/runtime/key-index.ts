import { SafeMap } from '../../base/safe-map.js';
import type { Long } from '../../events/c-types.js';

export type KeyPart = Long | string;
type Level = Map<KeyPart, Level | number>;

/** Finds numbers by keys of several parts, without an allocation for a look-up: a Map for each part. */
export class KeyIndex {
  /** The numbers of keys of one part. */
  #root: Level = new SafeMap();

  /** The number of a key of one part. */
  get1(key: KeyPart): number | undefined {
    return this.#root.get(key) as number | undefined;
  }

  get2(first: KeyPart, second: KeyPart): number | undefined {
    return (this.#root.get(first) as Level | undefined)?.get(second) as number | undefined;
  }

  get(key: readonly KeyPart[]): number | undefined {
    let level: Level | number | undefined = this.#root;
    for (let i = 0; i < key.length && level !== undefined; i++) level = (level as Level).get(key[i]!);
    return level as number | undefined;
  }

  set(key: readonly KeyPart[], value: number): void {
    let level = this.#root;
    for (let i = 0; i < key.length - 1; i++) {
      let next = level.get(key[i]!) as Level | undefined;
      if (next === undefined) {
        next = new SafeMap();
        level.set(key[i]!, next);
      }
      level = next;
    }
    level.set(key[key.length - 1]!, value);
  }

  delete(key: readonly KeyPart[]): void {
    let level = this.#root;
    for (let i = 0; i < key.length - 1; i++) {
      const next = level.get(key[i]!) as Level | undefined;
      if (next === undefined) return;
      level = next;
    }
    level.delete(key[key.length - 1]!);
  }

  clear(): void {
    this.#root = new SafeMap();
  }
}
