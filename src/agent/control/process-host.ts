import type { LinkEvent } from '../../arch/v8/loader/link-event.js';
import { asTraceError } from '../../base/errno.js';
import type { FilterName, FunctionTable, TraceHost } from '../../core/host.js';
import type { OptionFlags } from '../../core/options.js';
import type { TextSymbol } from '../../core/symbols.js';
import type { FunctionFilter } from '../../ftrace/function-filter.js';
import { FTRACE_FL } from '../../ftrace/records.js';
import { RingBufferWriter, traceClock } from '../../ring-buffer/index.js';
import type { TracerName } from '../../tracers/runtime.js';
import { type ControlBlock, THREAD_WORD, takeCpu, threadWord, WORD } from '../control-block.js';
import { writeMark } from '../marker.js';
import type { ProcessShare, ThreadEvent } from '../protocol.js';
import { allSettled } from './all-settled.js';
import { ProcessTracer, type TracerSettings } from './process-tracer.js';
import { TextTable } from './text-table.js';
import type { Mover, ThreadBuffer } from './thread-buffer.js';
import { ThreadBuffers } from './thread-buffers.js';
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
}

/** The process as the tree sees it: its threads, their buffers, its functions. Runs on the control thread. */
export class ProcessHost implements TraceHost {
  readonly #options: HostOptions;
  readonly #block: ControlBlock;
  readonly #table: TextTable;
  readonly #tracer: ProcessTracer;
  readonly #threads: Threads;
  readonly #buffers: ThreadBuffers;
  readonly #comms = new Map<number, string>();
  /** Buffers take their memory once something may write to them. */
  #buffered = false;
  #ownCpu: number | undefined;
  #markWriter: RingBufferWriter | undefined;

  constructor(options: HostOptions) {
    this.#options = options;
    this.#buffers = new ThreadBuffers(options.bufferBytes, options.settings.options.overwrite);
    this.#block = new Int32Array(options.share.block);
    this.#table = new TextTable(options.high);
    this.#tracer = new ProcessTracer(this.#table, options.settings);
    this.#threads = new Threads(options.share, options.tid, {
      started: (thread) => this.#started(thread),
      told: (thread, event) => this.#told(thread, event),
      ended: (thread) => this.#tracer.removeThread(thread),
    });
  }

  /** Connects to the threads that run already. What is to hold from their first functions on must be set before. */
  start(): void {
    this.#threads.look();
  }

  get cpus(): readonly ThreadBuffer[] {
    this.#threads.look();
    return this.#buffers.all;
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
      location: (n) => table.location(n),
      refs: (n) => tracer.records.references(n),
      wantsRegs: (n) => (tracer.records.flags(n) & FTRACE_FL.REGS) !== 0,
      totalInfo: () => tracer.records.totalInfo(),
      trampoline: (n) => tracer.trampoline(n),
    };
  }

  now(): number {
    return traceClock();
  }

  comm(pid: number): string | undefined {
    return this.#comms.get(pid);
  }

  comms(): Iterable<readonly [number, string]> {
    return this.#comms;
  }

  /** Symbols of texts that were linked since the last call. */
  newSymbols(): readonly TextSymbol[] {
    this.#tracer.decode();
    return this.#table.newSymbols();
  }

  setTracer(tracer: TracerName): Promise<void> {
    if (tracer !== 'nop') this.#useBuffers();
    return this.#configure({ tracer });
  }

  setOptions(options: OptionFlags): Promise<void> {
    this.#buffers.setOverwrite(options.overwrite);
    return this.#configure({ options });
  }

  setMaxGraphDepth(maxDepth: number): Promise<void> {
    return this.#configure({ maxDepth });
  }

  setThreshold(threshold: number): Promise<void> {
    return this.#configure({ threshold });
  }

  filter(which: FilterName): FunctionFilter {
    this.#tracer.decode();
    return this.#tracer.filters.get(which);
  }

  setFilter(which: FilterName, filter: FunctionFilter): Promise<void> {
    this.#tracer.setFilter(which, filter);
    return this.#obeyed();
  }

  setTracingOn(on: boolean): void {
    this.#buffers.setTracingOn(on);
  }

  resize(cpu: number, bytes: number): Promise<void> {
    return this.#buffers.resize(cpu, bytes, (one) => this.#mover(one));
  }

  mark(text: Uint8Array, pid: number, comm: string): void {
    const writer = this.#ownWriter();
    if (writer === undefined) return;
    this.#comms.set(pid, comm);
    writeMark(writer, this.#options.high, text, pid);
  }

  #started(thread: ThreadConnection): void {
    this.#comms.set(thread.tid, commOfThread(thread.tid));
    this.#buffers.of(thread.cpu);
    if (this.#buffered) this.#giveBuffer(thread);
    this.#tracer.addThread(thread);
  }

  #told(thread: ThreadConnection, event: ThreadEvent): void {
    if (event.type === 'link') this.#link(thread, event.link);
    if (event.type === 'subscribe' || event.type === 'unsubscribe') this.#answer(thread, event);
    if (event.type === 'mark') this.mark(event.text, thread.tid, this.#comms.get(thread.tid) ?? 'node');
    if (event.type === 'end' && thread.tid === process.pid) this.#options.onProgramEnd();
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

  /** What has the writer of a cpu's buffer move to another memory; undefined when it has none. */
  #mover(cpu: number): Mover | undefined {
    const thread = this.#threads.get(cpu);
    if (thread !== undefined) return (buffer) => thread.send({ type: 'resize', buffer });
    if (cpu !== this.#ownCpu) return undefined;
    return async (memory) => void this.#markWriter?.moveTo(memory);
  }

  #configure(change: Partial<TracerSettings>): Promise<void> {
    this.#tracer.configure({ ...this.#tracer.settings, ...change });
    return this.#obeyed();
  }

  /**
   * Resolves when every thread has done what it was told.
   * @throws TraceError ETIMEDOUT when one is blocked: the change holds in the others, and there as soon as it runs again
   */
  async #obeyed(): Promise<void> {
    Atomics.store(this.#block, WORD.LINK_WAITS, this.#tracer.isOn ? 1 : 0);
    await allSettled(this.#threads.living);
  }

  #useBuffers(): void {
    if (this.#buffered) return;
    this.#buffered = true;
    for (const thread of this.#threads.living) this.#giveBuffer(thread);
  }

  #giveBuffer(thread: ThreadConnection): void {
    thread.post({ type: 'buffer', buffer: this.#buffers.memory(thread.cpu) });
  }

  /** The writer for what is written from outside: the control thread becomes a cpu of its own when it first needs one. */
  #ownWriter(): RingBufferWriter | undefined {
    if (this.#markWriter !== undefined) return this.#markWriter;
    const cpu = takeCpu(this.#block, this.#options.tid);
    if (cpu === undefined) return undefined;
    this.#ownCpu = cpu;
    this.#markWriter = new RingBufferWriter(this.#buffers.memory(cpu));
    return this.#markWriter;
  }
}
