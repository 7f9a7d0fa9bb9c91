import type { EventRequest } from '../events/event-request.js';
import type { ProcessIdentity } from '../recording/process-identity.js';

/** The settings in the environment variable FENTRY, with the names of the kernel's command line and some additional ones. */
export interface Parameters {
  readonly ftrace?: string;
  readonly ftrace_filter?: readonly string[];
  readonly ftrace_notrace?: readonly string[];
  readonly ftrace_graph_filter?: readonly string[];
  readonly ftrace_graph_notrace?: readonly string[];
  readonly ftrace_graph_max_depth?: number;
  readonly max_text_size?: number;
  /** Bytes of each thread's ring buffer. */
  readonly trace_buf_size?: number;
  readonly trace_options?: readonly string[];
  /** Microseconds. */
  readonly tracing_thresh?: number;
  readonly trace_clock?: string;
  /** Which buffers are dumped when an error ends the program, and to which file; without one, to stderr. */
  readonly ftrace_dump_on_oops?: DumpOnOops;
  readonly traceoff_on_warning?: boolean;
  /** Events are printed on stderr, too. */
  readonly tp_printk?: boolean;
  /** Instances to make, and what is asked of their events. */
  readonly trace_instance?: readonly BootInstance[];
  /** Events to switch on, those that are declared later too. */
  readonly trace_event?: readonly EventRequest[];
  readonly trace_trigger?: readonly EventRequest[];
  /** Lines for kprobe_events, whose events are then enabled. */
  readonly kprobe_event?: readonly string[];
  /** Folder with a script, which the first process that finds it there runs: fentry bpftrace -c and fentry stap -c. */
  readonly script?: string;
  readonly alloc_snapshot?: boolean;
  readonly stacktrace?: boolean;
  /** answers/slow_ms */
  readonly slow_ms?: number;
  /** livepatch/follow */
  readonly livepatch_follow?: string;
  readonly stacktrace_filter?: readonly string[];
  /** The machine code of the process is traced, too. */
  readonly native?: boolean;
  /** Packages to instrument; `app` is the application's own. */
  readonly instrument?: readonly string[];
  /** Packages whose functions also get sites at statements. */
  readonly statement_sites?: readonly string[];
  /** The code of modules outside of functions is a function, too. */
  readonly module_sites?: boolean;
  /** Who makes each timer, server, socket is kept. */
  readonly handles?: boolean;
  /** Folder that the control thread writes the trace to; in FENTRY a file: URL if the path has blanks. */
  readonly record?: string;
  /** The events that are recorded there. */
  readonly record_events?: readonly EventRequest[];
  /** Bytes of events that the folder may hold; 0: no limit. */
  readonly record_size?: number;
  /** Bytes of events that it may hold of each thread. */
  readonly record_cpu_size?: number;
  /** The process that reads the folder: when it has ended, recording and counting end. */
  readonly recorder?: ProcessIdentity;
  /** Folder that the control thread writes counts to. */
  readonly stat?: string;
  /** The events and the functions that are counted. */
  readonly stat_events?: readonly EventRequest[];
  readonly stat_functions?: readonly string[];
}

/** An instance that is there from the start. */
export interface BootInstance {
  readonly name: string;
  readonly events: readonly EventRequest[];
}

/** The value of ftrace_dump_on_oops. */
export interface DumpOnOops {
  /** Only the buffer of the thread that died. */
  readonly isOrigCpu: boolean;
  /** Path; `%p` in it is the process's id. */
  readonly file?: string;
}

/** Whether the parameters ask for tracing from the first module on. */
export const tracesFromStart = (parameters: Parameters): boolean =>
  (parameters.ftrace !== undefined && parameters.ftrace !== 'nop') ||
  parameters.kprobe_event !== undefined ||
  parameters.script !== undefined ||
  parameters.livepatch_follow !== undefined ||
  parameters.stat_functions !== undefined ||
  asksForEvents(parameters);

/** Whether something is asked of events, which may be declared later. */
export const asksForEvents = (parameters: Parameters): boolean => {
  const { trace_event, trace_trigger, record_events, stat_events, trace_instance = [] } = parameters;
  const asked = [trace_event, trace_trigger, record_events, stat_events, ...trace_instance.map(({ events }) => events)];
  return asked.some((requests = []) => requests.length > 0);
};

/**
 * The folder of files that are complete only when the control thread has written the last of them; undefined if there is none.
 */
export const folderOf = ({ record, stat }: Parameters): string | undefined => record ?? stat;

/** Whether the end of the program waits for the control thread, because someone reads what it has written last. */
export const endsWithControl = (parameters: Parameters): boolean =>
  folderOf(parameters) !== undefined || parameters.script !== undefined;

/** Whether the control thread hears signals that end the process: something is completed before they do. */
export const hearsSignals = ({ record, script }: Parameters): boolean => record !== undefined || script !== undefined;
