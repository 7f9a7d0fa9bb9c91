import type { FunctionNames } from '../../ftrace/function-match.js';
import { type FtraceOps, OPS_ID } from '../../ftrace/ops.js';
import type { TracedThread } from '../../port/port.js';
import { InstanceTracer, TOP_INSTANCE, type TracerSettings } from './instance-tracer.js';
import type { OpsOwner } from './ops-owner.js';

/** The tracers of all instances: one that traces functions has a separate ops id. */
export class InstanceTracers implements OpsOwner {
  readonly #threads: Iterable<TracedThread>;
  readonly #all = new Set<InstanceTracer>();
  #nextId: number = OPS_ID.FIRST_GIVEN;

  /** @param threads the living threads, which are told */
  constructor(threads: Iterable<TracedThread>) {
    this.#threads = threads;
  }

  get all(): Iterable<InstanceTracer> {
    return this.#all;
  }

  get ops(): readonly FtraceOps[] {
    return [...this.#all].map(({ ops }) => ops).filter(({ enabled }) => enabled);
  }

  add(instance: number, settings: TracerSettings): InstanceTracer {
    const tracer = new InstanceTracer(instance, settings);
    this.#all.add(tracer);
    return tracer;
  }

  /** Takes a tracer away that no site calls any more. */
  delete(tracer: InstanceTracer): void {
    this.#all.delete(tracer);
    for (const thread of this.#threads) thread.post({ type: 'removeInstance', instance: tracer.instance });
  }

  /** Changes the settings of a tracer; `tell` sends them to the threads. */
  configure(tracer: InstanceTracer, settings: TracerSettings): void {
    const starts = settings.tracer !== 'nop' && !tracer.ops.enabled;
    tracer.configure(settings, starts ? this.#newId(tracer) : tracer.ops.id);
  }

  /** Tells every thread how a tracer is now. */
  tell(tracer: InstanceTracer, measures = true): void {
    for (const thread of this.#threads) tracer.tell(thread, measures);
  }

  addThread(thread: TracedThread): void {
    for (const tracer of this.#all) if (tracer.concernsThreads) tracer.tell(thread);
  }

  link(names: () => FunctionNames, linked: readonly number[]): void {
    for (const tracer of this.#all) {
      if (!tracer.filters.hasWords) continue;
      const changed = tracer.filters.link(names(), linked);
      if (changed.length === 0) continue;
      tracer.takeFilters();
      if (changed.includes('graph') || changed.includes('graphNotrace')) this.tell(tracer);
    }
  }

  #newId({ instance }: InstanceTracer): number {
    return instance === TOP_INSTANCE ? OPS_ID.TRACER : this.#nextId++;
  }
}
