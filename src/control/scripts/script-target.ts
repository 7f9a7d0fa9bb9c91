import { readFileSync } from 'node:fs';
import { asTraceError } from '../../base/errno.js';
import { compileGlob } from '../../base/glob.js';
import type { TraceEvent } from '../../events/define.js';
import type { EventRegistry } from '../../events/registry.js';
import type { TracedThreads } from '../../port/port.js';
import type { ScriptPoint } from '../../script/program.js';
import type { ScriptTarget, TargetEvent, TargetFunction } from '../../script/target.js';
import type { ProbeSource } from '../probes/probe-source.js';
import type { ProbeTable } from '../probes/probe-table.js';
import { functionsOf, type ScriptFunctionsNeeds } from './script-functions.js';

/** What scripts can name of a process. */
export interface ScriptTargetNeeds extends ScriptFunctionsNeeds {
  readonly events: EventRegistry;
  readonly probeSource: ProbeSource;
  readonly probes: Pick<ProbeTable, 'params'>;
  readonly threads: Pick<TracedThreads, 'get'>;
  /** The name of a task. */
  comm(pid: number): string | undefined;
}

type StatementPoint = Extract<ScriptPoint, { kind: 'statement' }>;
type Statement = ReturnType<ScriptTarget['statement']>;

const placeOf = ({ file, line, symbol }: StatementPoint): string => `${symbol ?? file}:${line}`;

/** How many of the processes that a program descends from have a name for scripts. */
const MOST_ANCESTORS = 20;

/** A file of the system; '' if it is not there. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** The system of what tracers record: nothing causes these. */
const TRACERS = 'ftrace';

const targetEvent = ({ system, name, specs }: TraceEvent): TargetEvent => ({
  system,
  name,
  fields: Object.entries(specs).map(([field, { type, shape }]) => ({
    name: field,
    type,
    isText: type === 'char' && shape !== 'one',
  })),
});

/** A traced process as the target of scripts. Its methods may be taken from it. */
export class ProcessTarget implements ScriptTarget {
  readonly #process: ScriptTargetNeeds;
  readonly #statements = new Map<string, Statement>();
  readonly #asked = new Set<string>();

  constructor(process: ScriptTargetNeeds) {
    this.#process = process;
  }

  get pid(): number {
    return this.#process.threads.get(0)?.tid ?? process.pid;
  }

  get command(): string {
    return this.#process.comm(this.pid) ?? 'node';
  }

  get commandLine(): readonly string[] {
    return read(`/proc/${this.pid}/cmdline`).split('\0').slice(0, -1);
  }

  get ancestors(): readonly { readonly pid: number; readonly comm: string }[] {
    const all: { readonly pid: number; readonly comm: string }[] = [];
    let pid = process.ppid;
    while (pid > 0 && all.length < MOST_ANCESTORS) {
      const status = read(`/proc/${pid}/status`);
      all.push({ pid, comm: /^Name:\t(.*)$/m.exec(status)?.[1] ?? '' });
      pid = Number(/^PPid:\t(\d+)$/m.exec(status)?.[1] ?? 0);
    }
    return all;
  }

  get isStarting(): boolean {
    return this.#process.tracer.names().listed.length === 0;
  }

  readonly functions = (point: Extract<ScriptPoint, { kind: 'function' }>): readonly TargetFunction[] => {
    const { table, probes } = this.#process;
    const found = [...functionsOf(point, this.#process), ...functionsOf(point, this.#process, 'machine code')];
    return found.map((n) => ({
      symbol: table.name(n),
      module: table.module(n),
      file: table.authorsFile(n),
      line: table.line(n),
      params: probes.params(n),
    }));
  };

  readonly statement = (point: StatementPoint): Statement => {
    const place = placeOf(point);
    const known = this.#statements.get(place);
    if (known !== undefined) return known;
    this.#asked.add(place);
    return { variables: [] };
  };

  /**
   * Asks the threads for the places of statements that were not known when a script was compiled; returns whether there were any:
   * then it must be compiled again.
   */
  async resolve(): Promise<boolean> {
    const asked = [...this.#asked];
    this.#asked.clear();
    for (const place of asked) this.#statements.set(place, await this.#statementAt(place));
    return asked.length > 0;
  }

  async #statementAt(text: string): Promise<Statement> {
    const { probeSource } = this.#process;
    const place = probeSource.place(text);
    if (place === undefined) return `no loaded source is ${text}`;
    try {
      const { variables } = await probeSource.variables(place);
      return { variables: variables.map(({ name }) => name) };
    } catch (error) {
      return asTraceError(error).message;
    }
  }

  readonly events = (system: string, name: string): readonly TargetEvent[] => {
    const [isSystem, isName] = [compileGlob(system).test, compileGlob(name).test];
    return [...this.#process.events.all()]
      .filter((event) => event.system !== TRACERS && isSystem(event.system) && isName(event.name))
      .map(targetEvent);
  };
}
