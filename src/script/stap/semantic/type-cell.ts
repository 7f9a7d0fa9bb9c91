import type { StapPlace } from '../syntax-tree.js';

/** What a name or an expression can be found to be. `value`: what a variable of the program holds. */
export type CellType = 'long' | 'string' | 'stats' | 'value';

/** Where a type was found. */
export interface TypeWitness {
  readonly token: string;
  readonly place: StapPlace;
}

/**
 * The type of a name or an expression, while it is being found: cells that must have one type are joined. A cell into which only
 * values of the program go is decided at the end, by `settle`.
 */
export class TypeCell {
  #joined: TypeCell | undefined;
  #known: CellType | undefined;
  #witness: TypeWitness | undefined;
  #takesValues = false;

  static of(known: CellType): TypeCell {
    const cell = new TypeCell();
    cell.#known = known;
    return cell;
  }

  get #root(): TypeCell {
    return this.#joined === undefined ? this : this.#joined.#root;
  }

  /** The type as far as it is known. */
  get known(): CellType | undefined {
    return this.#root.#known;
  }

  get witness(): TypeWitness | undefined {
    return this.#root.#witness;
  }

  /** The type is this one; returns false if it is another. A value becomes whatever is asked of it. */
  be(type: CellType, witness?: TypeWitness): boolean {
    const root = this.#root;
    if (type === 'value') {
      root.#takesValues = true;
      return true;
    }
    if (root.#known === undefined) {
      root.#known = type;
      root.#witness = witness;
      return true;
    }
    return root.#known === type || root.#known === 'value';
  }

  /** Both are of one type; returns false if they are not. */
  join(other: TypeCell, witness?: TypeWitness): boolean {
    const [a, b] = [this.#root, other.#root];
    if (a === b) return true;
    if (b.#known !== undefined) return a.be(b.#known, b.#known === 'value' ? undefined : (b.#witness ?? witness));
    if (a.#known === 'value') return b.be('value');
    if (a.#known !== undefined) return b.be(a.#known, a.#witness ?? witness);
    b.#joined = a;
    a.#takesValues ||= b.#takesValues;
    return true;
  }

  /** Decides what nothing else has decided: it keeps values of the program. */
  settle(): void {
    const root = this.#root;
    if (root.#known === undefined && root.#takesValues) root.#known = 'value';
  }
}
