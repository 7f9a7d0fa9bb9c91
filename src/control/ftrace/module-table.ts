import { type LoadedModule, moduleImporters } from '../../ftrace/module-importers.js';
import type { LinkedText } from '../../ftrace/text.js';

/** The modules whose code outside of functions is a function (`module_sites`), and how each came. */
export class ModuleTable {
  readonly #modules: LoadedModule[] = [];
  readonly #files = new Map<number, string>();
  readonly #addresses = new Map<string, number>();
  readonly #siteTimes = new Map<number, number>();
  #importers: ReadonlyMap<string, string> | undefined;

  /** Adds a text, if it is such a module; in the order in which they were loaded. */
  add({ file, module, base, functions, importer, siteTime = 0 }: LinkedText): void {
    const body = functions.find(({ imports }) => imports !== undefined);
    if (body?.imports === undefined) return;
    this.#modules.push({ file, package: module, importer, imports: body.imports });
    this.#files.set(base + body.start, file);
    this.#siteTimes.set(base + body.start, siteTime);
    this.#addresses.set(file, base + body.start);
    this.#importers = undefined;
  }

  /** Nanoseconds that the sites took of the module whose code begins at an address; undefined: there is none. */
  siteTime(address: number): number | undefined {
    return this.#siteTimes.get(address);
  }

  /** Where the code begins of what imported the module whose code begins at an address; undefined: nothing did. */
  importer(address: number): number | undefined {
    this.#importers ??= moduleImporters(this.#modules);
    const file = this.#importers.get(this.#files.get(address) ?? '');
    return file === undefined ? undefined : this.#addresses.get(file);
  }
}
