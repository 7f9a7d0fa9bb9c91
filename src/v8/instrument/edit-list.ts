import { EditWord } from '../text/edit-form.js';
import type { AnyNode } from './parse.js';

const WORDS = EditWord.Words;
const FIRST_EDITS = 128;

/**
 * The snippets to insert that a walk has decided, one behind the other, in numbers: a large program has hundreds of thousands.
 * The owner is the index of a function; an entry's first argument is resolved when the edits are written.
 */
export class EditList {
  length = 0;
  /** EditWord.Words for each edit; more are there than are used. */
  words = new Int32Array(WORDS * FIRST_EDITS);
  /** By index: the names that a statement's site passes, or that of what a catch has caught. */
  #names = new Map<number, readonly AnyNode[]>();

  push(offset: number, piece: number, owner: number, first: number, second: number): void {
    let words = this.words;
    let at = this.length++ * WORDS;
    if (at === words.length) {
      words = new Int32Array(2 * at);
      words.set(this.words);
      this.words = words;
    }
    words[at++] = offset;
    words[at++] = piece;
    words[at++] = owner;
    words[at++] = first;
    words[at] = second;
  }

  pushNamed(offset: number, piece: number, owner: number, first: number, names: readonly AnyNode[]): void {
    this.#names.set(this.length, names);
    this.push(offset, piece, owner, first, 0);
  }

  /** The indexes of the edits with names, and these. */
  get named(): ReadonlyMap<number, readonly AnyNode[]> {
    return this.#names;
  }

  names(index: number): readonly AnyNode[] {
    return this.#names.get(index) ?? [];
  }

  /** Gives each function the number that it has in another order. */
  renumber(numberOf: (owner: number) => number): void {
    for (let i = 0; i < this.length; i++)
      this.words[i * WORDS + EditWord.Owner] = numberOf(this.words[i * WORDS + EditWord.Owner] as number);
  }

  /** Puts the edits in the order of the source; those at one place stay in theirs. */
  sort(): void {
    const offset = (index: number): number => this.words[index * WORDS + EditWord.Offset] as number;
    const order = Array.from({ length: this.length }, (_, i) => i).sort((a, b) => offset(a) - offset(b));
    const words = new Int32Array(this.words.length);
    const names = new Map<number, readonly AnyNode[]>();
    order.forEach((from, to) => {
      words.set(this.words.subarray(from * WORDS, (from + 1) * WORDS), to * WORDS);
      const named = this.#names.get(from);
      if (named !== undefined) names.set(to, named);
    });
    this.words = words;
    this.#names = names;
  }
}
