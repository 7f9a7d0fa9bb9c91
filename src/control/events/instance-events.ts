import { TraceError } from '../../base/errno.js';
import type { TraceEvent } from '../../events/define.js';
import type { EventConfig } from '../../events/event-config.js';
import type { EventWords } from '../../events/event-words.js';
import type { EventRegistry } from '../../events/registry.js';
import type { Trigger } from '../../events/trigger/parse-trigger.js';
import { TRIGGERS } from '../../events/trigger/trigger-commands.js';
import { addTrigger, triggerToRemove } from '../../events/trigger/trigger-list.js';
import type { ProbeEvent } from '../../ftrace/commands/command-word.js';
import { EventFile, type EventTrigger } from './event-file.js';

/** The system of what tracers record: its events cannot be enabled. */
const TRACERS = 'ftrace';

/** The greatest count of a trigger that goes down: a word has no more. */
const MAX_COUNT = 2 ** 31 - 1;

/** What an instance's events need of the process. */
export interface InstanceEventsNeeds {
  readonly events: EventRegistry;
  readonly eventWords: EventWords;
}

/** How an event is recorded; undefined: not any more. */
export type EventChange = readonly [event: TraceEvent, config: EventConfig | undefined];

/** The events of an instance, each with its state. */
export class InstanceEvents {
  readonly #process: InstanceEventsNeeds;
  readonly #setEvents: (changes: readonly EventChange[]) => Promise<void>;
  readonly #files = new Map<TraceEvent, EventFile>();
  readonly #isOlder: (event: TraceEvent) => boolean;
  readonly #unwatch: () => void;
  #isClearing = false;
  /** Events that commands of set_ftrace_filter switch. */
  #switched: ReadonlySet<EventFile> = new Set();

  /**
   * @param setEvents tells the threads: they record these events in the instance so from now on
   * @param clear empties the buffers: called when an event goes that they may have records of
   */
  constructor(process: InstanceEventsNeeds, setEvents: (changes: readonly EventChange[]) => Promise<void>, clear: () => void) {
    this.#process = process;
    this.#setEvents = setEvents;
    this.#isOlder = process.events.present();
    this.#unwatch = process.events.watch({
      uses: (event) => this.#files.get(event)?.isEnabled === true,
      gone: (event) => {
        if (this.#files.get(event)?.wasEnabled === true) this.#clearSoon(clear);
        this.#forget(event);
      },
      replaced: (event, by) => this.#replace(event, by),
    });
  }

  /**
   * Events that can be enabled. Of those that came after the instance the newest is the first; behind them are the others in the
   * order in which they came (__trace_add_new_event).
   */
  all(): readonly EventFile[] {
    const events = [...this.#process.events.all()].filter(({ system }) => system !== TRACERS);
    const younger = events.filter((event) => !this.#isOlder(event)).reverse();
    return [...younger, ...events.filter(this.#isOlder)].map((event) => this.of(event));
  }

  /** Events of a system. */
  ofSystem(system: string): readonly EventFile[] {
    return this.all().filter(({ event }) => event.system === system);
  }

  find(system: string, name: string): EventFile | undefined {
    const event = system === TRACERS ? undefined : this.#process.events.find(system, name);
    return event && this.of(event);
  }

  /** Finds an event, also one of the tracers, if it can have triggers (__find_event_file). */
  findWithTriggers(system: string, name: string): EventFile | undefined {
    const event = this.#process.events.find(system, name);
    return event?.system === TRACERS && !event.hasTrigger ? undefined : event && this.of(event);
  }

  /** An event as a command of set_ftrace_filter names it. */
  switchable(system: string, name: string): ProbeEvent | undefined {
    const file = this.find(system, name);
    return file && { system, name, index: file.word };
  }

  /** Keeps the events called that the commands of set_ftrace_filter switch now, and no others that they switched before. */
  async setSwitched(events: Iterable<ProbeEvent>): Promise<void> {
    const before = this.#switched;
    const now = new Set([...events].flatMap(({ system, name }) => this.find(system, name) ?? []));
    const come = [...now].filter((file) => !before.has(file));
    const gone = [...before].filter((file) => !now.has(file));
    this.#switched = now;
    for (const file of come) file.beginSoft();
    for (const file of gone) file.endSoft();
    await this.apply([...come, ...gone]);
  }

  /** An event's state in this instance. ENOMEM when there are too many. */
  of(known: TraceEvent): EventFile {
    const event = known.isOpen ? (this.#process.events.find(known.system, known.name) ?? known) : known;
    let file = this.#files.get(event);
    if (file === undefined) {
      const word = this.#process.eventWords.take(0);
      if (word === undefined) throw new TraceError('ENOMEM', 'there are too many events');
      file = new EventFile(event, this.#process.eventWords, word);
      this.#files.set(event, file);
    }
    return file;
  }

  /** Enables or disables events. */
  async setEnabled(files: readonly EventFile[], on: boolean): Promise<void> {
    for (const file of files) file.setEnabled(on);
    await this.apply(files);
  }

  /** Tells the threads how these events are now. */
  async apply(files: readonly EventFile[]): Promise<void> {
    const attached = files.flatMap((file) => this.#attachedTo(file) ?? []);
    await this.#setEvents([...files, ...attached].map((file) => [file.event, file.config()]));
  }

  /** The event to which an event probe is attached, if it has to be told of it. */
  #attachedTo({ event, isEnabled }: EventFile): EventFile | undefined {
    if (event.attached === undefined) return undefined;
    const target = this.find(...(event.attached.split('.') as [string, string]));
    return target?.setCause(`${event.system}:${event.name}`, isEnabled) === true ? target : undefined;
  }

  /**
   * Adds a trigger, and keeps the event called while it has one.
   * @throws TraceError EEXIST if it has one of its type; ENOMEM when there are too many
   */
  async addTrigger(file: EventFile, trigger: Trigger): Promise<void> {
    const { target, count } = trigger;
    const switched = target && this.find(target.system, target.event);
    const { eventWords } = this.#process;
    addTrigger(file.triggers, { ...trigger, word: undefined, switched });
    const word = count < 0 ? undefined : eventWords.take(Math.min(count, MAX_COUNT));
    file.triggers = addTrigger(file.triggers, { ...trigger, word, switched });
    file.beginSoft();
    switched?.beginSoft();
    await this.apply(switched === undefined ? [file] : [switched, file]);
  }

  /** Removes the trigger of a type; nothing if there is none. */
  async removeTrigger(file: EventFile, removal: Pick<Trigger, 'name' | 'target'>): Promise<void> {
    const removed = triggerToRemove(file.triggers, removal);
    if (removed === undefined) return;
    file.triggers = file.triggers.filter((one) => one !== removed);
    file.endSoft();
    removed.switched?.endSoft();
    await this.apply(removed.switched === undefined ? [file] : [file, removed.switched]);
    if (removed.word !== undefined) this.#process.eventWords.free(removed.word);
  }

  /**
   * Removes the triggers that `>` removes, apart from those of histograms: enable_hist and disable_hist (hist_enable_unreg_all).
   */
  async removeHistSwitches(file: EventFile): Promise<void> {
    const switches = file.triggers.filter(({ name }) => TRIGGERS[name].type === 'hist-switch');
    for (const one of switches) await this.removeTrigger(file, one);
  }

  /** How often a trigger still acts; below 0 always. */
  countOf({ word, count }: EventTrigger): number {
    if (word === undefined) return count;
    const left = Atomics.load(this.#process.eventWords.words, word);
    return count - (Math.min(count, MAX_COUNT) - left);
  }

  /** The instance is removed. */
  end(): void {
    this.#unwatch();
    for (const event of [...this.#files.keys()]) this.#forget(event);
  }

  /** Once for all events that go together: thousands may. */
  #clearSoon(clear: () => void): void {
    if (this.#isClearing) return;
    this.#isClearing = true;
    queueMicrotask(() => {
      this.#isClearing = false;
      clear();
    });
  }

  #replace(event: TraceEvent, by: TraceEvent): void {
    const file = this.#files.get(event);
    if (file === undefined) return;
    this.#files.delete(event);
    file.replaceEvent(by);
    this.#files.set(by, file);
    const config = file.config();
    // A thread that is blocked learns of it when it runs again.
    if (config !== undefined) {
      void Promise.resolve(
        this.#setEvents([
          [event, undefined],
          [by, config],
        ]),
      ).catch(() => {});
    }
  }

  #forget(event: TraceEvent): void {
    const file = this.#files.get(event);
    if (file === undefined) return;
    this.#files.delete(event);
    this.#process.eventWords.free(file.word);
  }

  /** Whether several events are enabled: `0`, `1`, `X` for some, `?` if there is none (system_enable_read). */
  static shown(files: readonly EventFile[]): string {
    const states = new Set(files.map(({ isEnabled }) => isEnabled));
    if (states.size === 0) return '?\n';
    return states.size === 2 ? 'X\n' : states.has(true) ? '1\n' : '0\n';
  }
}
