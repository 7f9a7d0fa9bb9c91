import { StringPrototypeSlice as slice } from '../../base/primordials.js';
import { type PreparedText, prepare } from './value-text.js';

/** Characters of a name (of a function, class, symbol) that are shown. */
export const MAX_NAME = 40;
/** Characters of a key that are shown. */
const MAX_KEY = 24;

const cut = (text: string, most: number): string => (text.length > most ? `${slice(text, 0, most)}…` : text);

/** A key that most objects of a class have at one place, and the one that follows. */
export interface KeptKey {
  readonly key: string;
  /** All that stands before its value. */
  readonly before: PreparedText;
  readonly next: KeptKey | undefined;
}

/** What is the same in the texts of all objects of one class. */
export class ClassText {
  /** What stands before the members: nothing for ordinary objects. */
  readonly name: string;
  /** The first of the keys that the second object had: a class of one object would not be worth it. */
  kept: KeptKey | undefined;
  /** Whether some of its objects have very many keys. */
  hasLarge = false;
  #folded: PreparedText | undefined;
  #isSecond = false;

  constructor(name: string) {
    this.name = name === 'Object' ? '' : cut(name, MAX_NAME);
  }

  /** The text of an object whose members are not shown. */
  get folded(): PreparedText {
    this.#folded ??= prepare(`${this.name}{…}`);
    return this.#folded;
  }

  /** An object with these keys is shown, `shown` of them. */
  keep(keys: readonly string[], shown: number): void {
    if (this.#isSecond) {
      for (let i = shown - 1; i >= 0; i--) {
        this.kept = { key: keys[i]!, before: prepare(this.before(keys[i]!, i)), next: this.kept };
      }
    }
    this.#isSecond = true;
  }

  /** All that stands before the value of its `i`th key. */
  before(key: string, i: number): string {
    return `${i === 0 ? `${this.name}{` : ', '}${cut(key, MAX_KEY)}: `;
  }
}
