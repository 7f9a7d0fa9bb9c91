/** The events that tell which async context runs on a thread, or which task on a CPU. */
export const CONTEXT_EVENTS = {
  system: 'sched',
  /** Another one runs. */
  switch: { event: 'sched_switch', next: 'next_pid', comm: 'next_comm' },
  /** One may run from now on. */
  wakeups: [
    { event: 'sched_waking', pid: 'pid' },
    { event: 'sched_wakeup', pid: 'pid' },
    { event: 'sched_wakeup_new', pid: 'pid' },
  ],
} as const;

/** The event that tells for which span of an OpenTelemetry SDK a thread works from now on. */
export const SPAN_EVENT = { system: 'otel', event: 'span_switch', trace: 'trace_id', span: 'span_id' } as const;
