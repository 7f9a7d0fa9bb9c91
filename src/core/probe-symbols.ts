import type { FunctionTable } from './function-table.js';

/** The functions by name, as the places of probes name them. */
export class ProbeSymbols {
  readonly #functions: () => FunctionTable;
  #count = 0;
  #byName: ReadonlyMap<string, readonly number[]> = new Map();

  constructor(functions: () => FunctionTable) {
    this.#functions = functions;
  }

  /**
   * The functions of a name.
   * @param module their package; undefined: the application's, or if it has none, those of all packages
   */
  find(module: string | undefined, name: string): readonly number[] {
    const functions = this.#functions();
    if (functions.count !== this.#count) this.#index(functions);
    const named = this.#byName.get(name) ?? [];
    const own = named.filter((n) => functions.module(n) === (module ?? ''));
    return own.length > 0 || module !== undefined ? own : named;
  }

  params(module: string | undefined, name: string): readonly string[] | undefined {
    const [n] = this.find(module, name);
    return n === undefined ? undefined : this.#functions().params(n);
  }

  #index(functions: FunctionTable): void {
    const byName = new Map<string, number[]>();
    for (const n of functions.numbers()) {
      const name = functions.name(n);
      const named = byName.get(name);
      if (named === undefined) byName.set(name, [n]);
      else named.push(n);
    }
    this.#byName = byName;
    this.#count = functions.count;
  }
}
