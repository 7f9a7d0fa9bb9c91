import type { Port, TaskPids, TracedThread } from '../../../arch/port.js';
import { ignoresPid, type PidFileName, type PidList } from '../../../core/pid-list.js';
import { PidLists } from '../../../core/pid-lists.js';
import type { InstanceTracer } from '../tracing/instance-tracer.js';
import type { ProcessTracer } from '../tracing/process-tracer.js';
import type { AsyncContexts } from './async-contexts.js';

/** The process's side of an instance's pid lists. */
export interface TaskFilters {
  readonly tracer: Pick<ProcessTracer, 'exclude' | 'filterTasks'>;
  readonly contexts: Pick<AsyncContexts, 'isOn' | 'setPids'>;
  readonly port: Pick<Port, 'sharesSites'>;
}

/** The pid lists of an instance; applies them to the threads or async contexts. */
export class InstancePids {
  readonly #process: TaskFilters;
  readonly #tracer: InstanceTracer;
  readonly #lists = new PidLists();

  constructor(process: TaskFilters, tracer: InstanceTracer) {
    this.#process = process;
    this.#tracer = tracer;
  }

  get(name: PidFileName): PidList {
    return this.#lists.get(name);
  }

  set(name: PidFileName, list: PidList): void {
    this.#lists.set(name, list);
    this.apply();
  }

  /** Whether a thread's events are left out (trace_event_ignore_this_pid): set_event_pid lists others, or the notrace list has it. */
  ignoresEvents(tid: number): boolean {
    return ignoresPid(this.#lists.get('set_event_pid'), this.#lists.get('set_event_notrace_pid'), tid);
  }

  /** What the threads told of their tasks. */
  took({ pids, notrace }: TaskPids): void {
    this.#lists.set('set_ftrace_pid', pids && new Set(pids));
    this.#lists.set('set_ftrace_notrace_pid', notrace && new Set(notrace));
  }

  /** A thread started: with function-fork it is in the lists of the thread that started it. */
  threadStarted(thread: TracedThread): void {
    if (this.#lists.forked(thread.parent, thread.tid, this.#tracer.settings.options).length > 0) this.apply();
  }

  threadEnded(thread: TracedThread): void {
    if (this.#lists.exited(thread.tid, this.#tracer.settings.options).length > 0) this.apply();
  }

  /** Applies the lists to the threads. Those with sites of their own that are not listed get no patches of this instance. */
  apply(): void {
    const { contexts, port, tracer } = this.#process;
    const pids = this.#lists.get('set_ftrace_pid');
    const notrace = this.#lists.get('set_ftrace_notrace_pid');
    const asks = pids !== undefined || notrace !== undefined;
    // Sites that several threads run cannot leave one of them out: it looks at the lists itself, as for tasks that are no threads.
    const byTask = contexts.isOn || port.sharesSites;
    const excludes = asks && !byTask ? (tid: number) => ignoresPid(pids, notrace, tid) : undefined;
    tracer.exclude(this.#tracer, excludes);
    const follow = this.#tracer.settings.options['function-fork'];
    const lists = { pids: pids && [...pids], notrace: notrace && [...notrace], follow };
    tracer.filterTasks(this.#tracer, contexts.setPids(this.#tracer.instance, asks && byTask ? lists : undefined));
  }
}
