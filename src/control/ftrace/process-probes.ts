import { FunctionProbes, type ProbesListener } from '../../ftrace/commands/function-probes.js';
import type { Allocate } from '../../ftrace/commands/probe-counts.js';
import type { FunctionNames } from '../../ftrace/function-match.js';
import { createOps, type FtraceOps, OPS_ID } from '../../ftrace/ops.js';
import type { ProbeChange } from '../../ftrace/tracers/services.js';
import type { TracedThread } from '../../port/port.js';
import type { OpsOwner } from './ops-owner.js';

/** The callback of every probe, as enabled_functions names it. */
const CALLBACK = 'function_trace_probe_call';

/** The probes of all instances; sends them to the threads. Each probe is an ops; all share one bit of the sites. */
export class ProcessProbes implements OpsOwner {
  readonly #threads: Iterable<TracedThread>;
  readonly #allocate: Allocate | undefined;
  readonly #instances = new Map<number, FunctionProbes>();

  /**
   * @param threads the living threads, which are told
   * @param allocate gives memory that they can write to
   */
  constructor(threads: Iterable<TracedThread>, allocate?: Allocate) {
    this.#threads = threads;
    this.#allocate = allocate;
  }

  /** The probes of one instance. A change is sent to the threads; their sites change when the ops are planned again. */
  of(instance: number): FunctionProbes {
    let probes = this.#instances.get(instance);
    if (probes === undefined) {
      const listener: ProbesListener = {
        added: ({ id, command }, group) => this.#post({ type: 'add', probe: id, instance, command, group }),
        removed: ({ id }, functions) => this.#post({ type: 'remove', probe: id, functions }),
      };
      probes = new FunctionProbes(listener, this.#allocate);
      this.#instances.set(instance, probes);
    }
    return probes;
  }

  get ops(): readonly FtraceOps[] {
    const ops = createOps(OPS_ID.PROBE, CALLBACK);
    return [...this.#instances.values()].flatMap(({ all }) => all.map((filter) => ({ ...ops, filter, enabled: true })));
  }

  /** Tells a new thread about all probes. */
  addThread(thread: TracedThread): void {
    for (const [instance, { all }] of this.#instances) {
      for (const probe of all) {
        const { id, command } = probe;
        for (const group of probe.groups()) tell(thread, { type: 'add', probe: id, instance, command, group });
      }
    }
  }

  link(names: () => FunctionNames, linked: readonly number[]): void {
    for (const probes of this.#instances.values()) if (probes.all.length > 0) probes.link(names(), linked);
  }

  removeInstance(instance: number): void {
    for (const { id, functions } of this.#instances.get(instance)?.all ?? []) {
      this.#post({ type: 'remove', probe: id, functions: Uint32Array.from(functions) });
    }
    this.#instances.delete(instance);
  }

  #post(change: ProbeChange): void {
    for (const thread of this.#threads) tell(thread, change);
  }
}

const tell = (thread: TracedThread, config: ProbeChange): void => void thread.post({ type: 'service', kind: 'probe', config });
