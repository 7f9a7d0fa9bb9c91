import { FilterEditor, type FunctionFilter, parseFilterWord } from '../../ftrace/function-filter.js';
import type { FunctionNames } from '../../ftrace/function-match.js';
import { EMPTY_HASH } from '../../ftrace/hash.js';
import { createOps, type FtraceOps } from '../../ftrace/ops.js';
import type { SubscriberRequest } from '../../ftrace/register.js';
import type { TracedThread } from '../../port/port.js';
import { type OpsOwner, opsLinked } from './ops-owner.js';

interface SubscriberOps extends FtraceOps {
  readonly isProbe: boolean;
}

type Cpu = Pick<TracedThread, 'cpu'>;

/**
 * The subscribers of the program (registerFtraceFunction): each belongs to one thread, and only the sites of that thread call
 * it.
 */
export class ProcessSubscribers implements OpsOwner {
  #ops: readonly SubscriberOps[] = [];
  #areProbesOn = true;

  get ops(): readonly FtraceOps[] {
    return this.#ops;
  }

  /**
   * Adds a subscriber, or replaces the one that the thread has under this id.
   * @throws TraceError EINVAL for a word that matches nothing
   */
  set({ cpu }: Cpu, request: SubscriberRequest, names: FunctionNames): void {
    const { id, name, flags, filter, notrace, functions, isProbe = false } = request;
    const chosen = functions === undefined ? filterOf(names, filter) : { functions: new Set(functions), words: [] };
    const hashes = { filter: chosen, notrace: filterOf(names, notrace) };
    const ops = { ...createOps(id, name, flags, cpu), ...hashes, enabled: !isProbe || this.#areProbesOn, isProbe };
    // It keeps its place: in another order, the lists of ops would be different ones.
    const at = this.#ops.findIndex((one) => one.cpu === cpu && one.id === id);
    this.#ops = at < 0 ? [...this.#ops, ops] : this.#ops.with(at, ops);
  }

  /** Switches subscribers of probes, which call nobody while kprobes/enabled is 0. */
  switchProbes(isOn: boolean): void {
    this.#areProbesOn = isOn;
    this.#ops = this.#ops.map((ops) => (ops.isProbe ? { ...ops, enabled: isOn } : ops));
  }

  delete({ cpu }: Cpu, id: number): void {
    this.#ops = this.#ops.filter((one) => one.cpu !== cpu || one.id !== id);
  }

  removeThread({ cpu }: Cpu): void {
    this.#ops = this.#ops.filter((one) => one.cpu !== cpu);
  }

  clear(): void {
    this.#ops = [];
  }

  link(names: () => FunctionNames, linked: readonly number[]): void {
    this.#ops = this.#ops.map((ops) => ({ ...opsLinked(ops, names(), linked), isProbe: ops.isProbe }));
  }
}

/** The filter that results from words, written one after the other to an empty filter. */
export function filterOf(names: FunctionNames, words: readonly string[]): FunctionFilter {
  const editor = new FilterEditor(names, EMPTY_HASH);
  for (const word of words) editor.apply(parseFilterWord(word), names.listed.length === 0);
  return editor.result();
}
