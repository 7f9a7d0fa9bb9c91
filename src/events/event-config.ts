import type { FilterProgram } from './filter/predicate.js';
import type { HistPlan } from './hist/plan.js';

/** A trigger as a thread runs it. A `count` is the index of a word: how often it still fires; absent: always. */
export type TriggerConfig = (
  | { readonly action: 'traceon' | 'traceoff' | 'snapshot' | 'stacktrace' }
  /** `word`: the state word of the event that it switches. */
  | { readonly action: 'enable_event' | 'disable_event'; readonly word: number }
  /** `states`: those of the hist triggers that it switches. */
  | { readonly action: 'enable_hist' | 'disable_hist'; readonly states: readonly SharedArrayBuffer[] }
) & { readonly count?: number; readonly filter?: FilterProgram };

/** A hist trigger as a thread runs it. */
export interface HistConfig {
  readonly id: number;
  readonly plan: HistPlan;
  readonly filter?: FilterProgram;
}

/** A handler of a script: the script's number, and the handler's place in its code. */
export interface EventHandler {
  readonly script: number;
  readonly handler: number;
}

/** An event in an instance, as a thread records it (struct trace_event_file). */
export interface EventConfig {
  /** The event's state word. */
  readonly word: number;
  /** Records are written, unless the state word has SOFT_DISABLED. */
  readonly isRecorded: boolean;
  /** Only of what passes this filter. */
  readonly filter?: FilterProgram;
  /** In the order in which they fire. */
  readonly triggers: readonly TriggerConfig[];
  /** Histograms of the event, which come behind the triggers. */
  readonly hists: readonly HistConfig[];
  /** Events, each `SYSTEM:EVENT`, of which a record is made from the values of this one (eprobes). */
  readonly causes?: readonly string[];
  /** Handlers of scripts that run with the values of this one. */
  readonly handlers?: readonly EventHandler[];
  /** set_event_pid leaves this thread out. */
  readonly isIgnored?: boolean;
  /** Whether the pid filter leaves threads out that are not known yet. */
  readonly ignoresUnknown?: boolean;
  /** The bit that says of the running task that they leave it out, while async contexts are the tasks. */
  readonly ignoredBit?: number;
}
