import { isPlain } from '../../base/glob.js';
import { type FunctionNames, functionTest } from '../../ftrace/function-match.js';
import { withFetchRoot } from '../../probes/fetch-root.js';
import {
  type Fetch,
  needsSymbols,
  type ProbeArgument,
  type ProbeDefinition,
  RETURN_KINDS,
  type WrittenPlace,
} from '../../probes/probe-definition.js';
import type { PointConfig } from '../../probes/probe-point.js';
import type { PlacedKprobe } from '../ftrace/process-kprobes.js';

/** What a probe needs to know about the functions of the process. */
export interface ProbeFunctions {
  /** Functions that there are now. */
  names(): FunctionNames;
  /** The functions of a name; without a package the application's, or if it has none, those of all packages. */
  find(symbol: string, module: string | undefined): readonly number[];
  params(n: number): readonly string[];
  /** Whether its entry has a `this`. */
  hasThis(n: number): boolean;
  /** What a probe fetches at the entry of one, as debug information says; undefined: as it is written. */
  argsOf?(n: number): readonly ProbeArgument[] | undefined;
}

type SymbolPlace = Extract<WrittenPlace, { kind: 'symbol' }>;

/**
 * The functions that a symbol means now: all that a glob matches, and otherwise the first of the name.
 * @param linked a glob means only those of these, and a symbol without a package only the application's; absent: of all
 */
export function meantBy(
  { symbol, module }: SymbolPlace,
  functions: ProbeFunctions,
  linked?: readonly number[],
): readonly number[] {
  if (isPlain(symbol)) return functions.find(symbol, module ?? (linked && '')).slice(0, 1);
  const names = functions.names();
  const isMeant = functionTest({ pattern: symbol, ...(module !== undefined && { module }) }, names);
  return (linked ?? names.listed).filter(isMeant);
}

/** What all points of a probe have. */
export interface ProbeCommon extends Pick<PointConfig, 'event' | 'hits' | 'missed'> {
  readonly takeId: () => number;
}

/** A variable that no site passes: a fault. */
const NO_THIS: Fetch = { kind: 'variable', name: 'this' };

/** A fetch with the place of each parameter in what the site passes in place of its name. */
const withParameters = (fetch: Fetch, params: readonly string[], hasThis: boolean): Fetch =>
  withFetchRoot(fetch, (root) => {
    if (root.kind === 'this') return hasThis ? root : NO_THIS;
    const index = root.kind === 'variable' ? params.indexOf(root.name) : -1;
    return index < 0 ? root : { kind: 'argument', index };
  });

/** A probe at the patch sites of functions: at their entries, or at their ends. */
export class SiteProbe implements PlacedKprobe {
  readonly #common: ProbeCommon;
  readonly #definition: ProbeDefinition;
  readonly #meant: SymbolPlace | number;
  readonly #functions: ProbeFunctions;
  readonly #found = new Set<number>();
  /** Numbers of functions whose arguments are fetched in the same way; by the text of their arguments. */
  readonly #ids = new Map<string, number>();

  readonly needsSymbols: boolean;

  /** @param meant its symbol, or the function */
  constructor(common: ProbeCommon, definition: ProbeDefinition, meant: SymbolPlace | number, functions: ProbeFunctions) {
    this.#common = common;
    this.#definition = definition;
    this.needsSymbols = needsSymbols(definition);
    this.#meant = meant;
    this.#functions = functions;
  }

  link(linked?: readonly number[]): boolean {
    const before = this.#found.size;
    const meant = this.#meant;
    // A symbol is one function; a glob means those that come later too.
    if (before > 0 && (typeof meant === 'number' || isPlain(meant.symbol))) return false;
    for (const n of typeof meant === 'number' ? [meant] : meantBy(meant, this.#functions, linked)) this.#found.add(n);
    return this.#found.size > before;
  }

  points(): readonly PointConfig[] {
    const { kind, maxactive } = this.#definition;
    const { takeId: _takeId, ...common } = this.#common;
    this.link();
    const groups = new Map<string, { args: readonly ProbeArgument[]; functions: number[] }>();
    for (const n of this.#found) {
      const args = this.#argumentsIn(n);
      const key = args.map(({ fetch }) => fetchKey(fetch)).join();
      const group = groups.get(key);
      if (group === undefined) groups.set(key, { args, functions: [n] });
      else group.functions.push(n);
    }
    return [...groups].map(([key, { args, functions }]) => ({
      id: this.#idOf(key),
      ...common,
      place: { kind: kind === 'settled' ? kind : RETURN_KINDS.includes(kind) ? 'return' : 'entry', functions },
      args,
      maxactive,
    }));
  }

  #argumentsIn(n: number): readonly ProbeArgument[] {
    const known = this.#functions.argsOf?.(n);
    if (known !== undefined) return known;
    const params = this.#functions.params(n);
    const hasThis = this.#functions.hasThis(n);
    return this.#definition.args.map((argument) => ({ ...argument, fetch: withParameters(argument.fetch, params, hasThis) }));
  }

  #idOf(key: string): number {
    let id = this.#ids.get(key);
    if (id === undefined) {
      id = this.#common.takeId();
      this.#ids.set(key, id);
    }
    return id;
  }
}

/** How a value is fetched, as text. */
const fetchKey = (fetch: Fetch): string =>
  JSON.stringify(fetch, (_key, value) => (typeof value === 'bigint' ? String(value) : value));
