import type { FunctionFilter } from '../../ftrace/function-filter.js';
import type { FunctionNames } from '../../ftrace/function-match.js';
import { EMPTY_HASH } from '../../ftrace/hash.js';
import { createOps, type FtraceOps } from '../../ftrace/ops.js';
import { SERVICE_OPS, type ServiceKind } from '../../ftrace/tracers/services.js';
import type { TracedThread } from '../../port/port.js';
import { type OpsOwner, opsLinked } from './ops-owner.js';

/** A service as it runs on every thread. */
export interface ServiceRequest {
  /** The service's callback, as enabled_functions names it. */
  readonly name: string;
  /** FTRACE_OPS_FL bits. */
  readonly flags?: number;
  /** Absent: it has the top level's filter and notrace, as they come and go (the kernel's global_ops). */
  readonly filter?: FunctionFilter;
  readonly notrace?: FunctionFilter;
  /**
   * The configuration for each thread's service; it must be cloneable. A function returns it for the thread on a cpu, and is
   * called again when functions were linked or the top level's settings changed.
   */
  readonly config: unknown;
}

interface RunningService {
  readonly ops: FtraceOps;
  readonly config: unknown;
  readonly hasTopFilter: boolean;
}

/** The services that run on every thread (ftrace/tracers/services.ts), and their configurations. */
export class ProcessServices implements OpsOwner {
  readonly #threads: Iterable<TracedThread>;
  readonly #topFilters: () => Pick<FtraceOps, 'filter' | 'notrace'>;
  readonly #running = new Map<ServiceKind, RunningService>();

  /**
   * @param threads the living threads, which are told
   * @param topFilters the filters of the top level
   */
  constructor(threads: Iterable<TracedThread>, topFilters: () => Pick<FtraceOps, 'filter' | 'notrace'>) {
    this.#threads = threads;
    this.#topFilters = topFilters;
  }

  get ops(): readonly FtraceOps[] {
    const { filter, notrace } = this.#topFilters();
    return [...this.#running.values()].map(({ ops, hasTopFilter }) => (hasTopFilter ? { ...ops, filter, notrace } : ops));
  }

  get running(): readonly ServiceKind[] {
    return [...this.#running.keys()];
  }

  /** Adds a service, or replaces its configuration; `tell` sends it to the threads. */
  set(kind: ServiceKind, { name, flags, filter, notrace = EMPTY_HASH, config }: ServiceRequest): void {
    const ops = { ...createOps(SERVICE_OPS[kind], name, flags), filter: filter ?? EMPTY_HASH, notrace, enabled: true };
    this.#running.set(kind, { ops, config, hasTopFilter: filter === undefined });
  }

  delete(kind: ServiceKind): void {
    this.#running.delete(kind);
  }

  /** Tells every thread how a service is now: its configuration, or that it has ended. */
  tell(kind: ServiceKind): void {
    for (const thread of this.#threads) this.#tell(thread, kind);
  }

  /** Sends again the services whose configuration depends on the functions or on the top level's settings. */
  tellAnew(): void {
    for (const [kind, { config }] of this.#running) if (typeof config === 'function') this.tell(kind);
  }

  addThread(thread: TracedThread): void {
    for (const kind of this.#running.keys()) this.#tell(thread, kind);
  }

  link(names: () => FunctionNames, linked: readonly number[]): void {
    for (const [kind, service] of this.#running) {
      this.#running.set(kind, { ...service, ops: opsLinked(service.ops, names(), linked) });
    }
    this.tellAnew();
  }

  #tell(thread: TracedThread, kind: ServiceKind): void {
    const config = this.#running.get(kind)?.config;
    thread.post({ type: 'service', kind, config: typeof config === 'function' ? config(thread.cpu) : config });
  }
}
