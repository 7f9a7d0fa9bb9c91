import type { ReportSink } from '../report/report-options.js';
import { CallProfile, type ProfileOrder } from './call-profile.js';
import { ChromeTrace } from './chrome-trace.js';
import { FlameGraph } from './flame-graph.js';
import { functionFilter } from './function-filter.js';
import { TextOut } from './text-out.js';
import { walkCalls } from './walk-calls.js';

type Cpus = ReadonlySet<number> | undefined;

/** How the table of functions is shown. */
export interface ProfileOptions {
  readonly order: ProfileOrder;
  /** Words that say which functions have a row, as `set_ftrace_filter` takes them; all when left out. */
  readonly filter?: readonly string[];
}

/** The table of functions: total and own time, calls, how long one call takes. */
export function printProfile(path: string, cpus: Cpus, { order, filter }: ProfileOptions, sink: ReportSink): readonly string[] {
  const profile = new CallProfile();
  const warnings = walkCalls(path, cpus, profile);
  printLines(profile.lines(order, filter && functionFilter(filter)), sink);
  return warnings;
}

/** Stacks with their times, for flame graphs. */
export function printFlameGraph(path: string, cpus: Cpus, sink: ReportSink): readonly string[] {
  const graph = new FlameGraph();
  const warnings = walkCalls(path, cpus, graph);
  printLines(graph.lines(), sink);
  return warnings;
}

/** JSON for Perfetto and chrome://tracing. */
export function printChromeTrace(path: string, cpus: Cpus, sink: ReportSink): readonly string[] {
  const out = new TextOut(sink);
  const trace = new ChromeTrace(out);
  const warnings = walkCalls(path, cpus, trace);
  trace.finish();
  out.flush();
  return warnings;
}

function printLines(lines: Iterable<string>, sink: ReportSink): void {
  const out = new TextOut(sink);
  for (const line of lines) {
    if (out.isClosed) break;
    out.write(line);
  }
  out.flush();
}
