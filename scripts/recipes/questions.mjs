// The questions of docs/recipes.md, with what is typed to answer them, and what each command has to print.

const NOTHING = /^$/;
const step = (run, shows = NOTHING, lines = undefined) => ({ run, shows, lines });

export const QUESTIONS = [
  {
    title: 'Which route allocates most?',
    says: '`kmem:kmalloc` is the memory of Buffers. The key is the function that asks for it, here a route’s handler:',
    steps: [
      step(`echo 'hist:keys=call_site.sym:vals=bytes_req:sort=bytes_req.descending' > events/kmem/kmalloc/trigger`),
      step('sleep 3; grep { events/kmem/kmalloc/hist', /thumbnail .*bytes_req: {2,}\d{7}/, 4),
      step('> events/kmem/kmalloc/trigger'),
    ],
    ends: 'The last line removes the histogram, and with it all cost. The key `stacktrace` in place of `call_site.sym` shows whole stacks.',
  },
  {
    title: 'How long do requests take, by route?',
    says: 'Durations are nanoseconds. The second histogram is the distribution of one route, in steps of 20 ms:',
    steps: [
      step(`echo 'hist:keys=url:vals=duration:sort=duration.descending' > events/http/server_request_end/trigger`),
      step('sleep 3; grep { events/http/server_request_end/hist', /url: \/login/),
      step(
        `echo 'hist:keys=duration.buckets=20000000:sort=duration if url ~ "/search*"' > events/http/server_request_end/trigger`,
      ),
      step('sleep 3; grep { events/http/server_request_end/hist', /duration: ~ /),
      step('> events/http/server_request_end/trigger'),
    ],
  },
  {
    title: 'Which query is slow, and who asks it?',
    says:
      'The service declares its queries as events, `db:query_start` and `db:query_done` ([how](tracepoints.md)). ' +
      'A synthetic event is what the two have in common: the time between them, in microseconds.',
    steps: [
      step(`echo 'slow_query u64 lat; char sql[]' >> synthetic_events`),
      step(`echo 'hist:keys=id:ts=common_timestamp.usecs,q=sql' > events/db/query_start/trigger`),
      step(
        `echo 'hist:keys=id:lat=common_timestamp.usecs-$ts:onmatch(db.query_start).trace(slow_query,$lat,$q)' > events/db/query_done/trigger`,
      ),
      step(`echo 'hist:keys=sql:vals=lat:sort=lat.descending' > events/synthetic/slow_query/trigger`),
      step('sleep 3; grep { events/synthetic/slow_query/hist', /LIKE/),
      step('> events/synthetic/slow_query/trigger; > events/db/query_done/trigger; > events/db/query_start/trigger'),
      step(`echo 'hist:keys=stacktrace if sql ~ "*LIKE*"' > events/db/query_start/trigger`),
      step(`sleep 1; sed -n '/stacktrace:$/,/hitcount/p' events/db/query_start/hist`, /findItems.*\n +search/, 5),
      step(`> events/db/query_start/trigger; echo '!slow_query' >> synthetic_events`),
    ],
  },
  {
    title: 'What happened in the 50 ms before this error?',
    says: 'Record what may matter, and stop when a request ends with an error: the trace ends there.',
    steps: [
      step('for system in http dns db printk; do echo 1 > events/$system/enable; done'),
      step(`echo 'traceoff:1 if status >= 500' > events/http/server_request_end/trigger`),
      step('sleep 2; cat tracing_on', /^0\n$/),
      step('tail -8 trace | cut -c 38-', /lookup_end.*ENOTFOUND[\s\S]*no rates today[\s\S]*status=503/),
      step(
        `echo '!traceoff' >> events/http/server_request_end/trigger; echo 0 > events/enable; echo > trace; echo 1 > tracing_on`,
      ),
    ],
    ends: 'A `snapshot` trigger in place of `traceoff` keeps the same records in `snapshot` while tracing goes on.',
  },
  {
    title: 'Which function does an unhandled rejection come from?',
    says: 'The event has the reason, the place where that was made, and the functions that rejected the promise and made it. Trace the application’s own functions beside it, and stop there: the calls before it are just above.',
    steps: [
      step(`echo '*:mod:!*' > set_ftrace_filter; echo function > current_tracer; echo 1 > events/exceptions/enable`),
      step(`echo 'traceoff:1' > events/exceptions/unhandled_rejection/trigger`),
      step('sleep 2; cat tracing_on', /^0\n$/),
      step(
        'tail -4 trace | cut -c 38-',
        /sendMail <-placeOrder[\s\S]*unhandled_rejection: Error: no mail server.* at=\S+server\.mjs:\d+:\d+/,
      ),
      step(
        `echo nop > current_tracer; echo > set_ftrace_filter; echo '!traceoff' >> events/exceptions/unhandled_rejection/trigger; echo 0 > events/enable`,
      ),
      step('echo > trace; echo 1 > tracing_on'),
    ],
  },
  {
    title: 'Which errors are caught, and said nothing about?',
    says: 'Each exception that a `catch` of the program takes, by where it was made and by who took it.',
    steps: [
      step(`echo 'hist:keys=type,at,catcher.sym' > events/exceptions/caught_exception/trigger`),
      step('sleep 4; grep { events/exceptions/caught_exception/hist', /at: node:internal\/dns\S+.*rates/),
      step('> events/exceptions/caught_exception/trigger'),
    ],
  },
  {
    title: 'What waits in the thread pool, and who asked for it?',
    says: 'In nanoseconds: `waited` until a thread of the pool was free, `ran` from then on until the event loop had the result. Files wait here for the eight passwords that a sign-up hashes at once.',
    steps: [
      step(
        `echo 'hist:keys=workqueue,function.sym:vals=hitcount,waited,ran:sort=waited.descending' > events/workqueue/workqueue_execute_end/trigger`,
      ),
      step(
        'sleep 4; grep { events/workqueue/workqueue_execute_end/hist',
        /workqueue: crypto.*signUp.*waited: +[1-9][\s\S]*workqueue: fs.*renderPage/,
      ),
      step('> events/workqueue/workqueue_execute_end/trigger'),
    ],
  },
  {
    title: 'What does garbage collection cost?',
    says: 'By kind, in nanoseconds:',
    steps: [
      step(`echo 'hist:keys=kind:vals=duration' > events/gc/gc/trigger`),
      step('sleep 4; grep { events/gc/gc/hist', /kind: [a-z-]+ +\}.*duration: +\d+/),
      step('> events/gc/gc/trigger'),
    ],
  },
  {
    title: 'Which files are read per request, and by whom?',
    says: 'Count what is opened beside the requests that are answered; then take the stack of one:',
    steps: [
      step(`echo 'hist:keys=path if op == "open"' > events/fs/op_start/trigger`),
      step(`echo 'hist:keys=url' > events/http/server_request_end/trigger`),
      step('sleep 2; grep -h { events/fs/op_start/hist events/http/server_request_end/hist', /page\.html[\s\S]*url: \/ /),
      step('> events/fs/op_start/trigger; > events/http/server_request_end/trigger'),
      step(`echo 'stacktrace:1 if path ~ "*page.html"' > events/fs/op_start/trigger`),
      step('sleep 1; tail -7 trace | cut -c 1-80', /renderPage\n => home/),
      step(`echo '!stacktrace' >> events/fs/op_start/trigger; echo > trace`),
    ],
  },
  {
    title: 'Which host is slow to resolve?',
    says: 'By name, in nanoseconds:',
    steps: [
      step(`echo 'hist:keys=hostname:vals=duration:sort=duration.descending' > events/dns/lookup_end/trigger`),
      step('sleep 2; grep { events/dns/lookup_end/hist', /rates/),
      step('> events/dns/lookup_end/trigger'),
    ],
  },
  {
    title: 'Which timers fire late?',
    says: '`now` is when a timer runs, `baseclk` when it was due, both in milliseconds. `max` is the worst of each function; `.sym` is its name. A timer that a promise waits for calls a `resolving_function` of V8’s; with `keys=stacktrace`, `timer_start` shows who has set it:',
    steps: [
      step(`echo 'hist:keys=function.sym:late=now-baseclk:onmax($late).save(now)' > events/timer/timer_expire_entry/trigger`),
      step(`sleep 2; grep -A1 { events/timer/timer_expire_entry/hist`, /heartbeat.*\n\tmax: +\d{2,}/),
      step('> events/timer/timer_expire_entry/trigger'),
    ],
  },
  {
    title: 'Which callbacks hold the event loop?',
    says: 'The time between the beginning and the end of each callback of I/O, if it is 20 ms or more, in microseconds:',
    steps: [
      step(`echo 'long_callback u64 lat; char name[]' >> synthetic_events`),
      step(`echo 'hist:keys=common_pid:ts=common_timestamp.usecs,n=name' > events/irq/irq_handler_entry/trigger`),
      step(
        `echo 'hist:keys=common_pid:lat=common_timestamp.usecs-$ts:onmatch(irq.irq_handler_entry).trace(long_callback,$lat,$n)' > events/irq/irq_handler_exit/trigger`,
      ),
      step(`echo 'hist:keys=name,lat.log2:sort=lat if lat >= 20000' > events/synthetic/long_callback/trigger`),
      step('sleep 3; grep { events/synthetic/long_callback/hist', /HTTP/i),
      step(
        '> events/synthetic/long_callback/trigger; > events/irq/irq_handler_exit/trigger; > events/irq/irq_handler_entry/trigger',
      ),
      step(`echo '!long_callback' >> synthetic_events`),
    ],
  },
  {
    title: 'How long does what is ready wait for the loop?',
    says: 'The wakeup-latency histogram of the kernel’s histogram.rst. A task is a timer, a nextTick or a promise reaction; its pid is its async id. Microseconds, from 1 ms on:',
    steps: [
      step(`echo 'wakeup_latency u64 lat; pid_t pid; char comm[16]' >> synthetic_events`),
      step(`echo 'hist:keys=pid:ts0=common_timestamp.usecs' > events/sched/sched_waking/trigger`),
      step(
        `echo 'hist:keys=next_pid:lat=common_timestamp.usecs-$ts0:onmatch(sched.sched_waking).trace(wakeup_latency,$lat,next_pid,next_comm)' > events/sched/sched_switch/trigger`,
      ),
      step(`echo 'hist:keys=comm,lat.log2:sort=comm,lat if lat >= 1000' > events/synthetic/wakeup_latency/trigger`),
      step('sleep 3; grep { events/synthetic/wakeup_latency/hist', /Timeout/, 30),
      step('> events/synthetic/wakeup_latency/trigger; > events/sched/sched_switch/trigger; > events/sched/sched_waking/trigger'),
    ],
  },
  {
    title: 'Which timers keep the process alive?',
    says: 'Those that are set and hold it; `flags` has 0x80000 for a timer that was `unref`ed:',
    steps: [
      step(`echo 'hist:keys=function.sym if flags < 0x80000' > events/timer/timer_start/trigger`),
      step('sleep 2; grep { events/timer/timer_start/hist', /heartbeat/),
      step('> events/timer/timer_start/trigger'),
    ],
  },
  {
    title: 'Who writes this line of the log?',
    says: 'With the stack of the first one:',
    steps: [
      step(`echo 'stacktrace:1 if msg ~ "*no rates*"' > events/printk/console/trigger`),
      step('sleep 1; tail -2 trace', / => rates\n/),
    ],
  },
];
