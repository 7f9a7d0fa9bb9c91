/** Two events that are the beginning and the end of one thing, which is shown as one stretch of time. */
export interface EventPair {
  /** What such things are together: the title of their rows. */
  readonly kind: string;
  readonly system: string;
  readonly begin: string;
  readonly end: string;
  /** The field that both have, which says what belongs together. */
  readonly id: string;
  /** Fields of the beginning that say what it is, in this order. */
  readonly title: readonly string[];
}

/** The pairs among Node's events (docs/node-events.md). */
export const EVENT_PAIRS = [
  {
    kind: 'requests',
    system: 'http',
    begin: 'server_request_start',
    end: 'server_request_end',
    id: 'id',
    title: ['method', 'url'],
  },
  {
    kind: 'client requests',
    system: 'http',
    begin: 'client_request_start',
    end: 'client_request_end',
    id: 'id',
    title: ['method', 'host', 'url'],
  },
  { kind: 'files', system: 'fs', begin: 'op_start', end: 'op_end', id: 'id', title: ['op', 'path'] },
  { kind: 'DNS', system: 'dns', begin: 'lookup_start', end: 'lookup_end', id: 'id', title: ['hostname'] },
  { kind: 'DNS', system: 'dns', begin: 'resolve_start', end: 'resolve_end', id: 'id', title: ['rrtype', 'hostname'] },
  { kind: 'DNS', system: 'dns', begin: 'service_start', end: 'service_end', id: 'id', title: ['address', 'port'] },
  {
    kind: 'thread pool',
    system: 'workqueue',
    begin: 'workqueue_execute_start',
    end: 'workqueue_execute_end',
    id: 'work',
    title: ['workqueue', 'function'],
  },
  { kind: 'timers', system: 'timer', begin: 'timer_expire_entry', end: 'timer_expire_exit', id: 'timer', title: ['function'] },
  { kind: 'callbacks', system: 'irq', begin: 'irq_handler_entry', end: 'irq_handler_exit', id: 'irq', title: ['name'] },
  { kind: 'queues', system: 'irq', begin: 'softirq_entry', end: 'softirq_exit', id: 'vec', title: ['vec'] },
] as const satisfies readonly EventPair[];

/** System calls are pairs of another kind: a pair of events for each call. */
export const SYSCALL_PAIRS = {
  kind: 'system calls',
  system: 'syscalls',
  begin: 'sys_enter_',
  end: 'sys_exit_',
  id: 'req',
} as const;

/** An event that comes when something is over, and says when it began or how long it took. */
export interface EventSpan {
  readonly kind: string;
  readonly system: string;
  readonly event: string;
  /** ns: when it began, by the clock of the recording; absent: it ends with the event. */
  readonly start?: string;
  /** ns: how long it took. */
  readonly duration: string;
  readonly title: readonly string[];
}

/** The events that stand for a stretch of time alone. */
export const EVENT_SPANS = [
  { kind: 'collections', system: 'gc', event: 'gc', start: 'start', duration: 'duration', title: ['kind'] },
  { kind: 'modules', system: 'module', event: 'module_load', duration: 'time', title: ['name'] },
] as const satisfies readonly EventSpan[];
