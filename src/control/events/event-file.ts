import type { TraceEvent } from '../../events/define.js';
import type { EventConfig, HistConfig, TriggerConfig } from '../../events/event-config.js';
import { type EventWords, isSoftDisabled, setSoftDisabled } from '../../events/event-words.js';
import type { EventFilter } from '../../events/filter/event-filter.js';
import type { Trigger } from '../../events/trigger/parse-trigger.js';

/** A trigger of an event. */
export interface EventTrigger extends Trigger {
  /** The index of the word with its count; undefined: it has none. */
  readonly word: number | undefined;
  /** The event that it switches. */
  readonly switched: EventFile | undefined;
}

/**
 * An event in an instance (struct trace_event_file): whether it is enabled, its filter, its triggers.
 *
 * Triggers and the commands of set_ftrace_filter that enable an event keep it in *soft mode*: threads call it then, but record it
 * only while its state word does not have SOFT_DISABLED.
 */
export class EventFile {
  #event: TraceEvent;
  /** The index of its state word. */
  readonly word: number;
  filter: EventFilter | undefined;
  /** In the order in which they fire: the newest first. */
  triggers: readonly EventTrigger[] = [];
  /** The event's hist triggers, the oldest first. */
  hists: readonly HistConfig[] = [];
  /** The event probes that are enabled and attached to it: `SYSTEM:EVENT`. */
  readonly #causes = new Set<string>();
  readonly #words: EventWords;
  #isEnabled = false;
  #wasEnabled = false;
  #softUsers = 0;

  constructor(event: TraceEvent, words: EventWords, word: number) {
    this.#event = event;
    this.#words = words;
    this.word = word;
  }

  get event(): TraceEvent {
    return this.#event;
  }

  /** The event, which was open, has its fields. Its filter and triggers name none: they stay as they are. */
  replaceEvent(event: TraceEvent): void {
    this.#event = event;
  }

  /** Whether threads call it (EVENT_FILE_FL_ENABLED). */
  get isEnabled(): boolean {
    return this.#isEnabled;
  }

  /** Whether it was ever enabled, so that there may be records of it (EVENT_FILE_FL_WAS_ENABLED). */
  get wasEnabled(): boolean {
    return this.#wasEnabled;
  }

  /** Whether it is called but not recorded: also triggers and probes, in any thread, switch that. */
  get isSoftDisabled(): boolean {
    return isSoftDisabled(this.#words.words, this.word);
  }

  /** The file `enable` (event_enable_read in kernel/trace/trace_events.c). */
  get shown(): string {
    const isSoft = this.isSoftDisabled || this.#softUsers > 0;
    return `${this.#isEnabled && !this.isSoftDisabled ? '1' : '0'}${isSoft ? '*' : ''}\n`;
  }

  /** A write to `enable` (__ftrace_event_enable_disable without soft_disable). */
  setEnabled(on: boolean): void {
    if (on) {
      this.#setSoftDisabled(false);
      this.#isEnabled = true;
      this.#wasEnabled = true;
      return;
    }
    const isSoft = this.#softUsers > 0;
    if (!isSoft) this.#isEnabled = false;
    this.#setSoftDisabled(isSoft);
  }

  /** Something switches the event from now on: it is called, and if it was not enabled, it is not recorded yet. */
  beginSoft(): void {
    if (++this.#softUsers > 1 || this.#isEnabled) return;
    this.#setSoftDisabled(true);
    this.#isEnabled = true;
  }

  endSoft(): void {
    if (--this.#softUsers > 0) return;
    if (this.isSoftDisabled) this.#isEnabled = false;
    this.#setSoftDisabled(false);
  }

  /**
   * An event probe that is attached to it was enabled or disabled: it is called while one is. Returns whether that changes
   * anything.
   */
  setCause(probe: string, on: boolean): boolean {
    if (on === this.#causes.has(probe)) return false;
    if (on) {
      this.#causes.add(probe);
      this.beginSoft();
    } else {
      this.#causes.delete(probe);
      this.endSoft();
    }
    return true;
  }

  /** What threads are told; undefined: nothing is wanted of the event. */
  config(): EventConfig | undefined {
    if (!this.#isEnabled) return undefined;
    const program = this.filter?.program;
    return {
      word: this.word,
      isRecorded: true,
      ...(program === undefined ? {} : { filter: program }),
      triggers: this.triggers.map(triggerConfig),
      hists: this.hists,
      ...(this.#causes.size === 0 ? {} : { causes: [...this.#causes] }),
    };
  }

  #setSoftDisabled(soft: boolean): void {
    setSoftDisabled(this.#words.words, this.word, soft);
  }
}

function triggerConfig({ name, filter, word, switched }: EventTrigger): TriggerConfig {
  const common = { ...(word === undefined ? {} : { count: word }), ...(filter === undefined ? {} : { filter: filter.program }) };
  // Only what names an event has one that it switches.
  if (switched === undefined) return { action: name as 'traceoff', ...common };
  if (name === 'enable_hist' || name === 'disable_hist') {
    return { action: name, states: switched.hists.map(({ plan }) => plan.state), ...common };
  }
  return { action: name as 'enable_event', word: switched.word, ...common };
}
