import { TraceError } from '../../base/errno.js';
import type { TraceEvent } from '../../events/define.js';
import type { HistConfig } from '../../events/event-config.js';
import { parseFilter } from '../../events/filter/parse-filter.js';
import { type HistEvent, type HistNames, type HistTrigger, HistTriggers } from '../../events/hist/index.js';
import type { SyntheticEvents } from '../../events/synthetic/synthetic-events.js';
import type { EventFile } from './event-file.js';

/** What an instance's hist triggers need of it. */
export interface InstanceHistsNeeds {
  find(system: string, name: string): EventFile | undefined;
  of(event: TraceEvent): EventFile;
  /** Tells the threads how these events are now. */
  apply(files: readonly EventFile[]): Promise<void>;
  /** EINVAL for a clock that there is not. */
  setClock(name: string): Promise<void>;
  allocateSnapshot(): void | Promise<void>;
  logError(location: string, message: string, command: string, position: number): void;
}

/** What the hist triggers of all instances share. */
export interface SharedHists {
  readonly names: HistNames;
  readonly synthetic: SyntheticEvents;
}

/** The hist triggers of an instance: keeps the events of theirs called, and tells the threads. */
export class InstanceHists {
  readonly triggers: HistTriggers;
  readonly #needs: InstanceHistsNeeds;
  /** What a command has changed, until it is applied. */
  readonly #changed = new Set<EventFile>();
  readonly #pending: (void | Promise<void>)[] = [];

  constructor(needs: InstanceHistsNeeds, { names, synthetic }: SharedHists) {
    this.#needs = needs;
    this.triggers = new HistTriggers(
      {
        findEvent: (system, name) => needs.find(system, name)?.event,
        findSynthetic: (name) => synthetic.find(name),
        checkFilter: (event, filter) => void parseFilter(event as TraceEvent, filter),
        setClock: (name) => void this.#pending.push(needs.setClock(name)),
        prepareSnapshot: () => void this.#pending.push(needs.allocateSnapshot()),
        logError: (location, message, command, position) => needs.logError(location, message, command, position),
        attach: (trigger) => this.#attached(trigger),
        detach: (trigger) => this.#detached(trigger),
      },
      names,
    );
  }

  /**
   * Obeys what was written behind `hist:` or `!hist:`.
   * @throws TraceError as the kernel refuses it
   */
  async write(file: EventFile, text: string | undefined, isRemoval: boolean): Promise<void> {
    if (text === undefined) throw new TraceError('EINVAL', 'a hist trigger needs keys');
    if (file.event.isOpen) throw new TraceError('EINVAL', 'it has no fields before its first message: enable it first');
    try {
      this.triggers.write(file.event, text, isRemoval);
    } finally {
      await this.#settle();
    }
  }

  /** Removes the hist triggers of an event: its file `trigger` was opened with `>`. */
  async removeAll(file: EventFile): Promise<void> {
    this.triggers.removeAll(file.event);
    await this.#settle();
  }

  of(event: HistEvent): readonly HistTrigger[] {
    return this.triggers.of(event);
  }

  #attached(trigger: HistTrigger): void {
    const file = this.#needs.of(trigger.event as TraceEvent);
    file.beginSoft();
    this.#renew(file);
  }

  #detached(trigger: HistTrigger): void {
    const file = this.#needs.of(trigger.event as TraceEvent);
    file.endSoft();
    this.#renew(file);
  }

  #renew(file: EventFile): void {
    this.#changed.add(file);
    file.hists = this.triggers.of(file.event).map((trigger) => this.#config(file, trigger));
  }

  #config({ event }: EventFile, trigger: HistTrigger): HistConfig {
    const { id, filter } = trigger;
    const plan = this.triggers.plan(trigger);
    return filter === undefined ? { id, plan } : { id, plan, filter: parseFilter(event, filter) };
  }

  async #settle(): Promise<void> {
    const files = [...this.#changed];
    this.#changed.clear();
    await Promise.all(this.#pending.splice(0));
    await this.#needs.apply(files);
  }
}
