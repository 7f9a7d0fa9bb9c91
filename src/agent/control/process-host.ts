import type { LinkEvent } from '../../arch/v8/loader/link-event.js';
import { createStackDepth } from '../../arch/v8/stack-depth.js';
import { asTraceError } from '../../base/errno.js';
import type { FunctionTable, InstanceHost, TraceHost } from '../../core/host.js';
import type { OptionFlags } from '../../core/options.js';
import { SavedCmdlines } from '../../core/saved-cmdlines.js';
import type { TextSymbol } from '../../core/symbols.js';
import type { SysctlName, Sysctls } from '../../core/sysctl.js';
import { FTRACE_FL } from '../../ftrace/records.js';
import { traceClock } from '../../ring-buffer/index.js';
import type { Warn } from '../../tracefs/attached-file.js';
import { type ControlBlock, clockCounter, THREAD_WORD, takeCpu, threadWord, WORD } from '../control-block.js';
import type { ListedTasks, ProcessShare, ThreadEvent } from '../protocol.js';
import { allSettled } from './all-settled.js';
import { AsyncContexts } from './async-contexts.js';
import { EarlyLoader } from './early/early-loader.js';
import { type EarlyOptions, EarlyTexts, type LinkedScript } from './early/early-texts.js';
import { TOP_INSTANCE, type TracerSettings } from './instance-tracer.js';
import { type InstanceProcess, ProcessInstance } from './process-instance.js';
import { ProcessProfiler } from './process-profiler.js';
import { ProcessStackTracer } from './process-stack-tracer.js';
import { ProcessTracer } from './process-tracer.js';
import { TextTable } from './text-table.js';
import type { ThreadBuffer } from './thread-buffer.js';
import type { ThreadConnection } from './thread-connection.js';
import { commOfThread, Threads } from './threads.js';

/** What the host is made with. */
export interface HostOptions {
  readonly share: ProcessShare;
  /** High 32 bits of the process's addresses. */
  readonly high: number;
  /** The control thread's own id at the operating system. */
  readonly tid: number;
  /** What is on when the process starts. */
  readonly settings: TracerSettings;
  /** Data bytes of each thread's buffer. */
  readonly bufferBytes: number;
  /** The program's main thread has run its last code. */
  readonly onProgramEnd: () => void;
  /** A thread wants the buffers dumped, of one cpu or of all. */
  readonly onDump: (cpu: number | undefined) => void;
  /** Where texts of before fentry are read, in a process that it came to late. */
  readonly early?: Omit<EarlyOptions, 'share'>;
}

const SYSCTL_WORDS: Readonly<Record<SysctlName, number>> = {
  ftrace_dump_on_oops: WORD.DUMP_ON_OOPS,
  traceoff_on_warning: WORD.TRACEOFF_ON_WARNING,
};

function canMeasureStacks(): boolean {
  const depth = createStackDepth();
  depth?.end();
  return depth !== undefined;
}

/** The process as the tree sees it: its threads, their buffers, its functions. Runs on the control thread. */
export class ProcessHost implements TraceHost {
  readonly #options: HostOptions;
  readonly #block: ControlBlock;
  readonly #table: TextTable;
  readonly #tracer: ProcessTracer;
  readonly #threads: Threads;
  readonly #instances: ProcessInstance[] = [];
  readonly cmdlines = new SavedCmdlines();
  readonly #contexts = new AsyncContexts();
  #lastInstance = TOP_INSTANCE;
  #isStarted = false;
  #ownCpu: number | undefined;
  readonly top: ProcessInstance;
  readonly #early: EarlyLoader | undefined;
  #warn: Warn = () => {};
  readonly profiler: ProcessProfiler;
  readonly stackTracer: ProcessStackTracer;

  constructor(options: HostOptions) {
    this.#options = options;
    this.#block = new Int32Array(options.share.block);
    this.#table = new TextTable(options.high);
    this.#tracer = new ProcessTracer(this.#table, options.settings);
    this.#threads = new Threads(
      options.share,
      options.tid,
      {
        started: (thread) => this.#started(thread),
        told: (thread, event) => this.#told(thread, event),
        ended: (thread) => this.#ended(thread),
      },
      options.early?.ownFolder,
    );
    const { share, early } = options;
    this.#early =
      early && new EarlyLoader(new EarlyTexts({ share, ...early }), (thread, script) => this.#linkEarly(thread, script));
    this.top = new ProcessInstance(this.#instanceProcess(), this.#tracer.top, options.bufferBytes, options.share.topSwitch);
    this.#instances.push(this.top);
    this.stackTracer = new ProcessStackTracer(this.#tracer, () => this.#obeyed(), canMeasureStacks);
    this.profiler = new ProcessProfiler(
      this.#tracer,
      () => this.#table.count,
      () => this.#obeyed(),
    );
  }

  /** Connects to the threads that run already. What is to hold from their first functions on must be set before. */
  start(): void {
    this.#isStarted = true;
    this.#sayWhetherLinksWait();
    this.#threads.start();
  }

  /** Has `warn` told what could not be done of what was asked for. */
  onUnreached(warn: Warn): void {
    this.#warn = warn;
    this.#tracer.onUnnamed((count, tracer) =>
      warn(`${count} functions were loaded before fentry and are not traced: name them in set_ftrace_filter`, tracer),
    );
  }

  /** Resolves when the functions are listed that the process had loaded before fentry came; rejects as a change does. */
  async earlyFunctionsListed(): Promise<void> {
    await this.#threads.reachWorkers();
    await this.#obeyed();
    await this.#early?.settled;
    await this.#obeyed();
  }

  /** The buffers of the top level. */
  get cpus(): readonly ThreadBuffer[] {
    return this.top.cpus;
  }

  addInstance(options: OptionFlags): ProcessInstance {
    const { settings, bufferBytes } = this.#options;
    const tracer = this.#tracer.addInstance(++this.#lastInstance, { ...settings, options });
    const instance = new ProcessInstance(this.#instanceProcess(), tracer, bufferBytes);
    for (const { cpu } of this.top.cpus) instance.addCpu(cpu);
    this.#instances.push(instance);
    return instance;
  }

  removeInstance(instance: InstanceHost): Promise<void> {
    const removed = instance as ProcessInstance;
    this.#instances.splice(this.#instances.indexOf(removed), 1);
    this.#contexts.setPids(removed.tracer.instance, undefined);
    this.#tracer.removeInstance(removed.tracer);
    return removed.close();
  }

  /** Ends all tracing and has every thread let go of fentry; rejects as a change does. */
  detach(): Promise<void> {
    this.#tracer.end();
    this.#contexts.setOn(false);
    for (const thread of this.#threads.living) thread.post({ type: 'detach' });
    return this.#obeyed();
  }

  /** Resolves when every thread has done what it was told; see #obeyed. */
  obeyed(): Promise<void> {
    return this.#obeyed();
  }

  get symbols(): TextTable['symbols'] {
    this.#tracer.decode();
    return this.#table.symbols;
  }

  get functions(): FunctionTable {
    this.#tracer.decode();
    const table = this.#table;
    const tracer = this.#tracer;
    return {
      numbers: () => table.numbers(),
      count: table.count,
      name: (n) => table.name(n),
      module: (n) => table.module(n),
      low: (n) => table.low(n),
      high: this.#options.high,
      params: (n) => table.function(n).params,
      reason: (n) => table.reason(n),
      isEarly: (n) => tracer.records.isEarly(n),
      location: (n) => table.location(n),
      refs: (n) => tracer.records.references(n),
      touched: (n) => (tracer.records.flags(n) & FTRACE_FL.TOUCHED) !== 0,
      wantsRegs: (n) => (tracer.records.flags(n) & FTRACE_FL.REGS) !== 0,
      totalInfo: () => tracer.records.totalInfo(),
      trampoline: (n) => tracer.trampoline(n),
    };
  }

  get sysctls(): Sysctls {
    return {
      get: (name) => Atomics.load(this.#block, SYSCTL_WORDS[name]),
      set: (name, value) => Atomics.store(this.#block, SYSCTL_WORDS[name], value),
    };
  }

  now(): number {
    return traceClock();
  }

  comm(pid: number): string | undefined {
    const context = this.#contexts.comm(pid);
    const thread = this.cmdlines.get(pid);
    // A context may have the number that a thread has.
    return this.#contexts.isOn ? (context ?? thread) : (thread ?? context);
  }

  *comms(): Iterable<readonly [number, string]> {
    yield* this.cmdlines;
    yield* [...this.#contexts.comms()].slice(-this.cmdlines.size);
  }

  /** Symbols of texts that were linked since the last call. */
  newSymbols(): readonly TextSymbol[] {
    this.#tracer.decode();
    return this.#table.newSymbols();
  }

  #started(thread: ThreadConnection): void {
    this.cmdlines.set(thread.tid, commOfThread(thread.tid));
    for (const instance of this.#instances) instance.threadStarted(thread);
    this.#contexts.addThread(thread);
    this.#tracer.addThread(thread);
  }

  #ended(thread: ThreadConnection): void {
    this.#tracer.removeThread(thread);
    this.#contexts.removeThread(thread);
    for (const instance of this.#instances) instance.threadEnded(thread);
  }

  #told(thread: ThreadConnection, event: ThreadEvent): void {
    if (event.type === 'link') this.#link(thread, event.link);
    if (event.type === 'subscribe' || event.type === 'unsubscribe') this.#answer(thread, event);
    if (event.type === 'tasks') this.#tookTasks(thread, event.lists);
    if (event.type === 'mark') this.top.mark(event.text, thread.tid, this.cmdlines.get(thread.tid) ?? 'node');
    if (event.type === 'raw mark') this.top.markRaw(event.bytes, thread.tid, this.cmdlines.get(thread.tid) ?? 'node');
    if (event.type === 'task') this.cmdlines.set(event.pid, event.comm);
    if (event.type === 'dump') this.#dump(event.cpu);
    if (event.type === 'worker') void this.#threads.reachWorkers();
    if (event.type === 'scripts') this.#early?.take(thread, event.scripts);
    if (event.type === 'source') this.#early?.sourceCame(thread, event.scriptId, event.source);
    if (event.type === 'overheated') this.#overheated(event.n);
    if (event.type === 'unreached') this.#warn('V8 has no place for a breakpoint, or there are too many', [event.n]);
    if (event.type === 'end' && thread.tid === process.pid) this.#options.onProgramEnd();
  }

  #tookTasks(thread: ThreadConnection, lists: readonly ListedTasks[]): void {
    for (const [instance, pids] of this.#contexts.told(thread, lists)) {
      this.#instances.find(({ tracer }) => tracer.instance === instance)?.taskPids.took(pids);
    }
  }

  #setAsyncContext(on: boolean): void {
    this.#contexts.setOn(on);
    for (const instance of this.#instances) instance.taskPids.apply();
  }

  #dump(cpu: number | undefined): void {
    this.#options.onDump(cpu);
    Atomics.add(this.#block, WORD.DUMPS_DONE, 1);
    Atomics.notify(this.#block, WORD.DUMPS_DONE);
  }

  #linkEarly(thread: ThreadConnection, { link, text }: LinkedScript): void {
    this.#table.link(link);
    if (text !== undefined) this.#tracer.linkEarly(thread, link, text);
  }

  #overheated(n: number): void {
    this.#tracer.overheated(n);
    this.#warn('too many calls for a breakpoint: it is gone until set_ftrace_filter names the function again', [n]);
    this.#obeyed().catch(() => {});
  }

  #answer(thread: ThreadConnection, event: Extract<ThreadEvent, { call: number }>): void {
    const { call } = event;
    try {
      if (event.type === 'subscribe') this.#tracer.subscribe(thread, event.request);
      else this.#tracer.unsubscribe(thread, event.id);
      thread.post({ type: 'answer', call });
    } catch (error) {
      const { errno, message } = asTraceError(error);
      thread.post({ type: 'answer', call, error: { errno, message } });
    }
    this.#obeyed().catch(() => {});
  }

  #link(thread: ThreadConnection, link: LinkEvent): void {
    this.#table.link(link);
    this.#tracer.link(thread, link);
    const done = threadWord(thread.cpu, THREAD_WORD.LINKS_DONE);
    Atomics.add(this.#block, done, 1);
    Atomics.notify(this.#block, done);
    // A thread that linked this before anything was on does not wait for its patches.
    if (this.#tracer.isOn) void thread.settled();
  }

  /**
   * Resolves when every thread has done what it was told.
   * @throws TraceError ETIMEDOUT when one is blocked: the change holds in the others, and there as soon as it runs again
   */
  async #obeyed(): Promise<void> {
    if (this.#isStarted) this.#sayWhetherLinksWait();
    await allSettled(this.#threads.living);
  }

  #sayWhetherLinksWait(): void {
    Atomics.store(this.#block, WORD.LINK_WAITS, this.#tracer.isOn ? 1 : 0);
  }

  #instanceProcess(): InstanceProcess {
    const host = this;
    return {
      threads: this.#threads,
      tracer: this.#tracer,
      contexts: this.#contexts,
      setAsyncContext: (on) => this.#setAsyncContext(on),
      high: this.#options.high,
      counter: clockCounter(this.#options.share.block),
      get ownCpu() {
        return host.#ownCpu;
      },
      takeOwnCpu: () => this.#takeOwnCpu(),
      saw: (pid, comm) => this.cmdlines.set(pid, comm),
      obeyed: () => this.#obeyed(),
    };
  }

  /** The control thread becomes a cpu when it first has something to record. */
  #takeOwnCpu(): number | undefined {
    if (this.#ownCpu !== undefined) return this.#ownCpu;
    const cpu = takeCpu(this.#block, this.#options.tid);
    if (cpu === undefined) return undefined;
    this.#ownCpu = cpu;
    for (const instance of this.#instances) instance.addCpu(cpu);
    return cpu;
  }
}
