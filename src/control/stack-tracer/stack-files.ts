import { TraceError } from '../../base/errno.js';
import type { SymbolTable } from '../../ftrace/symbols.js';
import { stackLines } from '../../output/stack-lines.js';
import { filterEditing, filterText } from '../ftrace/filter-files.js';
import type { FunctionTable } from '../ftrace/function-table.js';
import type { TraceFile, TraceNode } from '../tracefs/node.js';
import { parseUnsignedLong } from '../tracefs/numbers.js';
import { readOnly, textFile } from '../tracefs/text-file.js';
import { wordsFile } from '../tracefs/words-file.js';
import type { StackTracer } from './stack-tracer.js';

/** What the files of the stack tracer need of the process. */
export interface MeasuredProcess {
  readonly stackTracer: StackTracer;
  functions(): FunctionTable;
  symbols(): SymbolTable;
}

const INT_MAX = 2 ** 31 - 1;

/** A number as proc_dointvec takes it: the first word; the rest after white space is ignored. EINVAL if it is not a number. */
function parseInteger(text: string): number {
  const digits = /^\s*(-?\d+)(?:\s|$)/.exec(text)?.[1];
  if (digits === undefined || Math.abs(Number(digits)) > INT_MAX) throw new TraceError('EINVAL', `not a number: ${text.trim()}`);
  return Number(digits);
}

/** stack_trace: the deepest stack and the size of each of its frames. */
const stackTrace = (process: MeasuredProcess): TraceFile =>
  readOnly(() => {
    const { stackTracer } = process;
    const isOff = stackTracer.enabled === 0 && stackTracer.maxSize === 0n;
    return stackLines(stackTracer.stack(), process.symbols(), isOff);
  });

/** stack_max_size: its bytes, shown as a signed number; writing 0 starts again. */
const stackMaxSize = (process: MeasuredProcess): TraceFile => {
  const { stackTracer } = process;
  return textFile({
    mode: 0o640,
    show: () => `${BigInt.asIntN(64, stackTracer.maxSize)}\n`,
    store: (text) => stackTracer.setMaxSize(parseUnsignedLong(text)),
  });
};

/** stack_tracer_enabled, which in the kernel is /proc/sys/kernel/stack_tracer_enabled. */
const stackTracerEnabled = (process: MeasuredProcess): TraceFile => {
  const { stackTracer } = process;
  return textFile({
    mode: 0o644,
    show: () => `${stackTracer.enabled}\n`,
    store: (text) => stackTracer.setEnabled(parseInteger(text)),
  });
};

/** stack_trace_filter: the functions at whose calls the stack is measured. It has no commands. */
const stackTraceFilter = (process: MeasuredProcess): TraceFile => {
  const { stackTracer } = process;
  return wordsFile({
    mode: 0o640,
    show: () => filterText(process.functions(), stackTracer.filter()),
    edit(truncate) {
      const editor = filterEditing(process.functions(), truncate ? undefined : stackTracer.filter());
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
export const stackFiles = (process: MeasuredProcess): Record<string, TraceNode> => ({
  stack_max_size: stackMaxSize(process),
  stack_trace: stackTrace(process),
  stack_trace_filter: stackTraceFilter(process),
  stack_tracer_enabled: stackTracerEnabled(process),
});
