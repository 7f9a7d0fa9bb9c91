import { unseenMicrotask } from '../../base/unseen-microtask.js';
import { SafeMap } from '../realm/primordials.js';

const { hrtime } = process;

/** The most files that were read and are not compiled yet. */
const MOST = 1000;

/** Who is told of modules; by the numbers of their texts' first functions. */
export interface ModuleCompilations {
  /**
   * Called when a text is handed on to be compiled, and to run at once; `begun`: when its sites were begun, in nanoseconds of the
   * trace clock.
   */
  readonly compiles: (firstFunction: number, begun: number) => void;
  /** Called when an ES module was compiled; with the nanoseconds until Node did something else that can be seen. */
  readonly compiled: (firstFunction: number, time: number) => void;
}

/** What modules take to be read and compiled, for those who ask that (`module_sites`). */
export class ModuleReads {
  readonly compiles: ModuleCompilations['compiles'];
  readonly #compiled: ModuleCompilations['compiled'];
  readonly #times = new SafeMap<string, number>();
  /** The ES module that Node compiles, if this was its last step that could be seen. */
  #handedOn: { readonly firstFunction: number; readonly since: bigint } | undefined;
  readonly #lookLater = unseenMicrotask(() => this.step());

  constructor({ compiles, compiled }: ModuleCompilations) {
    this.compiles = compiles;
    this.#compiled = compiled;
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

  /**
   * An ES module is given to Node, which compiles it at once, and then calls the hooks for what it imports, or for another one;
   * or it does nothing more in this turn of the microtasks.
   */
  handOn(firstFunction: number): void {
    try {
      this.#lookLater();
    } catch {
      // The stack is full: it is not known when it was compiled.
      return;
    }
    this.#handedOn = { firstFunction, since: hrtime.bigint() };
  }

  /** Node takes its next step: what was handed on is compiled. */
  step(): void {
    const module = this.#handedOn;
    if (module === undefined) return;
    this.#handedOn = undefined;
    this.#compiled(module.firstFunction, Number(hrtime.bigint() - module.since));
  }
}
