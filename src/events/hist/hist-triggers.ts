import { TraceError } from '../../base/errno.js';
import type { RegisteredSynthetic } from '../synthetic/synthetic-events.js';
import { createActions } from './create-actions.js';
import { createHistData } from './create-hist-data.js';
import { parseAttributes, splitFilter } from './hist-attributes.js';
import { FIELD, type HistData, type HistScope, has, isSameHist } from './hist-data.js';
import { HistErrors } from './hist-errors.js';
import type { HistEvent } from './hist-event.js';
import { usesVariables } from './hist-field.js';
import { type HistTrigger, newTrigger, setPaused } from './hist-trigger.js';
import { type HistPlan, planOf, shapeOf } from './plan.js';
import { clearMap, createMap } from './tracing-map.js';

/** What an instance does for hist triggers. */
export interface HistHost {
  /** An event of the instance: always the same object for the same event. */
  findEvent(system: string, name: string): HistEvent | undefined;
  findSynthetic(name: string): RegisteredSynthetic | undefined;
  /** Refuses a filter that cannot be parsed. @throws TraceError */
  checkFilter(event: HistEvent, filter: string): void;
  /** Sets the trace clock. @throws TraceError EINVAL for a clock that there is not */
  setClock(name: string): void;
  /** Has the snapshot buffer ready. @throws TraceError */
  prepareSnapshot(): void;
  /** Notes a refusal in the error log: `location: error: message`, the command, and a caret at `position`. */
  logError(location: string, message: string, command: string, position: number): void;
  /** A trigger is there: its event's threads are to update its table, by planOf(trigger). */
  attach(trigger: HistTrigger): void;
  /** A trigger is gone. */
  detach(trigger: HistTrigger): void;
}

/** A name's first trigger, and how many triggers have the name. */
interface Named {
  readonly base: HistTrigger;
  users: number;
}

/** The names of hist triggers, which all instances of the process share. */
export class HistNames {
  readonly byName = new Map<string, Named>();
  nextId = 1;
}

const PREFIX = 'hist:';

/** The hist triggers of an instance (event_hist_trigger_parse in kernel/trace/trace_events_hist.c). */
export class HistTriggers {
  readonly #host: HistHost;
  readonly #names: HistNames;
  readonly #byEvent = new Map<HistEvent, HistTrigger[]>();
  /** Histograms with variables, youngest first. */
  #withVariables: HistData[] = [];
  #snapshot: HistData | undefined;
  readonly #scope: HistScope;

  /** @param names one object for all instances of the process */
  constructor(host: HistHost, names: HistNames) {
    this.#host = host;
    this.#names = names;
    this.#scope = {
      findEvent: (system, name) => host.findEvent(system, name),
      findSynthetic: (name) => host.findSynthetic(name),
      triggersOf: (event) => this.of(event).map(({ data }) => data),
      withVariables: () => this.#withVariables,
      createNested: (event, text, errors) => this.#process(event, text, errors, false),
      filterOf: (data) => this.of(data.event).find((trigger) => trigger.data === data)?.filter,
      reserveSnapshot: (data) => this.#reserveSnapshot(data),
    };
  }

  /** The hist triggers of an event, oldest first: the order of its `trigger` and `hist` files. */
  of(event: HistEvent): readonly HistTrigger[] {
    return this.#byEvent.get(event) ?? [];
  }

  /** Whether a trigger defines variables, or refers to some: the instance is in use then (save_hist_vars). */
  get haveVariables(): boolean {
    return this.#withVariables.length > 0;
  }

  /** Whether a trigger takes snapshots: they are its own then (tracing_snapshot_cond_enable). */
  get takeSnapshots(): boolean {
    return this.#snapshot !== undefined;
  }

  /**
   * Obeys a hist command of an event's `trigger` file: a new trigger, or pause, cont and clear of one that is there.
   * @param text what follows `hist:` (or `!hist:`), with the filter
   * @param isRemoval the command began with `!`: the trigger that is written is removed; none is no error
   * @throws TraceError with the kernel's errno
   */
  write(event: HistEvent, text: string, isRemoval = false): void {
    const location = `${PREFIX}${event.system}:${event.name}`;
    const errors = new HistErrors(PREFIX + text, (message, command, position) =>
      this.#host.logError(location, message, command, position),
    );
    if (text === '') throw new TraceError('EINVAL', 'a hist trigger needs keys');
    this.#process(event, text, errors, isRemoval);
  }

  /** What threads do for a trigger. */
  plan(trigger: HistTrigger): HistPlan {
    return planOf(trigger, (data) => this.#mapOf(data));
  }

  /**
   * Removes the hist triggers of an event, unless a trigger of another event refers to one: what truncating its `trigger` file
   * does.
   */
  removeAll(event: HistEvent): void {
    if (this.of(event).some(({ data }) => this.#isReferred(data))) return;
    for (const trigger of [...this.of(event)]) this.#remove(trigger);
  }

  /** enable_hist and disable_hist: continues or pauses all triggers of an event. */
  pauseAll(event: HistEvent, isPaused: boolean): void {
    for (const { state } of this.of(event)) setPaused(state, isPaused);
  }

  #process(event: HistEvent, text: string, errors: HistErrors, isRemoval: boolean): void {
    const { trigger: written, filter } = splitFilter(text);
    const attributes = parseAttributes(written, errors);
    const data = createHistData({ event, attributes, errors, scope: this.#scope, isRemoval });
    if (filter !== undefined) this.#host.checkFilter(event, filter);
    if (isRemoval) this.#removeLike(data, filter);
    else if (!this.#update(data, filter)) this.#create(data, filter);
  }

  #create(data: HistData, filter: string | undefined): void {
    try {
      createActions(data);
      if (data.references.length > 0 || [...data.values, ...data.keys].some((field) => usesVariables(field))) {
        this.#withVariables.unshift(data);
      }
      this.#register(data, filter);
    } catch (error) {
      this.#release(data);
      throw error;
    }
  }

  /** Whether a trigger of the event is the one that `data` and `filter` describe (hist_trigger_match). */
  #isLike(trigger: HistTrigger, data: HistData, filter: string | undefined, named: HistTrigger | undefined): boolean {
    if (named !== undefined && named !== trigger && named !== trigger.base) return false;
    if (named === undefined && trigger.name !== undefined) return false;
    return trigger.filter === filter && isSameHist(data, trigger.data);
  }

  #findLike(data: HistData, filter: string | undefined): HistTrigger | undefined {
    const named = this.#named(data);
    return this.of(data.event).find((trigger) => this.#isLike(trigger, data, filter, named));
  }

  #named({ attributes: { name } }: HistData): HistTrigger | undefined {
    return name === undefined ? undefined : this.#names.byName.get(name)?.base;
  }

  /** Pauses, continues or clears a trigger that is there; false if the command is for a new one (existing_hist_update_only). */
  #update(data: HistData, filter: string | undefined): boolean {
    const { pause, cont, clear, name } = data.attributes;
    if (!pause && !cont && !clear) return false;
    const named = this.#named(data);
    if (name !== undefined && (named === undefined || !isSameHist(data, named.data))) return false;
    const found = this.#findLike(data, filter);
    if (found === undefined) return false;
    if (pause || cont) setPaused(found.state, pause);
    else clearMap(found.map);
    return true;
  }

  #removeLike(data: HistData, filter: string | undefined): void {
    const found = this.#findLike(data, filter);
    if (found === undefined) return;
    if (this.#isReferred(found.data)) throw new TraceError('EBUSY', 'another trigger refers to a variable of it');
    this.#remove(found);
  }

  /** hist_register_trigger */
  #register(data: HistData, filter: string | undefined): void {
    const { event, attributes, errors } = data;
    const named = this.#named(data);
    if (named !== undefined && !isSameHist(data, named.data)) errors.refuse('NAMED_MISMATCH', attributes.name);
    const isNew = attributes.name !== undefined && named === undefined;
    if (!isNew && this.#findLike(data, filter) !== undefined) errors.refuse('TRIGGER_EEXIST', '', 'EEXIST');
    if (attributes.cont || attributes.clear) errors.refuse('TRIGGER_ENOENT_CLEAR', '', 'ENOENT');
    if (data.usesTimestamps) this.#setClock(data);
    const shared = named && { data: named.data, map: named.map };
    const trigger = newTrigger(
      {
        id: this.#names.nextId++,
        event,
        filter,
        name: attributes.name,
        base: named,
        ...(shared ?? { data, map: createMap(shapeOf(data)) }),
      },
      attributes.pause,
    );
    if (named !== undefined) this.#release(data);
    this.#add(trigger);
  }

  #setClock({ attributes: { clock }, errors }: HistData): void {
    try {
      this.#host.setClock(clock);
    } catch (error) {
      errors.note('SET_CLOCK_FAIL', clock);
      throw error;
    }
  }

  #add(trigger: HistTrigger): void {
    const { event, name, base } = trigger;
    this.#byEvent.set(event, [...this.of(event), trigger]);
    if (name !== undefined) {
      if (base === undefined) this.#names.byName.set(name, { base: trigger, users: 1 });
      else this.#names.byName.get(name)!.users++;
    }
    this.#countSynthetic(trigger, 1);
    this.#host.attach(trigger);
  }

  #remove(trigger: HistTrigger): void {
    const { event, name, data } = trigger;
    const others = this.of(event).filter((each) => each !== trigger);
    if (others.length === 0) this.#byEvent.delete(event);
    else this.#byEvent.set(event, others);
    this.#countSynthetic(trigger, -1);
    this.#host.detach(trigger);
    if (name !== undefined) {
      const named = this.#names.byName.get(name)!;
      if (--named.users > 0) return;
      this.#names.byName.delete(name);
    }
    this.#release(data);
  }

  /** The table of a trigger that another one refers to. */
  #mapOf(data: HistData): SharedArrayBuffer {
    const all = [...this.#byEvent.values(), [...this.#names.byName.values()].map(({ base }) => base)];
    const found = all.flat().find((trigger) => trigger.data === data);
    if (found === undefined) throw new TraceError('ENOENT', 'the trigger of a variable is gone');
    return found.map;
  }

  /** A synthetic event stays as long as a trigger generates it or is on it. */
  #countSynthetic({ event, data }: HistTrigger, change: number): void {
    const used = data.actions.flatMap(({ synth }) => (synth === undefined ? [] : [synth.name]));
    const own = event.system === 'synthetic' ? [event.name] : [];
    for (const name of [...used, ...own]) {
      const synthetic = this.#host.findSynthetic(name);
      if (synthetic !== undefined) synthetic.users += change;
    }
  }

  /** Gives up what a trigger made elsewhere: variables, the snapshot, triggers on other events. */
  #release(data: HistData): void {
    this.#withVariables = this.#withVariables.filter((each) => each !== data);
    if (this.#snapshot === data) this.#snapshot = undefined;
    for (const { event, text } of data.nested) this.#process(event, text, data.errors, true);
  }

  #reserveSnapshot(data: HistData): void {
    if (this.#snapshot !== undefined) throw new TraceError('EBUSY', 'another hist trigger takes snapshots');
    this.#host.prepareSnapshot();
    this.#snapshot = data;
  }

  /** Whether a trigger of another event, or another one of this, refers to a variable (check_var_refs). */
  #isReferred(data: HistData): boolean {
    const variables = data.values.filter((field) => has(field, FIELD.VAR));
    return this.#withVariables.some(
      (other) =>
        other !== data &&
        other.references.some(
          ({ owner, varIndex }) => owner === data && variables.some((variable) => variable.varIndex === varIndex),
        ),
    );
  }
}
