import { SEVERAL_PACKAGES } from '../../answers/own-code.js';
import type { Frame, Place } from '../../answers/place.js';
import { compileGlob } from '../../base/glob.js';
import type { TraceClient } from '../../client/trace-client.js';
import { functionsOf } from '../function-places.js';

/** The profiler cuts names after so many characters, as the kernel does. */
const SHOWN = 30;

/** The functions of a name, as the profiler shows it. */
interface Named {
  package: string;
  isOwn: boolean;
  readonly places: Place[];
}

/** The packages and places of a process's functions, by the names that the profiler shows. */
export class NamedFunctions {
  readonly #client: TraceClient;
  #known: ReadonlyMap<string, Named> = new Map();

  constructor(client: TraceClient) {
    this.#client = client;
  }

  /** Reads the list again if one of the names is not known: its module was loaded meanwhile. */
  async know(names: readonly string[]): Promise<void> {
    if (names.every((name) => this.#known.has(name))) return;
    const known = new Map<string, Named>();
    for (const { name: full, package: from = '', place, isOwn } of (await functionsOf(this.#client)).functions) {
      const name = full.slice(0, SHOWN);
      const places = place === undefined ? [] : [place];
      const others = known.get(name);
      if (others === undefined) known.set(name, { package: from, isOwn, places });
      else {
        others.package = others.package === from ? from : SEVERAL_PACKAGES;
        others.isOwn ||= isOwn;
        others.places.push(...places);
      }
    }
    for (const name of names) if (!known.has(name)) known.set(name, { package: '', isOwn: true, places: [] });
    this.#known = known;
  }

  /** What is known of the functions of a name; the package is `*` if several have such functions. */
  frame(name: string): Frame & { readonly places?: readonly Place[] } {
    const { package: from = '', isOwn = true, places = [] } = this.#known.get(name) ?? {};
    const [place, ...others] = places;
    return {
      name,
      ...(place && { place }),
      ...(from !== '' && { package: from }),
      isOwn,
      ...(others.length > 0 && { places }),
    };
  }

  /** Whether a name, as it is shown, is one that a word of set_ftrace_filter chooses. */
  isChosen(name: string, word: string): boolean {
    const [glob = '', module] = word.split(':mod:');
    const isName = compileGlob(glob === '' ? '*' : glob).test;
    if (!isName(name)) return false;
    if (module === undefined) return true;
    const { package: from = '' } = this.frame(name);
    return module === '!*' ? from === '' : compileGlob(module).test(from);
  }
}
