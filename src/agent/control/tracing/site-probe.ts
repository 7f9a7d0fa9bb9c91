import { isPlain } from '../../../base/glob.js';
import { type FunctionNames, type FunctionPattern, functionTest } from '../../../ftrace/function-match.js';
import { fetchRoot, withFetchRoot } from '../../../probes/fetch-root.js';
import { type Fetch, type ProbeArgument, type ProbeDefinition, RETURN_KINDS } from '../../../probes/probe-definition.js';
import type { PointConfig } from '../../../probes/probe-point.js';
import type { Kprobe } from './process-kprobes.js';

/** What a probe needs to know about the functions of the process. */
export interface ProbeFunctions {
  /** Those that there are now. */
  names(): FunctionNames;
  params(n: number): readonly string[];
}

/** What all points of a probe have. */
export interface ProbeCommon extends Pick<PointConfig, 'event' | 'hits' | 'missed'> {
  readonly takeId: () => number;
}

/** The same with the place of each parameter in what the site passes in place of its name. */
const withParameters = (fetch: Fetch, params: readonly string[]): Fetch =>
  withFetchRoot(fetch, (root) => {
    const index = root.kind === 'variable' ? params.indexOf(root.name) : -1;
    return index < 0 ? root : { kind: 'argument', index };
  });

/** A probe at the patch sites of functions: at their entries, or at their ends. */
export class SiteProbe implements Kprobe {
  readonly #common: ProbeCommon;
  readonly #definition: ProbeDefinition;
  readonly #pattern: FunctionPattern | number;
  readonly #functions: ProbeFunctions;
  readonly #found = new Set<number>();
  /** Of functions whose arguments are fetched in the same way; by the text of their arguments. */
  readonly #ids = new Map<string, number>();

  constructor(common: ProbeCommon, definition: ProbeDefinition, pattern: FunctionPattern | number, functions: ProbeFunctions) {
    this.#common = common;
    this.#definition = definition;
    this.#pattern = pattern;
    this.#functions = functions;
  }

  link(names: FunctionNames, linked: readonly number[]): boolean {
    const pattern = this.#pattern;
    // A symbol is one function; a glob means those that come later too.
    if (this.#found.size > 0 && (typeof pattern === 'number' || isPlain(pattern.pattern))) return false;
    const meant = linked.filter(typeof pattern === 'number' ? (n) => n === pattern : functionTest(pattern, names));
    for (const n of meant) this.#found.add(n);
    return meant.length > 0;
  }

  points(): readonly PointConfig[] {
    const { kind, maxactive } = this.#definition;
    const { takeId: _takeId, ...common } = this.#common;
    const names = this.#functions.names();
    this.link(names, names.listed);
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
      ...common,
      place: { kind: RETURN_KINDS.includes(kind) ? 'return' : 'entry', functions },
      args,
      maxactive,
    }));
  }

  #argumentsIn(n: number): readonly ProbeArgument[] {
    const params = this.#functions.params(n);
    return this.#definition.args.map((argument) => ({ ...argument, fetch: withParameters(argument.fetch, params) }));
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

/** What differs between functions in how a value is fetched: the index of the parameter. */
function variableKey(fetch: Fetch): string {
  const root = fetchRoot(fetch);
  return root.kind === 'argument' ? String(root.index) : '';
}
