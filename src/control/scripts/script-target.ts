import { compileGlob } from '../../base/glob.js';
import type { TraceEvent } from '../../events/define.js';
import type { EventRegistry } from '../../events/registry.js';
import type { ScriptPoint } from '../../script/program.js';
import type { ScriptTarget, TargetEvent, TargetFunction } from '../../script/target.js';
import { functionsOf, type ScriptFunctionsNeeds } from './script-functions.js';

/** What scripts can name of a process. */
export interface ScriptTargetNeeds extends ScriptFunctionsNeeds {
  readonly events: EventRegistry;
  /** The name of a task. */
  comm(pid: number): string | undefined;
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

/** A traced process as the target of scripts. */
export class ProcessTarget implements ScriptTarget {
  readonly #process: ScriptTargetNeeds;

  constructor(process: ScriptTargetNeeds) {
    this.#process = process;
  }

  get pid(): number {
    return process.pid;
  }

  get command(): string {
    return this.#process.comm(process.pid) ?? 'node';
  }

  get isStarting(): boolean {
    return this.#process.tracer.names().listed.length === 0;
  }

  functions(point: Extract<ScriptPoint, { kind: 'function' }>): readonly TargetFunction[] {
    const { table } = this.#process;
    return functionsOf(point, this.#process).map((n) => ({
      symbol: table.name(n),
      module: table.module(n),
      file: table.authorsFile(n),
      line: table.line(n),
      params: table.function(n).params,
    }));
  }

  statement({ file }: Extract<ScriptPoint, { kind: 'statement' }>): { readonly variables: readonly string[] } | string {
    const { table } = this.#process;
    const texts = table.textsOf(file);
    if (texts.length === 0) return `no loaded text is of the file ${file}`;
    return { variables: [...new Set(texts.flatMap(({ functions }) => functions.flatMap(({ params }) => params)))] };
  }

  events(system: string, name: string): readonly TargetEvent[] {
    const [isSystem, isName] = [compileGlob(system).test, compileGlob(name).test];
    return [...this.#process.events.all()]
      .filter((event) => event.system !== TRACERS && isSystem(event.system) && isName(event.name))
      .map(targetEvent);
  }
}
