type Thunk = () => unknown;

/** The values of a spot's names at the present hit. */
export class HitValues {
  readonly #values: unknown[] = [];
  readonly #isFault: boolean[] = [];
  /** One for each name: returns its value at the present hit, or throws if it has none. They stay the same. */
  readonly thunks: readonly Thunk[];

  constructor(count: number) {
    this.thunks = Array.from({ length: count }, (_, i) => () => {
      if (this.#isFault[i]) throw FAULT;
      return this.#values[i];
    });
  }

  /** Takes the values of a hit: all at once, or if a name has none, one by one. */
  take(all: () => readonly unknown[], each: () => readonly Thunk[]): void {
    const count = this.thunks.length;
    try {
      const values = all();
      for (let i = 0; i < count; i++) this.#put(i, values[i], false);
    } catch {
      const thunks = each();
      for (let i = 0; i < count; i++) this.#takeOne(i, thunks[i]!);
    }
  }

  /** The hit is over: nothing of the program is kept. */
  forget(): void {
    for (let i = 0; i < this.thunks.length; i++) this.#put(i, undefined, true);
  }

  #takeOne(i: number, thunk: Thunk): void {
    try {
      this.#put(i, thunk(), false);
    } catch {
      this.#put(i, undefined, true);
    }
  }

  #put(i: number, value: unknown, isFault: boolean): void {
    this.#values[i] = value;
    this.#isFault[i] = isFault;
  }
}

const FAULT = 'this name has no value here';
