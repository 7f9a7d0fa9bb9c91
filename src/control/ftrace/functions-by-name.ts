/**
 * Functions by their names: what a word means that names one (kallsyms_lookup_name and module_kallsyms_lookup_name in
 * kernel/kallsyms.c).
 */
export class FunctionsByName {
  readonly #module: (n: number) => string;
  readonly #byName = new Map<string, number[]>();

  /** @param module the package of a function, '' for the application's own */
  constructor(module: (n: number) => string) {
    this.#module = module;
  }

  add(name: string, n: number): void {
    const named = this.#byName.get(name);
    if (named === undefined) this.#byName.set(name, [n]);
    else named.push(n);
  }

  /**
   * The functions of a name, in the order in which they were added. The application comes first, as vmlinux does.
   * @param module their package; undefined: the application's, or if it has none, those of all packages
   * @param isMeant which of them count; absent: all
   */
  find(name: string, module: string | undefined, isMeant: (n: number) => boolean = () => true): readonly number[] {
    const named = (this.#byName.get(name) ?? []).filter(isMeant);
    const own = named.filter((n) => this.#module(n) === (module ?? ''));
    return own.length > 0 || module !== undefined ? own : named;
  }
}
