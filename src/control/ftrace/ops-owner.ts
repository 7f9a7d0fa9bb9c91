import { type FunctionFilter, filterLinked } from '../../ftrace/function-filter.js';
import type { FunctionNames } from '../../ftrace/function-match.js';
import type { FtraceOps } from '../../ftrace/ops.js';
import type { TracedThread } from '../../port/port.js';

/**
 * One kind of subscribers that sites call: tracers, probes, services, the program's subscribers. ProcessTracer plans the ops of
 * all owners together. To add a kind, write an owner for it.
 */
export interface OpsOwner {
  /** The ops that are on. */
  readonly ops: readonly FtraceOps[];
  /** Adds functions that were linked to its filters. */
  link(names: () => FunctionNames, linked: readonly number[]): void;
  /** Tells a new thread about everything; its patches are sent separately. */
  addThread?(thread: TracedThread): void;
  removeThread?(thread: TracedThread): void;
}

/** Updates an ops after functions were linked: adds those that its words name to its filters. */
export const opsLinked = (ops: FtraceOps, names: FunctionNames, linked: readonly number[]): FtraceOps => ({
  ...ops,
  filter: filterLinked(ops.filter as FunctionFilter, names, linked),
  notrace: filterLinked(ops.notrace as FunctionFilter, names, linked),
});
