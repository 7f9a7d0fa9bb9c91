import type { EventFormat } from '../events/define.js';
import type { Events } from '../events/registry.js';
import type { OptionFlags } from '../ftrace/options.js';
import { type TracerName, tracerNamed } from '../ftrace/tracers/tracers.js';
import type { Dialect } from './dialect.js';
import type { SymbolStyle, SymbolTexts } from './symbol-printer.js';

/** How to print a trace, with the data that are not in the records. It does not change while a file is open. */
export interface TraceView {
  readonly dialect: Dialect;
  readonly tracer: TracerName;
  /** Calls print as a graph that has a column with the time since timeStart: display-graph of the latency tracers. */
  readonly relativeTime?: boolean;
  /** Flags that every record has, though those of the graph do not carry them: the latency tracers'. */
  readonly flags?: number;
  readonly options: OptionFlags;
  /** The texts of addresses in a style. */
  symbols(style: SymbolStyle): SymbolTexts;
  /** The texts of addresses in stacks, where they differ from those elsewhere. */
  stackSymbols?(style: SymbolStyle): SymbolTexts;
  /** The events that the records are of. */
  readonly events: Events<EventFormat>;
  /** Whether fentry's arguments and results stand behind the kernel's fields, and are printed. */
  readonly hasAppended: boolean;
  /**
   * Whether there is any beginning of a call. With tracing_thresh there is none, and a brace alone would not say what took so
   * long: each then has the function's name. Asked only when an end comes before every beginning; left out where that makes no
   * difference.
   */
  hasBeginnings?(): boolean;
  /** Whether functions are indented below their callers; as is not with the kernel. */
  readonly isIndented?: boolean;
  /** Whether each line of the graph ends with its depth; as it does not with the kernel. */
  readonly hasDepths?: boolean;
  /** Texts of trace_puts() by address, in hex. */
  readonly printkFormats?: ReadonlyMap<string, string>;
  /** The comm of a task, or undefined if it was never recorded: then it is printed as `<...>`. */
  comm(pid: number): string | undefined;
  /** The thread group of a task, for record-tgid. */
  tgid(pid: number): number | undefined;
  /** The number of cpus; sets the width of the graph's CPU column. */
  readonly cpus: number;
  /** False for a clock that counts something else than nanoseconds. */
  readonly clockInNs: boolean;
  /** Digits of a time after the dot (6). */
  readonly timeDigits?: 6 | 9;
  /** Seconds that are added to the records' times. */
  readonly timeOrigin?: number;
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
