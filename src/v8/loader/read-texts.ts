import { IntMap } from '../../base/int-map.js';
import { deref, SafeWeakRef } from '../realm/primordials.js';
import { hasKey } from './cache-entry.js';
import type { ContentKey } from './content-key.js';
import type { ReadText } from './linker.js';

const FIRST_ROWS = 64;
const ROW_WORDS = 11;
const ROW = { place: 0, key: 4, functions: 8, first: 9, held: 10 } as const;

/** What a row has of what was compiled of its text. */
const HELD = { nothing: 0, strongly: 1, weakly: 2, noLonger: 3 } as const;

/** What is kept of a text that was read. */
export type KeptText = Pick<ReadText, 'key' | 'placeKey' | 'functionCount' | 'firstFunction'>;

/**
 * The texts that this thread has read, one for each place, in the order of their first reading. They stay for the whole run: each
 * takes some 70 bytes, besides what was compiled of it.
 */
export class ReadTexts<Made extends object> {
  #words = new Uint32Array(FIRST_ROWS * ROW_WORDS);
  /** The number of a row, from 1, by the first free or equal word from the first of its place's key on. */
  readonly #rows = new IntMap();
  readonly #made: (Made | WeakRef<Made> | undefined)[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** A text was read: before, in the same row, if it has the same place. */
  read(text: KeptText): void {
    this.#put(text, HELD.nothing, undefined);
  }

  /** What was read has been compiled. @param isHeld whether what was compiled lives on for this */
  compiled(text: KeptText, made: Made, isHeld: boolean): void {
    if (isHeld) this.#put(text, HELD.strongly, made);
    else this.#put(text, HELD.weakly, new SafeWeakRef(made));
  }

  /** The text of a row. */
  at(row: number): KeptText {
    const words = this.#words;
    const at = row * ROW_WORDS;
    return {
      placeKey: keyAt(words, at + ROW.place),
      key: keyAt(words, at + ROW.key),
      functionCount: words[at + ROW.functions]!,
      firstFunction: words[at + ROW.first]!,
    };
  }

  /** What was compiled of a row's text, if it is still there. */
  made(row: number): Made | undefined {
    const made = this.#made[row];
    return this.#held(row) === HELD.weakly ? deref(made as WeakRef<Made>) : (made as Made | undefined);
  }

  /** Whether something was compiled of the text, though it may be gone. */
  isCompiled(row: number): boolean {
    return this.#held(row) !== HELD.nothing;
  }

  /** What was compiled of the text need not live longer for this. */
  release(row: number): void {
    if (!this.isCompiled(row)) return;
    this.#made[row] = undefined;
    this.#words[row * ROW_WORDS + ROW.held] = HELD.noLonger;
  }

  #held(row: number): number {
    return this.#words[row * ROW_WORDS + ROW.held] as number;
  }

  #put({ key, placeKey, functionCount, firstFunction }: KeptText, held: number, made: Made | WeakRef<Made> | undefined): void {
    const row = this.#rowOf(placeKey);
    const at = row * ROW_WORDS;
    for (let i = 0; i < 4; i++) this.#words[at + ROW.key + i] = key[i] as number;
    this.#words[at + ROW.functions] = functionCount;
    this.#words[at + ROW.first] = firstFunction;
    this.#words[at + ROW.held] = held;
    this.#made[row] = made;
  }

  /** The row of a place; a new one if it has none. */
  #rowOf(place: ContentKey): number {
    for (let word = place[0] | 0; ; word = (word + 1) | 0) {
      const row = this.#rows.get(word) - 1;
      if (row < 0) return this.#add(place, word);
      if (hasKey(this.#words, row * ROW_WORDS + ROW.place, place)) return row;
    }
  }

  #add(place: ContentKey, word: number): number {
    const row = this.#size++;
    if (this.#size * ROW_WORDS > this.#words.length) {
      const more = new Uint32Array(this.#words.length * 2);
      more.set(this.#words);
      this.#words = more;
    }
    for (let i = 0; i < 4; i++) this.#words[row * ROW_WORDS + ROW.place + i] = place[i] as number;
    this.#rows.set(word, row + 1);
    return row;
  }
}

const keyAt = (words: Uint32Array, at: number): ContentKey => [words[at]!, words[at + 1]!, words[at + 2]!, words[at + 3]!];
