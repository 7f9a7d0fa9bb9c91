import { SafeMap } from '../realm/primordials.js';

const { hrtime } = process;

/** The most files that were read and are not compiled yet. */
const MOST = 1000;

/** What modules take to be read and compiled, for those who ask that (`module_sites`). */
export class ModuleReads {
  /**
   * Called with the number of a text's first function when it is handed on to be compiled, and to run at once; `begun`: when its
   * sites were begun, in nanoseconds of the trace clock.
   */
  readonly compiles: (firstFunction: number, begun: number) => void;
  readonly #times = new SafeMap<string, number>();

  constructor(compiles: ModuleReads['compiles']) {
    this.compiles = compiles;
  }

  /** Reads a file by `read`. @param path of the file; undefined: it is none */
  measure<Result>(read: () => Result, path: string | undefined): Result {
    const begun = hrtime.bigint();
    const result = read();
    if (path !== undefined) {
      if (this.#times.size >= MOST) this.#times.clear();
      this.#times.set(path, Number(hrtime.bigint() - begun));
    }
    return result;
  }

  /** Nanoseconds that a file took, once. */
  take(path: string): number | undefined {
    const time = this.#times.get(path);
    this.#times.delete(path);
    return time;
  }
}
