import { SavedCmdlines } from '../../core/saved-cmdlines.js';
import type { Warn } from '../../tracefs/attached-file.js';
import { type ControlBlock, clockCounter, WORD } from '../control-block.js';
import type { ProcessShare, ThreadEvent } from '../protocol.js';
import { EarlyLoader } from './early/early-loader.js';
import { type EarlyOptions, EarlyTexts, type LinkedScript } from './early/early-texts.js';
import type { InstanceProcess, ProcessInstance } from './instance/process-instance.js';
import { AsyncContexts } from './tasks/async-contexts.js';
import { type ToldProcess, takeEvent } from './thread-events.js';
import { allSettled } from './threads/all-settled.js';
import { TextLogs } from './threads/text-logs.js';
import type { ThreadConnection } from './threads/thread-connection.js';
import { commOfThread, isThread, Threads } from './threads/threads.js';
import type { TracerSettings } from './tracing/instance-tracer.js';
import { ProcessTracer } from './tracing/process-tracer.js';
import { TextTable } from './tracing/text-table.js';

/** What the control thread knows of its process at the start. */
export interface ProcessOptions {
  readonly share: ProcessShare;
  /** The TextLog of the thread on cpu 0. */
  readonly texts: SharedArrayBuffer;
  /** High 32 bits of the process's addresses. */
  readonly high: number;
  /** The control thread's own id at the operating system. */
  readonly tid: number;
  /** What is on when the process starts. */
  readonly settings: TracerSettings;
  /** The program's main thread has run its last code. */
  readonly onProgramEnd: () => void;
  /** A thread wants the buffers dumped, of one cpu or of all. */
  readonly onDump: (cpu: number | undefined) => void;
  /** Where texts of before fentry are read, in a process that it came to late. */
  readonly early?: Omit<EarlyOptions, 'share'>;
}

/** The process on the control thread: its threads, texts, tasks and instances, and what holds for all of them. */
export class TracedProcess implements InstanceProcess, ToldProcess {
  readonly high: number;
  readonly block: ControlBlock;
  readonly counter: BigInt64Array;
  readonly table: TextTable;
  readonly logs: TextLogs;
  readonly tracer: ProcessTracer;
  readonly threads: Threads;
  readonly contexts = new AsyncContexts();
  readonly cmdlines = new SavedCmdlines();
  /** All instances; the first is the top level. */
  readonly instances: ProcessInstance[] = [];
  readonly early: EarlyLoader | undefined;
  readonly onDump: ProcessOptions['onDump'];
  readonly onProgramEnd: () => void;
  /** Tells what could not be done of what was asked for. */
  warn: Warn = () => {};
  #firstLog: SharedArrayBuffer | undefined;
  #isStarted = false;

  constructor({ share, texts, high, tid, settings, onProgramEnd, onDump, early }: ProcessOptions) {
    this.high = high;
    this.block = new Int32Array(share.block);
    this.counter = clockCounter(share.block);
    this.table = new TextTable(high);
    this.logs = new TextLogs(this.block);
    this.#firstLog = texts;
    this.tracer = new ProcessTracer(this.table, settings, this.logs);
    this.onProgramEnd = onProgramEnd;
    this.onDump = onDump;
    const listener = {
      started: (thread: ThreadConnection) => this.#started(thread),
      told: (thread: ThreadConnection, event: ThreadEvent) => {
        this.tracer.takeTexts();
        takeEvent(this, thread, event);
      },
      ended: (thread: ThreadConnection) => this.#ended(thread),
    };
    this.threads = new Threads(share, tid, listener, early?.ownFolder);
    this.early =
      early && new EarlyLoader(new EarlyTexts({ share, ...early }), (thread, script) => this.#linkEarly(thread, script));
  }

  /** Connects to the threads that run already. What is to hold from their first functions on must be set before. */
  start(): void {
    this.#isStarted = true;
    this.#sayWhetherLinksWait();
    this.threads.start();
  }

  /**
   * Resolves when every thread has done what it was told.
   * @throws TraceError ETIMEDOUT when one is blocked: the change holds in the others, and there as soon as it runs again
   */
  async obeyed(): Promise<void> {
    if (this.#isStarted) this.#sayWhetherLinksWait();
    await allSettled(this.threads.living);
  }

  /** A task has a record: a thread of this process, or whoever wrote to trace_marker. */
  saw(pid: number, comm: string): void {
    if (this.cmdlines.get(pid) === comm) return;
    if (isThread(pid)) this.cmdlines.set(pid, comm);
    else this.cmdlines.setStranger(pid, comm);
  }

  setAsyncContext(on: boolean): void {
    this.contexts.setOn(on);
    for (const instance of this.instances) instance.taskPids.apply();
  }

  #started(thread: ThreadConnection): void {
    if (thread.cpu === 0 && this.#firstLog !== undefined) {
      this.logs.set(thread, this.#firstLog);
      this.#firstLog = undefined;
    }
    this.saw(thread.tid, commOfThread(thread.tid));
    for (const instance of this.instances) instance.threadStarted(thread);
    this.contexts.addThread(thread);
    this.tracer.addThread(thread);
  }

  #ended(thread: ThreadConnection): void {
    this.tracer.takeTexts();
    this.logs.delete(thread);
    this.tracer.removeThread(thread);
    this.contexts.removeThread(thread);
    for (const instance of this.instances) instance.threadEnded(thread);
  }

  #linkEarly(thread: ThreadConnection, { link, text }: LinkedScript): void {
    this.table.link(link);
    if (text !== undefined) this.tracer.linkEarly(thread, link, text);
  }

  /** Threads that link a text look at this word. */
  #sayWhetherLinksWait(): void {
    Atomics.store(this.block, WORD.LINK_WAITS, this.tracer.isOn ? 1 : 0);
    // What was written down before a thread could see that: from here on it says so.
    this.tracer.takeTexts();
  }
}
