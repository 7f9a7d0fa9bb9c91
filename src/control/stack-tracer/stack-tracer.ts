import { TraceError } from '../../base/errno.js';
import { DeepestStack, type RecordedStack } from '../../ftrace/deepest-stack.js';
import { type FunctionFilter, filterLinked } from '../../ftrace/function-filter.js';
import { EMPTY_HASH } from '../../ftrace/hash.js';
import type { OptionFlags } from '../../ftrace/options.js';
import type { SymbolTable } from '../../ftrace/symbols.js';
import type { StackTracerConfig } from '../../ftrace/tracers/services.js';
import { stackLines } from '../../output/stack-lines.js';
import { MAX_THREADS } from '../../port/limits.js';
import { filterEditing, filterText } from '../ftrace/filter-files.js';
import type { FunctionTable } from '../ftrace/function-table.js';
import type { ProcessTracer } from '../ftrace/process-tracer.js';
import { framePlaceText, type PlacedProcess } from '../ftrace/symbol-place-text.js';
import { type Feature, onOff, words } from '../tracefs/feature.js';
import type { TraceFile } from '../tracefs/node.js';
import { parseUnsignedLong } from '../tracefs/numbers.js';
import { readOnly, textFile } from '../tracefs/text-file.js';
import { wordsFile } from '../tracefs/words-file.js';

/** The callback by which enabled_functions names the stack tracer. */
const CALLBACK = 'stack_trace_call';

/** The stack tracer: it keeps the deepest stack that any thread of the process had. */
export class StackTracer {
  readonly #tracer: ProcessTracer;
  readonly #obeyed: () => Promise<void>;
  readonly #canMeasure: () => boolean;
  readonly #allocate: (bytes: number) => SharedArrayBuffer;
  #deepest: DeepestStack | undefined;
  #enabled = 0;
  /** stack_max_size as it was written, while no thread has raised it. */
  #written = 0n;
  #filter: FunctionFilter = EMPTY_HASH;
  /** The number of functions that the filter was applied to. */
  #linked = 0;

  /**
   * @param obeyed resolves when every thread has obeyed
   * @param canMeasure whether the system tells how deep a stack is
   * @param allocate memory that threads can write to
   */
  constructor(
    tracer: ProcessTracer,
    obeyed: () => Promise<void>,
    canMeasure: () => boolean,
    allocate: (bytes: number) => SharedArrayBuffer,
  ) {
    this.#tracer = tracer;
    this.#obeyed = obeyed;
    this.#canMeasure = canMeasure;
    this.#allocate = allocate;
  }

  /** stack_tracer_enabled: any number but 0 is on. */
  get enabled(): number {
    return this.#enabled;
  }

  /** Rejects with ENODEV if the system does not show how deep a stack is. */
  async setEnabled(value: number): Promise<void> {
    const was = this.#enabled !== 0;
    if (value !== 0 && !was && !this.#canMeasure()) {
      throw new TraceError('ENODEV', 'this system does not show how deep a stack is (/proc/thread-self/syscall)');
    }
    this.#enabled = value;
    if (was === (value !== 0)) return;
    this.#tell();
    await this.#obeyed();
  }

  /** Bytes of the deepest stack; after a write, the next deeper stack is recorded. */
  get maxSize(): bigint {
    const raised = BigInt(this.#deepest?.maxSize ?? 0);
    return raised > this.#written ? raised : this.#written;
  }

  setMaxSize(bytes: bigint): void {
    this.#written = bytes;
    this.#memory().maxSize = Number(bytes);
  }

  /** The deepest stack; undefined if there was none yet. */
  stack(): RecordedStack | undefined {
    return this.#deepest?.read();
  }

  /** The functions at whose calls the stack is measured; empty: all. */
  filter(): FunctionFilter {
    const names = this.#tracer.names();
    const news = names.listed.filter((n) => n >= this.#linked);
    if (news.length > 0) this.#filter = filterLinked(this.#filter, names, news);
    this.#linked = news.reduce((most, n) => Math.max(most, n + 1), this.#linked);
    return this.#filter;
  }

  async setFilter(filter: FunctionFilter): Promise<void> {
    this.filter();
    this.#filter = filter;
    if (this.#enabled === 0) return;
    this.#tell();
    await this.#obeyed();
  }

  #tell(): void {
    if (this.#enabled === 0) {
      this.#tracer.endService('stack');
      return;
    }
    const { memory } = this.#memory();
    const config = (cpu: number): StackTracerConfig => ({ memory, cpu });
    this.#tracer.setService('stack', { name: CALLBACK, filter: this.filter(), config });
  }

  #memory(): DeepestStack {
    this.#deepest ??= DeepestStack.create(MAX_THREADS, this.#allocate);
    return this.#deepest;
  }
}

/** What the files of the stack tracer need of the process. */
export interface MeasuredProcess extends PlacedProcess {
  readonly top: { readonly options: Pick<OptionFlags, 'places'> };
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

/** stack_trace: the deepest stack and the size of each of its frames; stack_trace_places: with the place of each. */
const stackTrace = (process: MeasuredProcess, isPlaced = false): TraceFile =>
  readOnly(() => {
    const { stackTracer } = process;
    const isOff = stackTracer.enabled === 0 && stackTracer.maxSize === 0n;
    const placeText = isPlaced || process.top.options.places ? framePlaceText(process) : undefined;
    return stackLines(stackTracer.stack(), process.symbols(), isOff, placeText);
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

/** The stack tracer's files and parameters. */
export const stackTracerFeature: Feature<MeasuredProcess> = {
  name: 'stack tracer',
  files: (process) => ({
    stack_max_size: stackMaxSize(process),
    stack_trace: stackTrace(process),
    stack_trace_filter: stackTraceFilter(process),
    stack_trace_places: stackTrace(process, true),
    stack_tracer_enabled: stackTracerEnabled(process),
  }),
  help: `
  stack_tracer_enabled - 1 looks for the deepest stack
  stack_trace          - the deepest stack and what each frame takes of it; stack_max_size is its size in bytes
  stack_trace_places   - the same, with the file and line of each function
  stack_trace_filter   - the functions at whose calls the stack is measured
`,
  parameters: [
    [
      'stacktrace_filter',
      (list: readonly string[]) => [...words('stack_trace_filter')(list), { path: 'stack_tracer_enabled', text: '1' }],
    ],
    ['stacktrace', onOff('stack_tracer_enabled')],
  ],
};
