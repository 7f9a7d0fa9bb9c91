import type { TracedThread } from '../../../arch/port.js';
import type { FunctionNames } from '../../../ftrace/function-match.js';
import type { FtraceOps } from '../../../ftrace/ops.js';

/**
 * One kind of those whom sites call: tracers, probes, services, subscribers. What all owners want is planned together
 * (ProcessTracer). To add a kind, give it an owner.
 */
export interface OpsOwner {
  /** Those that are on. */
  readonly ops: readonly FtraceOps[];
  /** Takes functions that were linked into its filters. */
  link(names: () => FunctionNames, linked: readonly number[]): void;
  /** Tells a thread that is new of all that there is; its patches follow by themselves. */
  addThread?(thread: TracedThread): void;
  removeThread?(thread: TracedThread): void;
}
