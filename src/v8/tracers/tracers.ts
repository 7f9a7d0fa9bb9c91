import type { TracerConfig } from '../../ftrace/tracers/tracer-config.js';
import type { LatencyTracerName, TracerName } from '../../ftrace/tracers/tracers.js';
import { createTrampolines, type EntryFunction, IGNORED, type ParentsWanted, type Trampolines } from './entry.js';
import type { FunctionTracer } from './function.js';
import type { FunctionGraph } from './function-graph.js';
import { filteredByTask, parentsByTask } from './task-filter.js';
import type { ThreadTrace } from './thread-trace.js';

/** A tracer as ops 0 uses it under one configuration. */
export interface ChosenTracer {
  readonly entry: EntryFunction;
  readonly trampolines: Trampolines;
}

interface TracerVariants {
  /** The tracer without arguments, parents, stack traces, and every repeat recorded. */
  readonly plain: ChosenTracer;
  /** The tracer with any of them. */
  readonly full: ChosenTracer;
  /** The tracer for chosen tasks only. */
  readonly filtered: ChosenTracer;
}

/** Options that take time need a trampoline that has them; the one without them handles everything else. */
const isPlain = ({ args, parents, stacks, noRepeats }: TracerConfig): boolean => !(args || parents || stacks || noRepeats);

/** The registry of tracers: which trampolines serve a configuration. */
export function createTracerTrampolines(
  ctx: ThreadTrace,
  functionTracer: FunctionTracer,
  graph: FunctionGraph,
  latency: (name: LatencyTracerName) => EntryFunction,
): { choose(config: TracerConfig): ChosenTracer } {
  const variants = (entry: EntryFunction, enter?: (n: number) => number, asking?: ParentsWanted): TracerVariants => {
    const full = { entry, trampolines: createTrampolines(ctx, entry, asking) };
    const ofTasks = filteredByTask(ctx, ctx, entry);
    const filtered = { entry: ofTasks, trampolines: createTrampolines(ctx, ofTasks, asking && parentsByTask(ctx, ctx)) };
    if (enter === undefined) return { plain: full, full, filtered };
    return { plain: { entry, trampolines: { ...full.trampolines, sync: enter } }, full, filtered };
  };
  const table: Record<TracerName, TracerVariants> = {
    nop: variants(() => IGNORED),
    hwlat: variants(() => IGNORED),
    wakeup_dl: variants(latency('wakeup_dl'), undefined, ctx),
    wakeup_rt: variants(latency('wakeup_rt'), undefined, ctx),
    wakeup: variants(latency('wakeup'), undefined, ctx),
    preemptirqsoff: variants(latency('preemptirqsoff'), undefined, ctx),
    preemptoff: variants(latency('preemptoff'), undefined, ctx),
    irqsoff: variants(latency('irqsoff'), undefined, ctx),
    function: variants(functionTracer.entryOf(ctx), functionTracer.enter, ctx),
    function_graph: variants(graph.entry, graph.enter),
  };
  return {
    choose: (config) => table[config.tracer][config.ignoredBit !== 0 ? 'filtered' : isPlain(config) ? 'plain' : 'full'],
  };
}
