import { groupBy } from '../../base/group-by.js';
import type { FunctionHash } from '../hash.js';
import type { CommandName } from './command-table.js';
import type { CommandWord, ProbeEvent } from './command-word.js';
import { type Allocate, allocateHere, ProbeCounts } from './probe-counts.js';

/** The data of one function's probe: how often it still fires, and which event it switches. */
interface ProbeData {
  readonly counts: ProbeCounts | undefined;
  /** The function's place in `counts`. */
  readonly at: number;
  readonly event: ProbeEvent | undefined;
}

/** Functions that got a probe together, in the form of the message to a thread. */
export interface ProbeGroup {
  readonly functions: Uint32Array;
  /** How often they still fire, shared by all threads; undefined: always. */
  readonly counts?: Int32Array;
  /** The place of each function in `counts`. */
  readonly places?: Uint32Array;
  /** The place of the event that they switch. */
  readonly event?: number;
}

/**
 * One command of an instance and the functions that have it (struct ftrace_func_probe): it has its own ops. As in the kernel,
 * with a count it is another probe than without, and all events share one.
 */
export class FunctionProbe implements FunctionHash<CommandWord> {
  static #last = 0;
  /** Later ones are higher, in any instance: they fire first. */
  readonly id = ++FunctionProbe.#last;
  readonly command: CommandName;
  readonly counted: boolean;
  readonly functions = new Set<number>();
  readonly #allocate: Allocate;
  /** By pattern: a word for the same functions replaces the previous one. */
  readonly #words = new Map<string, CommandWord>();
  /** Words that matched no function yet. */
  readonly #waiting = new Set<CommandWord>();
  readonly #data = new Map<number, ProbeData>();

  /** @param allocate gives the memory of its counts */
  constructor(command: CommandName, counted: boolean, allocate: Allocate = allocateHere) {
    this.#allocate = allocate;
    this.command = command;
    this.counted = counted;
  }

  get words(): readonly CommandWord[] {
    return [...this.#words.values()];
  }

  get waiting(): Iterable<CommandWord> {
    return this.#waiting;
  }

  /** No function has the probe, and none can get it. */
  get isEmpty(): boolean {
    return this.functions.size === 0 && this.#waiting.size === 0;
  }

  /** Keeps a word for functions that are linked later. */
  remember(word: CommandWord): void {
    const before = this.#words.get(word.pattern);
    if (before !== undefined) this.#waiting.delete(before);
    this.#words.delete(word.pattern);
    this.#words.set(word.pattern, word);
    if (!word.not) this.#waiting.add(word);
  }

  forgetWords(): void {
    this.#words.clear();
    this.#waiting.clear();
  }

  /** Gives functions that `word` matches their probes. */
  add(functions: readonly number[], word: CommandWord): ProbeGroup {
    const { count, event } = word;
    this.#waiting.delete(word);
    const counts = count === undefined ? undefined : new ProbeCounts(functions.length, count, this.#allocate);
    const rows = functions.map((n, at): [number, ProbeData] => [n, { counts, at, event }]);
    for (const [n, data] of rows) {
      this.functions.add(n);
      this.#data.set(n, data);
    }
    return groupOf(rows);
  }

  remove(functions: Iterable<number>): void {
    for (const n of functions) {
      this.functions.delete(n);
      this.#data.delete(n);
    }
  }

  /** The events that it switches. */
  events(): ReadonlySet<ProbeEvent> {
    return new Set([...this.#data.values()].flatMap(({ event }) => event ?? []));
  }

  /** All its functions, for a new thread. */
  groups(): readonly ProbeGroup[] {
    const rows = groupBy(this.#data, ([, { counts, event }]) => counts ?? event);
    return [...rows.values()].map(groupOf);
  }

  /** `:traceoff:count=3`: what set_ftrace_filter shows after the function's name. */
  text(n: number): string {
    const { counts, at, event } = this.#data.get(n)!;
    return probeText(this.command, event, counts?.left(at));
  }
}

/** `:COMMAND[:EVENT]:unlimited`, or `:count=N`. */
export function probeText(command: CommandName, event: ProbeEvent | undefined, left: bigint | undefined): string {
  const what = event === undefined ? command : `${command}:${event.system}:${event.name}`;
  return `:${what}:${left === undefined ? 'unlimited' : `count=${left}`}`;
}

function groupOf(rows: readonly (readonly [number, ProbeData])[]): ProbeGroup {
  const { counts, event } = rows[0]![1];
  return {
    functions: Uint32Array.from(rows, ([n]) => n),
    ...(counts && { counts: counts.words, places: Uint32Array.from(rows, ([, { at }]) => at) }),
    ...(event && { event: event.index }),
  };
}
