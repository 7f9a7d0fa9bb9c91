import { TraceError } from '../../base/errno.js';
import { DeepestStack, type RecordedStack } from '../../ftrace/deepest-stack.js';
import { type FunctionFilter, filterLinked } from '../../ftrace/function-filter.js';
import { EMPTY_HASH } from '../../ftrace/hash.js';
import type { StackTracerConfig } from '../../ftrace/tracers/services.js';
import { MAX_THREADS } from '../../port/limits.js';
import type { ProcessTracer } from '../ftrace/process-tracer.js';

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
