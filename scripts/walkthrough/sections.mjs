/**
 * The sections of the kernel's Documentation/trace/ftrace.rst that have a meaning for a Node process, in its order, with its
 * commands. Only the names of functions and the pids are the shop's (examples/shop). `shows` must match the output, or the walk
 * fails; `lines` is how many lines of the output the page shows. `$PID` is the shop's process, in `run` only.
 */

const anything = /^/;

export const SECTIONS = [
  {
    title: 'The File System',
    says: 'A shell in the tracing directory: `fentry exec -- sh`, or `fentry mount DIR` and `cd DIR`.',
    steps: [
      { run: 'ls', shows: /available_tracers\n[\s\S]*current_tracer\n[\s\S]*tracing_on\n/, lines: 100 },
      { run: 'cat available_tracers', shows: /function_graph [\s\S]*function nop\n$/ },
      { run: 'cat current_tracer', shows: /^nop\n$/ },
    ],
  },
  {
    title: 'Error conditions',
    says: 'error_log says why a write was refused, with a caret under the wrong word.',
    steps: [
      { run: 'echo xxx > options/nosuchoption', shows: /nosuchoption/ },
      { run: 'echo xxx > trace_options', shows: /Invalid argument/ },
      { run: "echo 'p:probe nosuchfunction' > kprobe_events", shows: /write error/ },
      { run: 'cat error_log', shows: /error: [\s\S]*\^/ },
      { run: 'echo > error_log', shows: /^$/ },
      { run: 'cat error_log', shows: /^$/ },
    ],
  },
  {
    title: 'Output format',
    steps: [
      { run: 'echo function > current_tracer', shows: /^$/ },
      { run: 'sleep 0.3; echo 0 > tracing_on', shows: /^$/ },
      { run: 'cat trace', shows: /# tracer: function\n[\s\S]*TASK-PID[\s\S]*<-/, lines: 22 },
    ],
  },
  {
    title: 'Latency trace format',
    steps: [
      { run: 'echo 1 > options/latency-format', shows: /^$/ },
      { run: 'cat trace', shows: /latency trace v1\.1\.5[\s\S]*CPU#[\s\S]*# {2}cmd/, lines: 22 },
      { run: 'echo 0 > options/latency-format; echo nop > current_tracer; echo 1 > tracing_on', shows: /^$/ },
    ],
  },
  {
    title: 'trace_options',
    steps: [
      { run: 'cat trace_options', shows: /^print-parent\nnosym-offset\n/, lines: 40 },
      { run: 'echo noprint-parent > trace_options', shows: /^$/ },
      { run: 'echo 1 > options/sym-addr', shows: /^$/ },
      { run: 'head -2 trace_options; cat options/sym-addr', shows: /^noprint-parent\nnosym-offset\n1\n$/ },
      { run: 'echo print-parent > trace_options; echo 0 > options/sym-addr', shows: /^$/ },
    ],
  },
  {
    title: 'irqsoff',
    says: 'The longest time in which the event loop could serve nothing else.',
    steps: [
      { run: 'echo 0 > options/function-trace', shows: /^$/ },
      { run: 'echo irqsoff > current_tracer', shows: /^$/ },
      { run: 'echo 1 > tracing_on', shows: /^$/ },
      { run: 'echo 0 > tracing_max_latency', shows: /^$/ },
      { run: 'ls -ltr > /dev/null; sleep 1', shows: /^$/ },
      { run: 'echo 0 > tracing_on', shows: /^$/ },
      { run: 'cat trace', shows: /# tracer: irqsoff\n[\s\S]*# latency: [1-9]\d* us/, lines: 24 },
      { run: 'cat tracing_max_latency', shows: /^[1-9]\d*\n$/ },
      {
        run: 'echo 1 > options/function-trace; echo 0 > tracing_max_latency; echo 1 > tracing_on; sleep 1; echo 0 > tracing_on',
        shows: /^$/,
      },
      { run: 'cat trace', shows: /# tracer: irqsoff\n[\s\S]*# latency: [1-9]\d* us[\s\S]*<-/, lines: 30 },
      { run: 'echo nop > current_tracer; echo 1 > tracing_on', shows: /^$/ },
    ],
  },
  {
    title: 'wakeup',
    says: 'The longest time that a ready timer, promise reaction or immediate waited until it ran.',
    steps: [
      { run: 'echo 0 > options/function-trace', shows: /^$/ },
      { run: 'echo wakeup > current_tracer', shows: /^$/ },
      { run: 'echo 1 > tracing_on', shows: /^$/ },
      { run: 'echo 0 > tracing_max_latency; sleep 1', shows: /^$/ },
      { run: 'echo 0 > tracing_on', shows: /^$/ },
      { run: 'cat trace', shows: /# tracer: wakeup\n[\s\S]*# latency: [1-9]\d* us/, lines: 24 },
      { run: 'echo nop > current_tracer; echo 1 > options/function-trace; echo 1 > tracing_on', shows: /^$/ },
    ],
  },
  {
    title: 'wakeup_rt',
    says: 'The same for callbacks that run before all others: timers, nextTicks and the reactions of promises.',
    steps: [
      { run: 'echo 0 > options/function-trace', shows: /^$/ },
      { run: 'echo wakeup_rt > current_tracer', shows: /^$/ },
      { run: 'echo 1 > tracing_on', shows: /^$/ },
      { run: 'echo 0 > tracing_max_latency; sleep 1', shows: /^$/ },
      { run: 'echo 0 > tracing_on', shows: /^$/ },
      { run: 'cat trace', shows: /# tracer: wakeup_rt\n[\s\S]*# latency: [1-9]\d* us/, lines: 24 },
      { run: 'echo nop > current_tracer; echo 1 > options/function-trace; echo 1 > tracing_on', shows: /^$/ },
    ],
  },
  {
    title: 'Hardware Latency Detector',
    steps: [
      { run: 'echo hwlat > current_tracer', shows: /^$/ },
      { run: 'sleep 3', shows: /^$/ },
      { run: 'cat trace', shows: /# tracer: hwlat/, lines: 20 },
      { run: 'cat hwlat_detector/width hwlat_detector/window', shows: /^\d+\n\d+\n$/ },
      { run: 'echo nop > current_tracer', shows: /^$/ },
    ],
  },
  {
    title: 'function',
    steps: [
      { run: 'echo function > current_tracer', shows: /^$/ },
      { run: 'echo 1 > tracing_on', shows: /^$/ },
      { run: 'sleep 0.5', shows: /^$/ },
      { run: 'echo 0 > tracing_on', shows: /^$/ },
      { run: 'cat trace', shows: /# tracer: function\n[\s\S]*<-/, lines: 16 },
    ],
  },
  {
    title: 'Single thread tracing',
    steps: [
      { run: 'echo nop > current_tracer; echo 1 > tracing_on', shows: /^$/ },
      { run: 'cat set_ftrace_pid', shows: /^no pid\n$/ },
      { run: 'echo $PID > set_ftrace_pid', shows: /^$/ },
      { run: 'cat set_ftrace_pid', shows: /^\d+\n$/ },
      { run: 'echo function > current_tracer', shows: /^$/ },
      { run: 'sleep 0.2; cat trace | head -16', shows: /<-/ },
      { run: 'echo > set_ftrace_pid', shows: /^$/ },
      { run: 'cat trace | head -16', shows: /<-/ },
    ],
  },
  {
    title: 'function graph tracer',
    steps: [
      { run: 'echo function_graph > current_tracer; sleep 0.2; echo 0 > tracing_on', shows: /^$/ },
      { run: 'cat trace', shows: /# CPU {2}DURATION {18}FUNCTION CALLS\n[\s\S]* us {3}\| [\s\S]*\}/, lines: 30 },
      { run: 'echo nofuncgraph-cpu > trace_options; cat trace', shows: /# {2}DURATION/, lines: 12 },
      {
        run: 'echo funcgraph-cpu > trace_options; echo nofuncgraph-duration > trace_options; cat trace',
        shows: /# CPU {2}/,
        lines: 12,
      },
      {
        run: 'echo funcgraph-duration > trace_options; echo funcgraph-proc > trace_options; cat trace',
        shows: /TASK\/PID/,
        lines: 12,
      },
      {
        run: 'echo nofuncgraph-proc > trace_options; echo funcgraph-abstime > trace_options; cat trace',
        shows: /TIME/,
        lines: 12,
      },
      {
        run: 'echo nofuncgraph-abstime > trace_options; echo funcgraph-tail > trace_options; cat trace',
        shows: /\} \/\* \w/,
        lines: 20,
      },
      {
        run: 'echo nofuncgraph-tail > trace_options; echo 1 > max_graph_depth; echo 1 > tracing_on; sleep 0.2; cat trace',
        shows: / us /,
        lines: 12,
      },
      { run: 'echo 0 > max_graph_depth; echo nop > current_tracer', shows: /^$/ },
    ],
  },
  {
    title: 'dynamic ftrace',
    steps: [
      { run: 'cat available_filter_functions', shows: /\nfindItem\n[\s\S]*\[express\]/, lines: 10 },
      { run: 'echo findItem checkStock > set_ftrace_filter', shows: /^$/ },
      { run: 'echo function > current_tracer', shows: /^$/ },
      { run: 'echo 1 > tracing_on', shows: /^$/ },
      { run: 'sleep 0.3', shows: /^$/ },
      { run: 'echo 0 > tracing_on', shows: /^$/ },
      { run: 'cat trace', shows: /: (findItem|checkStock) <-/, lines: 20 },
      { run: 'cat set_ftrace_filter', shows: /^findItem\ncheckStock\n$/ },
      { run: "echo 'price*' > set_ftrace_filter; cat set_ftrace_filter", shows: /^price\w+\n/ },
      { run: 'echo > set_ftrace_filter; cat set_ftrace_filter', shows: /^#### all functions enabled ####\n$/ },
      {
        run: "echo findItem > set_ftrace_filter; echo 'price*' >> set_ftrace_filter; cat set_ftrace_filter",
        shows: /findItem[\s\S]*price/,
      },
      { run: "echo ':mod:express' > set_ftrace_filter; head -5 set_ftrace_filter", shows: /\[express\]/ },
      {
        run: "echo > set_ftrace_filter; echo '*Item*' '*select*' > set_ftrace_notrace; cat set_ftrace_notrace",
        shows: /findItems\n/,
      },
      { run: 'echo > trace; echo 1 > tracing_on; sleep 0.2; echo 0 > tracing_on; grep -c findItem: trace', shows: /^0\n$/ },
      { run: 'echo > set_ftrace_notrace; echo nop > current_tracer; echo 1 > tracing_on', shows: /^$/ },
    ],
  },
  {
    title: 'Selecting function filters via index',
    steps: [
      { run: 'echo 1 > set_ftrace_filter; head -1 available_filter_functions; cat set_ftrace_filter', shows: /^(.+)\n\1\n$/ },
      { run: 'head -50 available_filter_functions | tail -1', shows: anything },
      { run: 'echo 1 50 > set_ftrace_filter', shows: /^$/ },
      { run: 'cat set_ftrace_filter', shows: /^.+\n.+\n$/ },
      { run: 'echo > set_ftrace_filter', shows: /^$/ },
    ],
  },
  {
    title: 'Dynamic ftrace with the function graph tracer',
    steps: [
      { run: 'echo placeOrder > set_graph_function; cat set_graph_function', shows: /^placeOrder\n/ },
      {
        run: 'echo function_graph > current_tracer; sleep 1; echo 0 > tracing_on; cat trace',
        shows: /placeOrder\(\) \{/,
        lines: 40,
      },
      { run: "echo 'price*' > set_graph_notrace; echo 1 > tracing_on; sleep 0.3; cat set_graph_notrace", shows: /price/ },
      { run: 'echo > set_graph_function; echo > set_graph_notrace; echo nop > current_tracer', shows: /^$/ },
      { run: 'cat set_graph_function', shows: /^#### all functions enabled ####\n$/ },
    ],
  },
  {
    title: 'Filter commands',
    steps: [
      { run: "echo 'placeOrder:traceoff:5' > set_ftrace_filter", shows: /^$/ },
      { run: 'cat set_ftrace_filter', shows: /placeOrder:traceoff:count=\d/ },
      { run: 'sleep 2; cat tracing_on; tail -1 set_ftrace_filter', shows: /^0\nplaceOrder:traceoff:count=4\n$/ },
      { run: "echo '!placeOrder:traceoff:0' > set_ftrace_filter; echo 1 > tracing_on", shows: /^$/ },
      {
        run: "echo 'findItem:stacktrace:2' > set_ftrace_filter; sleep 1; cat trace | head -40",
        shows: /<stack trace>\n[\s\S]*=> /,
        lines: 40,
      },
      { run: "echo '!findItem:stacktrace:0' > set_ftrace_filter", shows: /^$/ },
      {
        run: "echo 'placeOrder:snapshot:1' > set_ftrace_filter; tail -1 set_ftrace_filter",
        shows: /placeOrder:snapshot:count=[01]/,
      },
      {
        run: "echo '!placeOrder:snapshot:0' > set_ftrace_filter; cat set_ftrace_filter",
        shows: /^#### all functions enabled ####\n$/,
      },
    ],
  },
  {
    title: 'trace_pipe',
    steps: [
      { run: 'echo 0 > tracing_on; echo function > current_tracer', shows: /^$/ },
      { run: 'cat trace_pipe > /tmp/trace.out & echo $! > /tmp/trace.reader', shows: anything },
      { run: 'echo 1 > tracing_on; sleep 0.3; echo 0 > tracing_on; sleep 0.5', shows: anything },
      { run: 'cat trace', shows: /# entries-in-buffer\/entries-written: 0\// },
      {
        run: 'head -12 /tmp/trace.out; kill $(cat /tmp/trace.reader) 2> /dev/null; rm -f /tmp/trace.out /tmp/trace.reader',
        shows: /<-/,
      },
      { run: 'echo nop > current_tracer; echo 1 > tracing_on', shows: anything },
    ],
  },
  {
    title: 'trace entries',
    steps: [
      { run: 'cat buffer_size_kb; cat buffer_total_size_kb', shows: /^\d+( \(expanded: \d+\))?\n\d+/ },
      { run: 'echo 10000 > buffer_size_kb; cat buffer_size_kb', shows: /^10000\n$/ },
      { run: 'echo 1000000000000 > buffer_size_kb', shows: /Cannot allocate memory/ },
      { run: 'cat buffer_size_kb', shows: /^10000\n$/ },
      { run: 'echo 1408 > per_cpu/cpu0/buffer_size_kb; cat per_cpu/cpu0/buffer_size_kb', shows: /^1410\n$/ },
      { run: 'cat buffer_total_size_kb', shows: /^\d+\n$/ },
      { run: 'echo 1408 > buffer_size_kb', shows: /^$/ },
    ],
  },
  {
    title: 'Snapshot',
    steps: [
      { run: 'echo 0 > snapshot; cat snapshot', shows: /Snapshot is freed/, lines: 20 },
      { run: 'echo function > current_tracer; sleep 0.2', shows: /^$/ },
      { run: 'echo 1 > snapshot', shows: /^$/ },
      { run: 'cat snapshot', shows: /# tracer: function\n[\s\S]*<-/, lines: 14 },
      { run: 'cat trace', shows: /# tracer: function\n/, lines: 14 },
      { run: 'echo nop > current_tracer; echo 0 > snapshot', shows: /^$/ },
    ],
  },
  {
    title: 'Instances',
    steps: [
      { run: 'mkdir instances/foo; ls instances/foo', shows: /buffer_size_kb[\s\S]*trace_pipe/, lines: 40 },
      { run: 'mkdir instances/bar instances/zoot', shows: /^$/ },
      { run: 'echo 1000 > instances/foo/buffer_size_kb; echo 500 > instances/bar/per_cpu/cpu0/buffer_size_kb', shows: /^$/ },
      {
        run: "echo 'find*' > instances/foo/set_ftrace_filter; echo ':mod:express' > instances/bar/set_ftrace_filter",
        shows: /^$/,
      },
      { run: 'for i in foo bar; do echo function > instances/$i/current_tracer; done; sleep 0.5', shows: /^$/ },
      { run: 'head -14 instances/foo/trace', shows: /find\w+ <-/ },
      { run: 'head -14 instances/bar/trace', shows: /<-/ },
      { run: 'rmdir instances/foo instances/bar instances/zoot; ls instances', shows: /^$/ },
    ],
  },
  {
    title: 'Stack trace',
    says: 'The tracing directory also has the kernel’s /proc/sys/kernel/stack_tracer_enabled.',
    steps: [
      { run: 'echo 1 > /proc/sys/kernel/stack_tracer_enabled; sleep 1', shows: /^$/ },
      { run: 'cat stack_max_size', shows: /^[1-9]\d*\n$/ },
      { run: 'cat stack_trace', shows: /Depth {4}Size {3}Location/, lines: 30 },
      { run: 'echo 0 > /proc/sys/kernel/stack_tracer_enabled', shows: /^$/ },
    ],
  },
];

/** The sections that have no meaning here, with the reason that the page gives. */
export const LEFT_OUT = [
  { title: 'preemptoff, preemptirqsoff', reason: 'JavaScript is never preempted, so only irqsoff has a meaning.' },
  {
    title: 'Latency tracing and events',
    reason: 'its text is in docs/events.md and docs/histograms.md, with the events of Node.',
  },
  {
    title: 'ftrace_enabled',
    reason: 'a process cannot switch off what another part of it needs; use tracing_on and current_tracer.',
  },
];
