import { type FunctionFilter, filterLinked } from '../../../ftrace/function-filter.js';
import type { FunctionNames } from '../../../ftrace/function-match.js';
import type { FtraceOps } from '../../../ftrace/ops.js';

/** Updates an ops after functions were linked: adds those that its words name to its filters. */
export const opsLinked = (ops: FtraceOps, names: FunctionNames, linked: readonly number[]): FtraceOps => ({
  ...ops,
  filter: filterLinked(ops.filter as FunctionFilter, names, linked),
  notrace: filterLinked(ops.notrace as FunctionFilter, names, linked),
});
