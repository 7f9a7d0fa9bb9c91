import { ignoresPid, PID_FILES, type PidFileName, type PidList, pidText, writePids } from '../../ftrace/pid-list.js';
import { PidLists } from '../../ftrace/pid-lists.js';
import type { Port, TaskPids, TracedThread, TracedThreads } from '../../port/port.js';
import type { InstanceTracer } from '../ftrace/instance-tracer.js';
import type { ProcessTracer } from '../ftrace/process-tracer.js';
import type { AsyncContexts, Listed } from '../tasks/async-contexts.js';
import type { TraceFile } from '../tracefs/node.js';
import { textFile } from '../tracefs/text-file.js';

/** The process's side of an instance's pid lists. */
export interface TaskFilters {
  readonly tracer: Pick<ProcessTracer, 'exclude' | 'filterTasks'>;
  readonly contexts: Pick<AsyncContexts, 'isOn' | 'setPids' | 'ask'>;
  readonly threads: Pick<TracedThreads, 'look'>;
  readonly port: Pick<Port, 'sharesSites' | 'hasOwnSites'>;
  /** Resolves when every thread has done what it was told. */
  obeyed(): Promise<void>;
}

const FILES = {
  functions: ['set_ftrace_pid', 'set_ftrace_notrace_pid'],
  events: ['set_event_pid', 'set_event_notrace_pid'],
} as const satisfies Record<Listed, readonly PidFileName[]>;

/** The pid lists of an instance; applies them to the threads or async contexts. */
export class InstancePids {
  readonly #process: TaskFilters;
  readonly #tracer: InstanceTracer;
  readonly #applied: () => void;
  readonly #lists = new PidLists();
  #eventBit = 0;

  /** @param applied tells the threads whose events the instance records now */
  constructor(process: TaskFilters, tracer: InstanceTracer, applied: () => void) {
    this.#process = process;
    this.#applied = applied;
    this.#tracer = tracer;
  }

  /** The present tasks of a pid file, with those that the option function-fork or event-fork added. */
  get(name: PidFileName): PidList {
    this.#process.threads.look();
    return this.#lists.get(name);
  }

  set(name: PidFileName, list: PidList): Promise<void> {
    this.#lists.set(name, list);
    this.apply();
    return this.#process.obeyed();
  }

  /** Updates the lists if the threads themselves keep them: with the option async-context. */
  async look(): Promise<void> {
    if (!this.#process.contexts.isOn) return;
    this.#process.contexts.ask();
    // A blocked thread has not answered, but its tasks do not change either.
    await this.#process.obeyed().catch(() => {});
  }

  /**
   * Whether a thread's events are left out (trace_event_ignore_this_pid): set_event_pid lists others, or the notrace list has it.
   */
  ignoresEvents(tid: number): boolean {
    if (this.#process.contexts.isOn) return false;
    return ignoresPid(this.#lists.get('set_event_pid'), this.#lists.get('set_event_notrace_pid'), tid);
  }

  /** The bit by which events learn whether the context that runs is left out; 0: none is. */
  get eventBit(): number {
    return this.#eventBit;
  }

  /** What the threads told of their tasks. */
  took(listed: Listed, { pids, notrace }: TaskPids): void {
    const [file, notraceFile] = FILES[listed];
    this.#lists.set(file, pids && new Set(pids));
    this.#lists.set(notraceFile, notrace && new Set(notrace));
  }

  /** A thread started: with function-fork it is in the lists of the thread that started it. */
  threadStarted(thread: TracedThread): void {
    if (this.#lists.forked(thread.parent, thread.tid, this.#tracer.settings.options).length > 0) this.#exclude();
  }

  threadEnded(thread: TracedThread): void {
    if (this.#lists.exited(thread.tid, this.#tracer.settings.options).length > 0) this.#exclude();
    this.#applied();
  }

  /** Applies the lists: they have changed, or what tasks are, or whether they are followed. */
  apply(): void {
    this.#exclude();
    this.#applied();
  }

  /** Threads with sites of their own that are not listed get no patches of this instance. */
  #exclude(): void {
    const { contexts, port, tracer } = this.#process;
    const { instance, settings } = this.#tracer;
    const pids = this.#lists.get('set_ftrace_pid');
    const notrace = this.#lists.get('set_ftrace_notrace_pid');
    const asks = pids !== undefined || notrace !== undefined;
    // Sites that several threads run cannot leave one of them out: it looks at the lists itself, as for tasks that are no
    // threads.
    const byTask = contexts.isOn || port.sharesSites;
    const haveOwn = !contexts.isOn && (!port.sharesSites || port.hasOwnSites !== undefined);
    const excludes =
      asks && haveOwn ? (tid: number) => port.hasOwnSites?.(tid) !== false && ignoresPid(pids, notrace, tid) : undefined;
    tracer.exclude(this.#tracer, excludes);
    const functions = byTask ? this.#taskPids('functions', settings.options['function-fork']) : undefined;
    tracer.filterTasks(this.#tracer, contexts.setPids(instance, 'functions', functions));
    const events = contexts.isOn ? this.#taskPids('events', settings.options['event-fork']) : undefined;
    this.#eventBit = contexts.setPids(instance, 'events', events);
  }

  /** The lists as threads keep them; undefined: there are none. */
  #taskPids(listed: Listed, follow: boolean): TaskPids | undefined {
    const [pids, notrace] = FILES[listed].map((name) => this.#lists.get(name));
    if (pids === undefined && notrace === undefined) return undefined;
    return { pids: pids && [...pids], notrace: notrace && [...notrace], follow };
  }
}

/** set_ftrace_pid and the similar files: tasks by number; each write takes effect separately (pid_write, event_pid_write). */
function pidFile(pids: InstancePids, name: PidFileName): TraceFile {
  const file = textFile({
    mode: 0o640,
    show: () => pidText(pids.get(name), name),
    store: (text) => pids.set(name, writePids(pids.get(name), text)),
    truncate: () => pids.set(name, undefined),
  });
  return {
    ...file,
    async open(flags, caller) {
      await pids.look();
      return file.open(flags, caller);
    },
  };
}

/** The pid files of an instance, by name. */
export const pidFiles = (pids: InstancePids): Readonly<Record<PidFileName, TraceFile>> =>
  Object.fromEntries((Object.keys(PID_FILES) as PidFileName[]).map((name) => [name, pidFile(pids, name)])) as Record<
    PidFileName,
    TraceFile
  >;
