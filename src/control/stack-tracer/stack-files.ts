import { TraceError } from '../../base/errno.js';
import { stackLines } from '../../output/stack-lines.js';
import { filterEditing, filterText } from '../ftrace/filter-files.js';
import type { TraceInstance } from '../trace-array/instance.js';
import type { TraceFile, TraceNode } from '../tracefs/node.js';
import { parseUnsignedLong } from '../tracefs/numbers.js';
import { readOnly, textFile } from '../tracefs/text-file.js';
import { wordsFile } from '../tracefs/words-file.js';

const INT_MAX = 2 ** 31 - 1;

/** A number as proc_dointvec takes it: the first word; the rest after white space is ignored. EINVAL if it is not a number. */
function parseInteger(text: string): number {
  const digits = /^\s*(-?\d+)(?:\s|$)/.exec(text)?.[1];
  if (digits === undefined || Math.abs(Number(digits)) > INT_MAX) throw new TraceError('EINVAL', `not a number: ${text.trim()}`);
  return Number(digits);
}

/** stack_trace: the deepest stack and the size of each of its frames. */
const stackTrace = (instance: TraceInstance): TraceFile =>
  readOnly(() => {
    const { process } = instance;
    const { stackTracer } = process;
    const isOff = stackTracer.enabled === 0 && stackTracer.maxSize === 0n;
    return stackLines(stackTracer.stack(), process.symbols(), isOff);
  });

/** stack_max_size: its bytes, shown as a signed number; writing 0 starts again. */
const stackMaxSize = (instance: TraceInstance): TraceFile => {
  const { stackTracer } = instance.process;
  return textFile({
    mode: 0o640,
    show: () => `${BigInt.asIntN(64, stackTracer.maxSize)}\n`,
    store: (text) => stackTracer.setMaxSize(parseUnsignedLong(text)),
  });
};

/** stack_tracer_enabled, which in the kernel is /proc/sys/kernel/stack_tracer_enabled. */
const stackTracerEnabled = (instance: TraceInstance): TraceFile => {
  const { stackTracer } = instance.process;
  return textFile({
    mode: 0o644,
    show: () => `${stackTracer.enabled}\n`,
    store: (text) => stackTracer.setEnabled(parseInteger(text)),
  });
};

/** stack_trace_filter: the functions at whose calls the stack is measured. It has no commands. */
const stackTraceFilter = (instance: TraceInstance): TraceFile => {
  const { stackTracer } = instance.process;
  return wordsFile({
    mode: 0o640,
    show: () => filterText(instance.process.functions(), stackTracer.filter()),
    edit(truncate) {
      const editor = filterEditing(instance.process.functions(), truncate ? undefined : stackTracer.filter());
      return {
        word(text) {
          if (text.includes(':')) throw new TraceError('ENODEV', 'stack_trace_filter has no commands');
          editor.word(text);
        },
        close: (last) => stackTracer.setFilter(editor.resultWith(last)),
      };
    },
  });
};

/** The files of the stack tracer. */
export const stackFiles = (instance: TraceInstance): Record<string, TraceNode> => ({
  stack_max_size: stackMaxSize(instance),
  stack_trace: stackTrace(instance),
  stack_trace_filter: stackTraceFilter(instance),
  stack_tracer_enabled: stackTracerEnabled(instance),
});
