import { compileGlob } from '../../base/glob.js';
import type { TraceClient } from '../../client/trace-client.js';

/** The profiler cuts names after so many characters, as the kernel does. */
const SHOWN = 30;

/** The module of functions that several modules have. */
const SEVERAL = '*';

/** The modules of a process's functions, by the names that the profiler shows. */
export class FunctionModules {
  readonly #client: TraceClient;
  #modules: ReadonlyMap<string, string> = new Map();

  constructor(client: TraceClient) {
    this.#client = client;
  }

  /** Reads the list again if one of the names is not known: its module was loaded meanwhile. */
  async know(names: readonly string[]): Promise<void> {
    if (names.every((name) => this.#modules.has(name))) return;
    const modules = new Map<string, string>(names.map((name) => [name, '']));
    const seen = new Set<string>();
    for (const line of (await this.#client.read('available_filter_functions')).split('\n')) {
      const [, full = '', module = ''] = /^(\S+)(?:[ \t]+\[(.*)\])?/.exec(line) ?? [];
      const name = full.slice(0, SHOWN);
      modules.set(name, seen.has(name) && modules.get(name) !== module ? SEVERAL : module);
      seen.add(name);
    }
    this.#modules = modules;
  }

  /** The package of the functions of a name; '' for the application's own, `*` if several have such functions. */
  module(name: string): string {
    return this.#modules.get(name) ?? '';
  }

  /** Whether a name, as it is shown, is one that a word of set_ftrace_filter chooses. */
  isChosen(name: string, word: string): boolean {
    const [glob = '', module] = word.split(':mod:');
    const isName = compileGlob(glob === '' ? '*' : glob).test;
    if (!isName(name)) return false;
    if (module === undefined) return true;
    return module === '!*' ? this.module(name) === '' : compileGlob(module).test(this.module(name));
  }
}
