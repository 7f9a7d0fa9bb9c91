import type { OptionFlags } from '../core/options.js';
import type { SymbolTable } from '../core/symbols.js';
import type { EventFormat } from '../events/define.js';
import type { EventsById } from '../events/registry.js';
import { type TracerName, tracerNamed } from '../tracers/tracers.js';

/** How to print a trace, with the data that are not in the records. It does not change while a file is open. */
export interface TraceView {
  readonly tracer: TracerName;
  /** Calls print as a graph that has a column with the time since timeStart: display-graph of the latency tracers. */
  readonly relativeTime?: boolean;
  /** Flags that every record has, though those of the graph do not carry them: the latency tracers'. */
  readonly flags?: number;
  readonly options: OptionFlags;
  readonly symbols: SymbolTable;
  /** The events that the records are of. */
  readonly events: EventsById<EventFormat>;
  /** The comm of a task, or undefined if it was never recorded: then it is printed as `<...>`. */
  comm(pid: number): string | undefined;
  /** The thread group of a task, for record-tgid. */
  tgid(pid: number): number | undefined;
  /** The number of cpus; sets the width of the graph's CPU column. */
  readonly cpus: number;
  /** False for a clock that counts something else than nanoseconds. */
  readonly clockInNs: boolean;
  /** Start of the times in the latency format: when the buffer was last cleared. */
  readonly timeStart: number;
}

/** Whether calls are printed as a graph, under the graph's header. */
export const isGraph = (view: TraceView): boolean => tracerNamed(view.tracer).prints === 'graph' || view.relativeTime === true;

/** What trace_find_cmdline prints for a task. */
export function commOf(view: TraceView, pid: number): string {
  if (pid === 0) return '<idle>';
  return view.comm(pid) ?? '<...>';
}
