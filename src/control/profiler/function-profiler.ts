import { TraceError } from '../../base/errno.js';
import { addProfiles, FunctionProfile, type ProfileCounts, type ProfiledFunction } from '../../ftrace/function-profile.js';
import type { ProfilerConfig } from '../../ftrace/tracers/services.js';
import type { TracerName } from '../../ftrace/tracers/tracers.js';
import { profileLines } from '../../output/profile-lines.js';
import type { FunctionTable } from '../ftrace/function-table.js';
import type { ProcessTracer } from '../ftrace/process-tracer.js';
import type { Feature } from '../tracefs/feature.js';
import type { TraceDirectory, TraceFile } from '../tracefs/node.js';
import { parseUnsigned } from '../tracefs/numbers.js';
import { dynamicDirectory } from '../tracefs/path.js';
import { textFile } from '../tracefs/text-file.js';

/** The callback by which enabled_functions names the profiler: that of the graph's ops, whose filter it has. */
const CALLBACK = 'ftrace_graph_func';

/** Makes memory for the counts of so many functions on a cpu. @throws TraceError ENOMEM */
type CreateProfile = (functions: number, cpu: number) => ProfileCounts;

/** What the profiler needs of the process. */
export interface ProfilerNeeds {
  functionCount(): number;
  /** Resolves when every thread has done what it was told. */
  obeyed(): Promise<void>;
  /** Cpus whose thread counts on another one too, with that one. */
  readonly joined: ReadonlyMap<number, number>;
  /** Absent: threads count in doubles. */
  readonly create?: CreateProfile;
}

/**
 * The function profiler: it counts calls and their times by function, on each cpu; the counts outlive the threads that ran there.
 */
export class FunctionProfiler {
  readonly #tracer: ProcessTracer;
  readonly #needs: ProfilerNeeds;
  /** The memory that the thread of a cpu counts in now is the last one; those before were too small for all functions. */
  readonly #byCpu = new Map<number, ProfileCounts[]>();
  #isOn = false;

  constructor(tracer: ProcessTracer, needs: ProfilerNeeds) {
    this.#tracer = tracer;
    this.#needs = needs;
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  /** Starts with all counts at 0, or stops; the counts stay. */
  async setOn(on: boolean): Promise<void> {
    if (on === this.#isOn) return;
    // Counts start at 0; they stay readable after the end.
    if (on) for (const profile of [...this.#byCpu.values()].flat()) profile.reset();
    try {
      if (on) this.#tracer.setService('profiler', { name: CALLBACK, config: (cpu: number) => this.#config(cpu) });
      else this.#tracer.endService('profiler');
      this.#isOn = on;
    } catch (error) {
      this.#tracer.endService('profiler');
      throw error;
    }
    await this.#needs.obeyed();
  }

  /** What the thread on a cpu has counted, the longest time first. */
  rows(cpu: number): readonly ProfiledFunction[] {
    const { joined } = this.#needs;
    if ([...joined.values()].includes(cpu)) return [];
    const other = joined.get(cpu) ?? cpu;
    return addProfiles([...new Set([cpu, other])].flatMap((one) => this.#byCpu.get(one) ?? []));
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

  #profile(cpu: number): ProfileCounts {
    const known = this.#byCpu.get(cpu) ?? [];
    const last = known.at(-1);
    const functions = this.#needs.functionCount();
    if (last !== undefined && last.capacity >= functions) return last;
    const profile = (this.#needs.create ?? FunctionProfile.create)(2 * functions, cpu);
    this.#byCpu.set(cpu, [...known, profile]);
    return profile;
  }
}

/** What the files of the profiler need of the top level. */
interface ProfiledInstance {
  readonly process: { readonly profiler: FunctionProfiler; functions(): FunctionTable };
  readonly tracer: TracerName;
  /** tracing_thresh: shorter times are not shown. */
  readonly thresholdNs: bigint;
  readonly buffers: { all(): readonly { readonly cpu: number }[] };
}

/** function_profile_enabled: 0, or any other number. As in the kernel only one of the profiler and function_graph can be on. */
const functionProfileEnabled = (instance: ProfiledInstance): TraceFile => {
  const { profiler } = instance.process;
  return textFile({
    mode: 0o640,
    show: () => `${profiler.isOn ? 1 : 0}\n`,
    async store(text) {
      const on = parseUnsigned(text) !== 0;
      if (on && instance.tracer === 'function_graph') throw new TraceError('EBUSY', 'function_graph is the current tracer');
      await profiler.setOn(on);
    },
  });
};

const statFile = (instance: ProfiledInstance, cpu: number): TraceFile => {
  const { process } = instance;
  return textFile({
    mode: 0o640,
    show() {
      const functions = process.functions();
      return profileLines(process.profiler.rows(cpu), (n) => functions.name(n), Number(instance.thresholdNs));
    },
  });
};

/** trace_stat/: what the profiler counted, one file for each thread that exists or has existed. */
const traceStatDirectory = (instance: ProfiledInstance): TraceDirectory =>
  dynamicDirectory(() => new Map(instance.buffers.all().map(({ cpu }) => [`function${cpu}`, statFile(instance, cpu)] as const)));

/** The profiler's files. */
export const profilerFeature: Feature<{ readonly top: ProfiledInstance }> = {
  name: 'profiler',
  files: ({ top }) => ({ function_profile_enabled: functionProfileEnabled(top), trace_stat: traceStatDirectory(top) }),
  help: `
  function_profile_enabled - 1 begins to count calls and their times; trace_stat/functionN shows them by thread
`,
};
