import type { FilterProgram } from './filter/predicate.js';

/** A trigger as a thread runs it. A `count` is the index of a word: how often it still fires; absent: always. */
export type TriggerConfig = (
  | { readonly action: 'traceon' | 'traceoff' | 'snapshot' | 'stacktrace' }
  /** `word`: the state word of the event that it switches. */
  | { readonly action: 'enable_event' | 'disable_event'; readonly word: number }
) & { readonly count?: number; readonly filter?: FilterProgram };

/** An event in an instance, as a thread records it (struct trace_event_file). */
export interface EventConfig {
  /** Its state word. */
  readonly word: number;
  /** Records are written, unless the state word has SOFT_DISABLED. */
  readonly isRecorded: boolean;
  /** Only of what passes this filter. */
  readonly filter?: FilterProgram;
  /** In the order in which they fire. */
  readonly triggers: readonly TriggerConfig[];
  /** set_event_pid leaves this thread out. */
  readonly isIgnored?: boolean;
}
