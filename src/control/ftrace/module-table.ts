import { type LoadedModule, moduleImporters } from '../../ftrace/module-importers.js';
import type { LinkedText } from '../../ftrace/text.js';
import type { CompiledModule } from '../../port/port.js';

/** What loading a module took: see LinkedText. */
interface LoadTimes {
  readonly siteTime: number;
  readonly readTime?: number;
  /** When it was handed on to be compiled, and to run at once: nanoseconds of the trace clock. */
  readonly linkedAt?: number;
  /** Nanoseconds that it took to compile it, where it does not run at once. */
  readonly compileTime?: number;
  /** Present if its code has no sites: it waits. */
  readonly isSiteless?: true;
}

/** A module, with what loading it took. */
interface SitedModule extends LoadedModule {
  readonly firstFunction: number;
  readonly times: LoadTimes;
}

/** The modules whose code outside of functions is a function (`module_sites`), and how each came. */
export class ModuleTable {
  /** By the address at which the code begins, in the order in which they were loaded. */
  readonly #modules = new Map<number, SitedModule>();
  readonly #addresses = new Map<string, number>();
  /** By the numbers of first functions. */
  readonly #compiled = new Map<number, CompiledModule>();
  readonly #compileTimes = new Map<number, number>();
  readonly #new = new Set<number>();
  #importers: ReadonlyMap<string, string> | undefined;

  /** Adds a text, if it is such a module; in the order in which they were loaded. */
  add({ file, module, base, functions, firstFunction, importer, siteTime = 0, readTime }: LinkedText): void {
    const body = functions.find(({ imports }) => imports !== undefined);
    if (body?.imports === undefined) return;
    const address = base + body.start;
    const times = {
      siteTime,
      ...(readTime !== undefined && { readTime }),
      ...(body.reason !== undefined && { isSiteless: true as const }),
    };
    this.#modules.set(address, { file, package: module, importer, imports: body.imports, firstFunction, times });
    this.#addresses.set(file, address);
    this.#importers = undefined;
  }

  /** What loading the module took whose code begins at an address; undefined: there is none. */
  times(address: number): LoadTimes | undefined {
    const module = this.#modules.get(address);
    if (module === undefined) return undefined;
    const compiled = this.#compiled.get(module.firstFunction);
    const compileTime = this.#compileTimes.get(module.firstFunction);
    return {
      ...module.times,
      ...(compiled && { linkedAt: compiled.at, siteTime: compiled.siteTime }),
      ...(compileTime !== undefined && { compileTime }),
    };
  }

  /** A module is handed on to be compiled, which may not have been added yet. */
  compiles(firstFunction: number, compiled: CompiledModule): void {
    this.#compiled.set(firstFunction, compiled);
    this.#new.add(firstFunction);
  }

  /** A module was compiled that does not run at once. */
  compiled(firstFunction: number, time: number): void {
    this.#compileTimes.set(firstFunction, time);
    this.#new.add(firstFunction);
  }

  /** The addresses of modules of which that was said since the last call. */
  newCompiled(): readonly number[] {
    if (this.#new.size === 0) return [];
    const found = [...this.#modules].filter(([, { firstFunction }]) => this.#new.delete(firstFunction));
    return found.map(([address]) => address);
  }

  /** Where the code begins of what imported the module whose code begins at an address; undefined: nothing did. */
  importer(address: number): number | undefined {
    this.#importers ??= moduleImporters([...this.#modules.values()]);
    const file = this.#importers.get(this.#modules.get(address)?.file ?? '');
    return file === undefined ? undefined : this.#addresses.get(file);
  }
}
