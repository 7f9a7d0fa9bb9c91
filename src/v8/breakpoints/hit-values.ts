type Thunk = () => unknown;
/** Returns the value of the name with an index, or throws if it has none. */
export type ReadOne = (index: number) => unknown;

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

  /** Takes the values of a hit at which all names have one. */
  takeAll(values: readonly unknown[]): void {
    for (let i = 0; i < this.thunks.length; i++) this.#put(i, values[i], false);
  }

  /** Takes them one by one. */
  takeEach(read: ReadOne): void {
    for (let i = 0; i < this.thunks.length; i++) this.#takeOne(i, read);
  }

  /** The hit is over: nothing of the program is kept. */
  forget(): void {
    for (let i = 0; i < this.thunks.length; i++) this.#put(i, undefined, true);
  }

  #takeOne(i: number, read: ReadOne): void {
    try {
      this.#put(i, read(i), false);
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
