import { type EntryFunction, IGNORED, type ParentsWanted } from './entry.js';
import type { ThreadTrace, TraceOutput } from './thread-trace.js';

/** Whether the output's instance does not trace the running task. */
export const isIgnored = (ctx: ThreadTrace, { config }: TraceOutput): boolean => (ctx.ignored & config.ignoredBit) !== 0;

/** An entry that runs only if the output's instance traces the running task. */
export const filteredByTask =
  (ctx: ThreadTrace, output: TraceOutput, entry: EntryFunction): EntryFunction =>
  (n, depth, self, args) =>
    isIgnored(ctx, output) ? IGNORED : entry(n, depth, self, args);

/** Wants parents only while such a task runs. */
export const parentsByTask = (ctx: ThreadTrace, output: TraceOutput): ParentsWanted => ({
  config: {
    get parents() {
      return output.config.parents && !isIgnored(ctx, output);
    },
  },
});
