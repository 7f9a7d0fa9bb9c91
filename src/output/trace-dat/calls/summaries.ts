import type { ReportSink } from '../report/report-options.js';
import { CallProfile, type ProfileOrder } from './call-profile.js';
import { ChromeTrace } from './chrome-trace.js';
import { FlameGraph } from './flame-graph.js';
import { TextOut } from './text-out.js';
import { walkCalls } from './walk-calls.js';

type Cpus = ReadonlySet<number> | undefined;

/** The table of functions: total and own time, calls. */
export function printProfile(path: string, cpus: Cpus, order: ProfileOrder, sink: ReportSink): readonly string[] {
  const profile = new CallProfile();
  const warnings = walkCalls(path, cpus, profile);
  printLines(profile.lines(order), sink);
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
