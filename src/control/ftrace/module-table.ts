import { type LoadedModule, moduleImporters } from '../../ftrace/module-importers.js';
import type { LinkedText } from '../../ftrace/text.js';

/** A module, with the nanoseconds that its sites took. */
interface SitedModule extends LoadedModule {
  readonly siteTime: number;
}

/** The modules whose code outside of functions is a function (`module_sites`), and how each came. */
export class ModuleTable {
  /** By the address at which the code begins, in the order in which they were loaded. */
  readonly #modules = new Map<number, SitedModule>();
  readonly #addresses = new Map<string, number>();
  #importers: ReadonlyMap<string, string> | undefined;

  /** Adds a text, if it is such a module; in the order in which they were loaded. */
  add({ file, module, base, functions, importer, siteTime = 0 }: LinkedText): void {
    const body = functions.find(({ imports }) => imports !== undefined);
    if (body?.imports === undefined) return;
    const address = base + body.start;
    this.#modules.set(address, { file, package: module, importer, imports: body.imports, siteTime });
    this.#addresses.set(file, address);
    this.#importers = undefined;
  }

  /** Nanoseconds that the sites took of the module whose code begins at an address; undefined: there is none. */
  siteTime(address: number): number | undefined {
    return this.#modules.get(address)?.siteTime;
  }

  /** Where the code begins of what imported the module whose code begins at an address; undefined: nothing did. */
  importer(address: number): number | undefined {
    this.#importers ??= moduleImporters([...this.#modules.values()]);
    const file = this.#importers.get(this.#modules.get(address)?.file ?? '');
    return file === undefined ? undefined : this.#addresses.get(file);
  }
}
