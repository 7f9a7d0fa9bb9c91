import { type FunctionNames, type FunctionPattern, functionTest } from '../../../ftrace/function-match.js';
import { type Fetch, type ProbeArgument, type ProbeDefinition, RETURN_KINDS } from '../../../probes/probe-definition.js';
import type { PointConfig } from '../../../probes/probe-point.js';
import type { Kprobe } from './process-kprobes.js';

/** What a probe needs to know about the functions of the process. */
export interface ProbeFunctions {
  /** Those that there are now. */
  names(): FunctionNames;
  params(n: number): readonly string[];
}

/** The words that count a probe's hits. */
export interface ProbeCounts {
  readonly hits: number;
  readonly missed: number;
}

/** The names that a value is fetched by. */
export function variablesOf(fetch: Fetch): readonly string[] {
  if (fetch.kind === 'variable') return [fetch.name];
  return 'of' in fetch ? variablesOf(fetch.of) : [];
}

/** The same with the place of each parameter in what the site passes in place of its name. */
function withParameters(fetch: Fetch, params: readonly string[]): Fetch {
  if (fetch.kind === 'variable') {
    const index = params.indexOf(fetch.name);
    return index < 0 ? fetch : { kind: 'argument', index };
  }
  return 'of' in fetch ? { ...fetch, of: withParameters(fetch.of, params) } : fetch;
}

/** A probe at the patch sites of functions: at their entries, or at their ends. */
export class SiteProbe implements Kprobe {
  readonly #event: string;
  readonly #definition: ProbeDefinition;
  readonly #pattern: FunctionPattern;
  readonly #counts: ProbeCounts;
  readonly #functions: ProbeFunctions;
  readonly #found = new Set<number>();
  readonly #takeId: () => number;
  /** Of functions whose arguments are fetched in the same way; by the text of their arguments. */
  readonly #ids = new Map<string, number>();

  /** @param event `SYSTEM:EVENT` */
  constructor(
    event: string,
    definition: ProbeDefinition,
    pattern: FunctionPattern,
    counts: ProbeCounts,
    functions: ProbeFunctions,
    takeId: () => number,
  ) {
    this.#event = event;
    this.#definition = definition;
    this.#pattern = pattern;
    this.#counts = counts;
    this.#functions = functions;
    this.#takeId = takeId;
    this.link(functions.names().listed);
  }

  /** The functions in which it stands. */
  get functions(): ReadonlySet<number> {
    return this.#found;
  }

  link(linked: readonly number[]): boolean {
    const isMeant = functionTest(this.#pattern, this.#functions.names());
    const meant = linked.filter(isMeant);
    for (const n of meant) this.#found.add(n);
    return meant.length > 0;
  }

  points(): readonly PointConfig[] {
    const { kind, maxactive } = this.#definition;
    const groups = new Map<string, { args: readonly ProbeArgument[]; functions: number[] }>();
    for (const n of this.#found) {
      const args = this.#argumentsIn(n);
      const key = args.map(({ fetch }) => variableKey(fetch)).join();
      const group = groups.get(key);
      if (group === undefined) groups.set(key, { args, functions: [n] });
      else group.functions.push(n);
    }
    return [...groups].map(([key, { args, functions }]) => ({
      id: this.#idOf(key),
      event: this.#event,
      place: { kind: RETURN_KINDS.includes(kind) ? 'return' : 'entry', functions },
      args,
      maxactive,
      ...this.#counts,
    }));
  }

  #argumentsIn(n: number): readonly ProbeArgument[] {
    const params = this.#functions.params(n);
    return this.#definition.args.map((argument) => ({ ...argument, fetch: withParameters(argument.fetch, params) }));
  }

  #idOf(key: string): number {
    let id = this.#ids.get(key);
    if (id === undefined) {
      id = this.#takeId();
      this.#ids.set(key, id);
    }
    return id;
  }
}

/** What differs between functions in how a value is fetched: the index of the parameter. */
function variableKey(fetch: Fetch): string {
  if (fetch.kind === 'argument') return String(fetch.index);
  return 'of' in fetch ? variableKey(fetch.of) : '';
}
