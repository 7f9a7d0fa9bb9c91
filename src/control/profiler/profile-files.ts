import { TraceError } from '../../base/errno.js';
import type { TracerName } from '../../ftrace/tracers/tracers.js';
import { profileLines } from '../../output/profile-lines.js';
import type { FunctionTable } from '../ftrace/function-table.js';
import type { TraceDirectory, TraceFile } from '../tracefs/node.js';
import { parseUnsigned } from '../tracefs/numbers.js';
import { dynamicDirectory } from '../tracefs/path.js';
import { textFile } from '../tracefs/text-file.js';
import type { FunctionProfiler } from './function-profiler.js';

/** What the files of the profiler need of the top level. */
export interface ProfiledInstance {
  readonly process: { readonly profiler: FunctionProfiler; functions(): FunctionTable };
  readonly tracer: TracerName;
  /** tracing_thresh: shorter times are not shown. */
  readonly thresholdNs: bigint;
  readonly buffers: { all(): readonly { readonly cpu: number }[] };
}

/** function_profile_enabled: 0, or any other number. As in the kernel only one of the profiler and function_graph can be on. */
export const functionProfileEnabled = (instance: ProfiledInstance): TraceFile => {
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
export const traceStatDirectory = (instance: ProfiledInstance): TraceDirectory =>
  dynamicDirectory(() => new Map(instance.buffers.all().map(({ cpu }) => [`function${cpu}`, statFile(instance, cpu)] as const)));
