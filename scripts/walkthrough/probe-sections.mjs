/**
 * The usage examples of the kernel's Documentation/trace/kprobetrace.rst and uprobetracer.rst, in their order; in place of
 * do_sys_open() and zsh's zfree() stand functions of the shop (examples/shop). As sections.mjs says.
 */

const nothing = /^$/;
const anything = /^/;

export const PROBE_SECTIONS = [
  {
    title: 'A probe as a new event',
    says: 'The lines of kprobetrace.rst. `selectAll(database, sql, values)` takes the place of `do_sys_open(dfd, filename, flags, mode)`: four values of each call, with names of our own.',
    steps: [
      {
        run: "echo 'p:myprobe selectAll db=database.connection sql=sql:string values=values first=values[0]' > kprobe_events",
        shows: nothing,
      },
      { run: "echo 'r:myretprobe selectAll $retval caller=$stack0:symbol' >> kprobe_events", shows: nothing },
      {
        run: 'cat events/kprobes/myprobe/format',
        shows: /name: myprobe\n[\s\S]*__probe_ip[\s\S]*print fmt: "\(%lx\) db=/,
        lines: 20,
      },
      { run: 'cat kprobe_events', shows: /^p:kprobes\/myprobe selectAll [\s\S]*r:kprobes\/myretprobe selectAll / },
    ],
  },
  {
    title: 'Tracing it for an interval',
    says: 'An event is disabled when it is new.',
    steps: [
      { run: 'echo 0 > tracing_on; echo > trace', shows: nothing },
      { run: 'echo 1 > events/kprobes/myprobe/enable', shows: nothing },
      { run: 'echo 1 > events/kprobes/myretprobe/enable', shows: nothing },
      { run: 'echo 1 > tracing_on; sleep 0.5; echo 0 > tracing_on', shows: nothing },
      { run: 'cat trace', shows: /myprobe: \(selectAll.*\) db=.* sql="SELECT[\s\S]*myretprobe: \(.* <- selectAll/, lines: 22 },
    ],
    ends: 'Each line is one hit; `<- selectAll` means that `selectAll` has returned. Before the arrow stands its caller, which is found when the function is called.',
  },
  {
    title: 'A filter, and how often each was hit',
    steps: [
      { run: `echo 'sql ~ "*purchase*"' > events/kprobes/myprobe/filter`, shows: nothing },
      { run: 'echo > trace; echo 0 > events/kprobes/myretprobe/enable', shows: nothing },
      { run: 'echo 1 > tracing_on; sleep 0.5; echo 0 > tracing_on', shows: nothing },
      { run: 'cat trace', shows: /myprobe: .*purchase/, lines: 16 },
      { run: 'cat kprobe_profile', shows: /myprobe +\d+ +\d+\n +myretprobe +\d+ +\d+\n/ },
    ],
  },
  {
    title: 'How long the calls took, as a histogram',
    says: 'Probes are events as all others: here the time of the calls, by the text of the query. A return probe does not have it: a function that says `return pool.query(sql)` returns a promise in microseconds, and calls that wait overlap. `FUNCTION%settled` is hit when the promise that the call returned has settled, or at the end of a call that returned none; `$duration` is the time since that call began, in nanoseconds.',
    steps: [
      { run: 'echo 0 > events/kprobes/enable; echo 0 > events/kprobes/myprobe/filter', shows: nothing },
      { run: "echo 'p:query selectAll%settled sql=sql:string $duration' >> kprobe_events", shows: nothing },
      { run: "echo 'hist:keys=sql:vals=duration:sort=duration.descending' > events/kprobes/query/trigger", shows: nothing },
      { run: 'echo 1 > events/kprobes/query/enable; echo 1 > tracing_on; sleep 0.5; echo 0 > tracing_on', shows: nothing },
      {
        run: 'cat events/kprobes/query/hist',
        shows: /\{ sql: SELECT .* \} hitcount: +\d+ +duration: +\d+/,
        lines: 20,
      },
      { run: "echo '!hist:keys=sql:vals=duration:sort=duration.descending' >> events/kprobes/query/trigger", shows: nothing },
      { run: 'echo 0 > events/kprobes/query/enable; echo -:query >> kprobe_events', shows: nothing },
    ],
  },
  {
    title: 'How long an async function took',
    says: 'The same lines for `authorizePayment`, which waits for the payment provider, in classes of 1 ms. `$status` is `fulfilled` or `rejected`.',
    steps: [
      { run: "echo 'p:payment authorizePayment%settled total $status $duration' >> kprobe_events; echo > trace", shows: nothing },
      {
        run: "echo 'hist:keys=status,duration.buckets=1000000:sort=duration' > events/kprobes/payment/trigger",
        shows: nothing,
      },
      {
        run: 'echo 1 > events/kprobes/payment/enable; echo 1 > tracing_on; sleep 0.5; echo 0 > tracing_on',
        shows: nothing,
      },
      {
        run: 'grep -v "^#" trace | head -3',
        shows: /payment: \(placeOrder\S+ <- authorizePayment\) total=\d+ status="fulfilled" duration=\d+\n/,
      },
      {
        run: 'grep { events/kprobes/payment/hist',
        shows: /\{ status: fulfilled +, duration: ~ [1-9]\d{6,}-\d+ \} hitcount: +\d+/,
        lines: 8,
      },
      {
        run: "echo '!hist:keys=status,duration.buckets=1000000:sort=duration' >> events/kprobes/payment/trigger",
        shows: nothing,
      },
      { run: 'echo 0 > events/kprobes/payment/enable; echo -:payment >> kprobe_events', shows: nothing },
    ],
  },
  {
    title: 'Removing them',
    steps: [
      { run: 'echo -:myprobe >> kprobe_events; cat kprobe_events', shows: /^r:kprobes\/myretprobe selectAll / },
      { run: 'echo > kprobe_events; cat kprobe_events', shows: nothing },
      { run: 'cat enabled_functions', shows: nothing },
    ],
  },
  {
    title: 'What is refused',
    says: 'error_log has the kernel’s text, and a caret under the word that is meant.',
    steps: [
      { run: "echo 'p:wrong selectAll x=nothing.here' > kprobe_events", shows: /write error/ },
      { run: "echo 'p:wrong selectAll sql:u128' > kprobe_events", shows: /write error/ },
      { run: "echo 'p:wrong noSuchFunction' > kprobe_events", shows: /write error/ },
      { run: 'cat error_log', shows: /trace_kprobe: error: [\s\S]*\^/, lines: 14 },
      { run: 'echo > error_log; echo 1 > tracing_on', shows: anything },
    ],
  },
];
