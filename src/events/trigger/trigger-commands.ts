/**
 * When and how a trigger acts, as seen on Linux 6.1 (kernel/trace/trace_events_trigger.c).
 *
 * An event runs its triggers from the newest to the oldest, also while it is not enabled, while tracing is off, and when its own
 * filter rejects it. Without an `if` they run first of all: the event that meets `traceon` or `enable_event` of itself is
 * recorded, and the event that meets `snapshot` is in the new buffer. With an `if` they run when the record has its values: the
 * event that meets `traceon if` is not recorded, that of `snapshot if` is in the snapshot. `afterRecord` ones wait until the
 * record is there, then act in the order of the list: `traceoff` keeps its event, and a `stacktrace` that is older than a
 * `traceoff` gets lost.
 *
 * Whether an event is recorded is one bit, which `enable`, set_event and these triggers switch alike; whether its source is
 * switched on depends also on how many triggers it has and how many name it. `enable` shows the bit, and `*` while there are any;
 * set_event and the `enable` of the system and of all list the events whose source is on. When the last trigger goes, the bit
 * stays as it is.
 */
export interface TriggerCommand {
  /** An event has one trigger of a type; of those that name another event, one for each. */
  readonly type: 'tracing' | 'snapshot' | 'stacktrace' | 'event' | 'hist-switch' | 'hist';
  /** A count goes down only when the trigger changes something, as when tracing is on and it turns it off. */
  readonly countsChanges?: boolean;
  readonly afterRecord?: boolean;
  /** `:SYSTEM:EVENT` stands behind the name. */
  readonly namesEvent?: boolean;
}

/** The triggers, in the order in which the kernel lists them. */
export const TRIGGERS = {
  traceon: { type: 'tracing', countsChanges: true },
  traceoff: { type: 'tracing', countsChanges: true, afterRecord: true },
  snapshot: { type: 'snapshot' },
  stacktrace: { type: 'stacktrace', afterRecord: true },
  enable_event: { type: 'event', countsChanges: true, namesEvent: true },
  disable_event: { type: 'event', countsChanges: true, namesEvent: true },
  enable_hist: { type: 'hist-switch', countsChanges: true, namesEvent: true },
  disable_hist: { type: 'hist-switch', countsChanges: true, namesEvent: true },
  hist: { type: 'hist' },
} as const satisfies Readonly<Record<string, TriggerCommand>>;

export type TriggerName = keyof typeof TRIGGERS;

/** What `trigger` shows while an event has none. */
export const AVAILABLE_TRIGGERS = `# Available triggers:\n# ${Object.keys(TRIGGERS).join(' ')}\n`;
