import { isPlain } from '../../base/glob.js';
import type { ProbeArgument, ProbeDefinition } from '../../probes/probe-definition.js';
import { meantBy, type ProbeFunctions, type SymbolPlace } from './probe-functions.js';
import { type ProbeStand, siteStands } from './probe-stand.js';
import type { ProbeStands } from './standing-probe.js';

/** The stands of a probe at the sites of the functions that a symbol means, or a glob. */
export class SymbolStands implements ProbeStands {
  readonly #definition: ProbeDefinition;
  readonly #meant: SymbolPlace;
  readonly #functions: ProbeFunctions;
  readonly #argsOf: ((n: number) => readonly ProbeArgument[] | undefined) | undefined;
  readonly #found = new Set<number>();

  /** @param argsOf as siteStands has it */
  constructor(
    definition: ProbeDefinition,
    meant: SymbolPlace,
    functions: ProbeFunctions,
    argsOf?: (n: number) => readonly ProbeArgument[] | undefined,
  ) {
    this.#definition = definition;
    this.#meant = meant;
    this.#functions = functions;
    this.#argsOf = argsOf;
  }

  all(): ReadonlyMap<string, ProbeStand> {
    this.link();
    return siteStands(this.#definition, this.#found, this.#functions, this.#argsOf);
  }

  link(linked?: readonly number[]): boolean {
    const before = this.#found.size;
    // A symbol is one function; a glob means those that come later too.
    if (before > 0 && isPlain(this.#meant.symbol)) return false;
    for (const n of meantBy(this.#meant, this.#functions, linked)) this.#found.add(n);
    return this.#found.size > before;
  }
}
