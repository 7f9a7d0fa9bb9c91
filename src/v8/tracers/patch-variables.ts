import { SafeMap, SafeSet } from '../../base/safe-map.js';
import type { PatchedModule } from '../../ftrace/tracers/diversions.js';
import type { VariableAccess } from '../breakpoints/reach-variables.js';
import { defineProperty } from '../realm/primordials.js';
import type { LivepatchNeeds } from './livepatch-needs.js';

interface Outcome {
  reached(): void;
  /** @param message a sentence */
  failed(message: string): void;
}

/** The variables of the program's modules that a live patch reads and writes, on one thread (the symbols of a klp_object). */
export class PatchVariables {
  readonly #modules: readonly PatchedModule[];
  readonly #reach: LivepatchNeeds['reach'];
  readonly #outcome: Outcome;
  readonly #found = new SafeMap<string, VariableAccess>();
  readonly #left: Set<PatchedModule>;
  readonly #ends: (() => void)[] = [];
  /** Whether any call of a function of the patch reaches all variables before it begins. */
  readonly #isReachedByAll: boolean;

  /** @param functions all functions of the patch, by number */
  constructor(
    modules: readonly PatchedModule[],
    functions: { readonly size: number },
    reach: LivepatchNeeds['reach'],
    outcome: Outcome,
  ) {
    this.#modules = modules;
    this.#reach = reach;
    this.#outcome = outcome;
    this.#left = new SafeSet(modules);
    this.#isReachedByAll = modules.length === 1 && modules[0]!.functions.length === functions.size;
  }

  get isReached(): boolean {
    return this.#left.size === 0;
  }

  /** Whether no call can begin without them. */
  get isReachedFirst(): boolean {
    return this.isReached || this.#isReachedByAll;
  }

  begin(): void {
    for (const module of this.#modules) for (const one of module.functions) this.#begin(module, one);
  }

  /** Makes properties of an object read and write the variables, which are reached. */
  define(symbols: object): void {
    for (const [property, { get, set }] of this.#found) {
      defineProperty(symbols, property, { get, set, enumerable: true, configurable: true });
    }
    this.#found.clear();
  }

  end(): void {
    for (const end of this.#ends.splice(0)) end();
  }

  #begin(module: PatchedModule, { forget, ...one }: PatchedModule['functions'][number]): void {
    const { variables } = module;
    const end = this.#reach({
      function: one,
      names: variables.map(({ name }) => name),
      forget,
      reached: (accesses) => {
        if (!this.#left.delete(module)) return;
        accesses.forEach((access, i) => void this.#found.set(variables[i]!.property, access));
        if (!this.isReached) return;
        this.end();
        this.#outcome.reached();
      },
      failed: (why) => {
        if (this.#left.has(module)) this.#outcome.failed(`the place of ${variables.map(({ name }) => name).join(', ')} ${why}`);
      },
    });
    this.#ends.push(end);
  }
}
