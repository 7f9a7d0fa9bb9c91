import type { FunctionProfiler } from '../../../core/traced-process.js';
import { FunctionProfile, type ProfiledFunction } from '../../../ftrace/function-profile.js';
import type { ProfilerConfig } from '../../../tracers/services.js';
import type { ProcessTracer } from './process-tracer.js';

/** The callback by which enabled_functions names the profiler: that of the graph's ops, whose filter it has. */
const CALLBACK = 'ftrace_graph_func';

/** Where the counts of a cpu are: while its thread moves to larger memory, they are still in the old one. */
interface CpuProfile {
  readonly profile: FunctionProfile;
  readonly before?: FunctionProfile;
}

/** The function profiler of the process: its counts on each cpu, which outlive the threads that ran there. */
export class ProcessProfiler implements FunctionProfiler {
  readonly #tracer: ProcessTracer;
  readonly #functionCount: () => number;
  readonly #obeyed: () => Promise<void>;
  readonly #byCpu = new Map<number, CpuProfile>();
  #isOn = false;

  /** @param obeyed resolves when every thread has done what it was told */
  constructor(tracer: ProcessTracer, functionCount: () => number, obeyed: () => Promise<void>) {
    this.#tracer = tracer;
    this.#functionCount = functionCount;
    this.#obeyed = obeyed;
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  async setOn(on: boolean): Promise<void> {
    if (on === this.#isOn) return;
    this.#isOn = on;
    // Counts start at 0; they stay readable after the end.
    if (on) for (const { profile } of this.#byCpu.values()) profile.reset();
    if (on) this.#tracer.setService('profiler', { name: CALLBACK, config: (cpu: number) => this.#config(cpu) });
    else this.#tracer.endService('profiler');
    await this.#obeyed();
  }

  rows(cpu: number): readonly ProfiledFunction[] {
    const counts = this.#byCpu.get(cpu);
    if (counts === undefined) return [];
    const { profile, before } = counts;
    return (profile.isUsed ? profile : (before ?? profile)).rows();
  }

  /** The configuration for the thread on a cpu, sent again when functions were linked, so that all of them fit. */
  #config(cpu: number): ProfilerConfig {
    const options = this.#tracer.top.settings.options;
    return {
      memory: this.#profile(cpu).memory,
      sleepTime: options['sleep-time'],
      graphTime: options['graph-time'],
    };
  }

  #profile(cpu: number): FunctionProfile {
    const known = this.#byCpu.get(cpu);
    const functions = this.#functionCount();
    if (known !== undefined && known.profile.capacity >= functions) return known.profile;
    const profile = FunctionProfile.create(2 * functions);
    this.#byCpu.set(cpu, known === undefined ? { profile } : { profile, before: known.profile });
    return profile;
  }
}
