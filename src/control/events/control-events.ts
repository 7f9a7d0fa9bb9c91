import type { TraceEvent } from '../../events/define.js';
import type { EventConfig } from '../../events/event-config.js';
import { type EventWords, isSoftDisabled } from '../../events/event-words.js';
import { evaluate } from '../../events/filter/evaluate.js';
import type { Operand } from '../../events/filter/operand.js';
import type { FilterProgram } from '../../events/filter/predicate.js';
import { type HitEvent, interpretUpdate, type UpdaterHelpers, updaterHelpers } from '../../events/hist/index.js';
import type { HistPlan } from '../../events/hist/plan.js';
import { type Fire, type TriggerNeeds, triggerAction } from '../../events/trigger/trigger-actions.js';
import type { RecordWriter } from '../../ftrace/tracers/record-writer.js';
import { writeRecord } from '../../ftrace/tracers/write-record.js';
import { traceClock } from '../../ring-buffer/index.js';

/** The task in whose name something happens. */
export interface EventTask {
  readonly pid: number;
  readonly comm: string;
}

/** The cpu on which something happened, and when by the clock of all records. */
export interface EventMoment {
  readonly cpu: number;
  readonly ts: number;
}

/** An instance in which the control thread has events happen. */
export interface ControlEventsInstance {
  readonly number: number;
  /** Undefined when tracing_cpumask allows no cpu. */
  writer(): RecordWriter | undefined;
  cpu(): number;
  /** What triggers do there, in the name of a task. */
  effects(task: () => EventTask): TriggerNeeds;
  /** The addresses of the stack behind an event that comes from outside. */
  readonly stack: readonly number[];
}

interface WantedEvent {
  readonly event: TraceEvent;
  readonly instance: ControlEventsInstance;
  readonly config: EventConfig;
  readonly actions: readonly Fire[];
  readonly hists: readonly { readonly plan: HistPlan; readonly filter?: FilterProgram; readonly helpers: UpdaterHelpers }[];
}

type Values = Readonly<Record<string, unknown>>;

const keyOf = ({ system, name }: TraceEvent): string => `${system}:${name}`;
const SYNTHETIC = 'synthetic';
/** How deep events may cause each other by the actions of their hist triggers. */
const MAX_NESTED = 8;

/**
 * Events that happen on the control thread: the marks of other processes, and the synthetic events that their histograms cause.
 * It does by interpretation what program threads do by generated code.
 */
export class ControlEvents {
  readonly #words: Pick<EventWords, 'words'>;
  /** By event and by instance. */
  readonly #files = new Map<string, Map<number, WantedEvent>>();
  #task: EventTask = { pid: 0, comm: '' };
  #at: EventMoment | undefined;
  #nested = 0;

  constructor(words: Pick<EventWords, 'words'>) {
    this.#words = words;
  }

  /** Does what an instance wants of an event from now on; undefined: nothing more. */
  configure(instance: ControlEventsInstance, event: TraceEvent, config: EventConfig | undefined): void {
    const key = keyOf(event);
    const files = this.#files.get(key) ?? new Map<number, WantedEvent>();
    if (config === undefined) files.delete(instance.number);
    else files.set(instance.number, this.#file(instance, event, config));
    if (files.size === 0) this.#files.delete(key);
    else this.#files.set(key, files);
  }

  /** The instances that want something of an event, by their numbers. */
  instancesOf(event: TraceEvent): readonly number[] {
    return [...(this.#files.get(keyOf(event))?.keys() ?? [])];
  }

  /**
   * An event of one instance happened: runs its triggers.
   * @param at where and when, if it was on a thread of the program
   */
  happened(event: TraceEvent, instance: number, values: Values, task: EventTask, at?: EventMoment): void {
    const file = this.#files.get(keyOf(event))?.get(instance);
    if (file === undefined) return;
    this.#task = task;
    this.#at = at;
    this.#trigger(file, values);
    this.#at = undefined;
  }

  #file(instance: ControlEventsInstance, event: TraceEvent, config: EventConfig): WantedEvent {
    const own = instance.effects(() => this.#task);
    // What comes from a thread of the program comes without its stack.
    const effects: TriggerNeeds = { ...own, stack: () => void (this.#at ?? own.stack()) };
    const trace = (name: string) => {
      return (...values: unknown[]) => this.#cause(name, values);
    };
    return {
      event,
      instance,
      config,
      actions: config.triggers.map((trigger) => triggerAction(trigger, effects, this.#words.words)),
      hists: config.hists.map((hist) => ({ ...hist, helpers: updaterHelpers(hist.plan, { trace, snapshot: effects.snapshot }) })),
    };
  }

  /** A hist trigger's action causes a synthetic event, in every instance that wants it. */
  #cause(name: string, list: readonly unknown[]): void {
    if (this.#nested === MAX_NESTED) return;
    this.#nested++;
    for (const file of this.#files.get(`${SYNTHETIC}:${name}`)?.values() ?? []) {
      const values = Object.fromEntries(Object.keys(file.event.specs).map((field, i) => [field, list[i]]));
      this.#record(file, values);
      this.#trigger(file, values);
    }
    this.#nested--;
  }

  #record({ event, instance, config: { word, filter } }: WantedEvent, values: Values): void {
    if (isSoftDisabled(this.#words.words, word) || !this.#passes(event, instance, values, filter)) return;
    const writer = instance.writer();
    if (writer !== undefined) writeRecord(writer, traceClock(), event, { pid: this.#task.pid }, values as never);
  }

  #trigger({ event, instance, config, actions, hists }: WantedEvent, values: Values): void {
    for (const [i, { filter }] of config.triggers.entries()) {
      if (this.#passes(event, instance, values, filter)) actions[i]!();
    }
    for (const { plan, filter, helpers } of hists) {
      if (this.#passes(event, instance, values, filter)) interpretUpdate(plan, helpers, this.#hit(event, instance, values));
    }
  }

  #header(event: TraceEvent): Values {
    return { common_type: event.id, common_flags: 0, common_preempt_count: 0, common_pid: this.#task.pid };
  }

  #hit(event: TraceEvent, instance: ControlEventsInstance, values: Values): HitEvent {
    const reading = instance.writer()?.reading;
    const now = this.#at?.ts ?? traceClock();
    return {
      slots: { ...this.#header(event), ...values },
      timestamp: reading?.(now) ?? now,
      isNanoseconds: reading === undefined,
      cpu: this.#at?.cpu ?? instance.cpu(),
      comm: this.#task.comm,
      stack: this.#at === undefined ? instance.stack : [],
    };
  }

  #passes(event: TraceEvent, instance: ControlEventsInstance, values: Values, filter: FilterProgram | undefined): boolean {
    if (filter === undefined) return true;
    const read = (operand: Operand): unknown => {
      if (operand.from === 'field') return values[operand.name];
      if (operand.from === 'header') return this.#header(event)[operand.name];
      return operand.from === 'cpu' ? (this.#at?.cpu ?? instance.cpu()) : this.#task.comm;
    };
    return evaluate(filter, read);
  }
}
