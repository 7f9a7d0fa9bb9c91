/** The beginning of README, a short how-to of the files: those that every process has. The lines of features follow. */
export const README = `tracing mini-HOWTO of fentry: ftrace for the functions of this Node.js process

# echo 0 > tracing_on : quick way to disable tracing
# echo 1 > tracing_on : quick way to re-enable tracing

  trace                - the static contents of the buffers; to clear them: echo > trace
  trace_pipe           - a consuming read: waits for more, and what it shows is gone from the buffers
  current_tracer       - function and function_graph tracers; nop is none
  available_tracers    - the tracers that there are
  trace_clock          - the clock of the records' times: local, global, perf, mono, boot: the same, in nanoseconds
                         counter: one more with each record    uptime: hundredths of a second
  tracing_thresh       - microseconds that a function must take to be shown by function_graph, or a latency to be kept
  tracing_max_latency  - microseconds of the longest latency that irqsoff, preemptoff, wakeup or hwlat found; echo 0 to begin anew
  max_graph_depth      - how deep function_graph looks into nested calls; 0 is no limit

  set_ftrace_filter    - echo function name in here to trace only these
      names, globs (handle*, *Error, h?ndle[AB]), :mod:PACKAGE, and ! before a word to take it out again
      example: echo 'handle*:mod:express' > set_ftrace_filter
      a number N is the Nth function of available_filter_functions
      FUNCTION:COMMAND[:COUNT] - what to do when the function is called: traceon traceoff snapshot stacktrace dump cpudump
      example: echo 'handleError:traceoff' > set_ftrace_filter
      ! before it takes it back, of those with a count when it has one
  set_ftrace_notrace   - functions that are not traced, whatever set_ftrace_filter says
  set_ftrace_pid       - trace only these tasks: threads, or async contexts with the option async-context
  set_ftrace_notrace_pid - do not trace these
  set_graph_function   - function_graph shows these functions and what they call
  set_graph_notrace    - function_graph leaves these functions out, and what they call
  available_filter_functions       - the functions that can be traced, [package] after those that are not the application's
  available_filter_functions_addrs - the same, with their addresses
  function_places      - the same, with the file, line and column of each in its author's source
  functions_without_sites          - the functions that cannot be traced, and why
  enabled_functions    - the functions that are traced now, and by how many
  touched_functions    - the functions that were ever traced
  dyn_ftrace_total_info - how many functions there are
  kallsyms             - every address and its name
  kallsyms_places      - the file, line and column of each of them, and of addresses in stacks

  trace_clock_source   - what the clocks in nanoseconds are read from: the processor's counter, or CLOCK_MONOTONIC and why
  trace_options        - how the trace is recorded and shown; options/ has a file for each
  buffer_size_kb       - size of each thread's buffer; per_cpu/cpuN/buffer_size_kb for one
  buffer_total_size_kb - of all together
  per_cpu/cpuN/        - one directory a JavaScript thread: 0 is the main thread
      trace, trace_pipe, stats, buffer_size_kb
      trace_pipe_raw   - the buffer's pages as they are
  buffer_percent       - how full a buffer must be to wake who polls per_cpu/cpuN/trace_pipe_raw
  free_buffer          - closing this file frees the buffers
  trace_marker         - writes into this file are written into the buffer
  trace_marker_raw     - the same for binary data: an id of four bytes, and the data
  saved_cmdlines       - names of the tasks by pid; saved_cmdlines_size is how many there is room for
  error_log            - the last commands that were refused, and why
  available_events     - the events that can be enabled
  set_event            - echo SYSTEM:EVENT in here to enable events, !SYSTEM:EVENT to disable them; * is all
  set_event_pid        - only these threads' events; set_event_notrace_pid: not these
  events/              - a directory for each system, and in it one for each event
      enable           - 1 or 0: of an event, of a system, of all
      filter           - an event is recorded only if this is true: FIELD == NUMBER && FIELD ~ "GLOB"
      format, id       - how its records lie in memory
      trigger          - what else the event does: TRIGGER[:COUNT] [if FILTER]; cat shows the triggers that there are
      hist             - what its hist triggers have counted
      hist:keys=<field>[,<field>][:values=<field>][:<var1>=<field|var_ref|numeric_literal>][:sort=<field>][:size=#entries]
           [:pause][:continue][:clear][:name=NAME][:<handler>.<action>] [if FILTER]
      handlers: onmatch(system.event), onmax(var), onchange(var)
      actions:  trace(<synthetic_event>,param list), <synthetic_event>(param list), save(field,...), snapshot()
  ftrace_dump_on_oops  - 1: an error that ends the program dumps the buffers to stderr
  traceoff_on_warning  - 1: a warning of the program's turns tracing off
  max_text_size        - most characters of a recorded text; 0: 3072 in events, 40 in arguments and results
  tracepoint_printk    - 1: events are printed on stderr, too; only in a program that was started with tp_printk
`;
