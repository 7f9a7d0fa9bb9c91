import type { CommandName } from '../../ftrace/commands/command-table.js';
import type { ProbeChange } from '../../ftrace/tracers/services.js';
import type { OperationName } from '../code/operations.js';
import type { NativeInstances } from './native-instances.js';
import type { RoutineOperation } from './native-operations.js';
import type { RingMemoryPages } from './shared-pages.js';

/** A command that a function has. */
interface FunctionCommand {
  readonly instance: number;
  readonly command: CommandName;
  /**
   * Counts of the command, held as long as it is there, and the address of this function's in the process; absent: it has none.
   */
  readonly count?: { readonly held: SharedArrayBuffer; readonly address: number };
}

/** The routine of each command; the port lacks those that switch events. */
const ROUTINE: Readonly<Partial<Record<CommandName, OperationName>>> = {
  traceon: 'traceon',
  traceoff: 'traceoff',
  snapshot: 'snapshot',
  stacktrace: 'stack',
  dump: 'dump',
  cpudump: 'cpudump',
};

/** The commands of set_ftrace_filter, by function. */
export class FunctionCommands {
  readonly #pages: RingMemoryPages;
  /** By the probe's id. */
  readonly #byFunction = new Map<number, Map<number, FunctionCommand>>();

  constructor(pages: RingMemoryPages) {
    this.#pages = pages;
  }

  /** Functions get a command or lose it; a command that is known already is replaced. Returns the functions. */
  change(change: ProbeChange): readonly number[] {
    if (change.type === 'remove') {
      for (const n of change.functions) this.#byFunction.get(n)?.delete(change.probe);
      return Array.from(change.functions);
    }
    const { probe, instance, command, group } = change;
    const { functions, counts, places } = group;
    functions.forEach((n, i) => {
      const count = counts && {
        held: counts.buffer as SharedArrayBuffer,
        address: this.#pages.addressOf(counts.buffer as SharedArrayBuffer)! + counts.byteOffset + places![i]! * 4,
      };
      let own = this.#byFunction.get(n);
      if (own === undefined) this.#byFunction.set(n, (own = new Map()));
      own.set(probe, { instance, command, ...(count && { count }) });
    });
    return Array.from(functions);
  }

  /** The functions that have any. */
  get functions(): Iterable<number> {
    return this.#byFunction.keys();
  }

  /** What a function's site does for them, the newest first; those of instances that have no buffers yet do nothing. */
  of(n: number, instances: NativeInstances): readonly RoutineOperation[] {
    const own = [...(this.#byFunction.get(n) ?? [])].sort(([a], [b]) => b - a);
    return own.flatMap(([, { instance, command, count }]) => {
      const name = ROUTINE[command];
      if (name === undefined || !instances.has(instance)) return [];
      const a = name === 'stack' ? instances.inUse(instance) : instances.state(instance);
      return { name, a, b: count?.address ?? 0, c: instances.state(0) };
    });
  }
}
