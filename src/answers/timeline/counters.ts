/** A number that changes with time. */
export interface Counter {
  readonly name: string;
  readonly unit: 'bytes' | 'percent' | 'count';
}

/** A counter that a field of an event sets. */
export interface EventCounter extends Counter {
  readonly system: string;
  readonly event: string;
  readonly field: string;
  /** Only of records whose field has this number. */
  readonly where?: readonly [field: string, value: number];
  /** The field with the time since which it is so; absent: since the event. */
  readonly since?: readonly string[];
}

/** The counters that events set. */
export const EVENT_COUNTERS = [
  { name: 'heap used', unit: 'bytes', system: 'gc', event: 'gc', field: 'heap_before', since: ['start'] },
  { name: 'heap used', unit: 'bytes', system: 'gc', event: 'gc', field: 'heap_after', since: ['start', 'duration'] },
  { name: 'heap used', unit: 'bytes', system: 'kmem', event: 'rss_stat', field: 'size', where: ['member', 0] },
  { name: 'heap total', unit: 'bytes', system: 'kmem', event: 'rss_stat', field: 'size', where: ['member', 1] },
  { name: 'heap limit', unit: 'bytes', system: 'kmem', event: 'rss_stat', field: 'size', where: ['member', 2] },
  { name: 'external memory', unit: 'bytes', system: 'kmem', event: 'rss_stat', field: 'size', where: ['member', 3] },
] as const satisfies readonly EventCounter[];

/** A counter of things that are there: it goes up with one event and down with another, which name the thing by a field. */
export interface OpenCounter extends Counter {
  readonly system: string;
  readonly up: string;
  readonly down: readonly string[];
  readonly upId: string;
  readonly downId: string;
  /** Only those of which a field has such a text. */
  readonly of?: readonly [field: string, texts: ReadonlySet<string>];
}

/** The types of async contexts that are handles: as long as one is open, the process lives on. */
const HANDLES: ReadonlySet<string> = new Set([
  'FSEVENTWRAP',
  'MESSAGEPORT',
  'PIPESERVERWRAP',
  'PIPEWRAP',
  'PROCESSWRAP',
  'SIGNALWRAP',
  'STATWATCHER',
  'TCPSERVERWRAP',
  'TCPWRAP',
  'TLSWRAP',
  'TTYWRAP',
  'Timeout',
  'UDPWRAP',
  'WORKER',
]);

/** The counters of what is open, of those things that the recording has the beginning of. */
export const OPEN_COUNTERS = [
  {
    name: 'handles',
    unit: 'count',
    system: 'sched',
    up: 'sched_process_fork',
    down: ['sched_process_exit', 'sched_process_free'],
    upId: 'child_pid',
    downId: 'pid',
    of: ['child_comm', HANDLES],
  },
  {
    name: 'thread pool queue',
    unit: 'count',
    system: 'workqueue',
    up: 'workqueue_queue_work',
    down: ['workqueue_execute_end'],
    upId: 'work',
    downId: 'work',
  },
] as const satisfies readonly OpenCounter[];

/** How much of its time the event loop did not sleep. */
export const LOOP_UTILIZATION = {
  name: 'event loop utilization',
  unit: 'percent',
  system: 'power',
  event: 'cpu_idle',
  field: 'state',
  /** The state of a loop that wakes up; any other: it falls asleep. */
  awake: 4_294_967_295,
} as const;

/** How many records of a thread were lost so far. */
export const LOST_RECORDS: Counter = { name: 'lost records', unit: 'count' };
