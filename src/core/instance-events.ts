import { TraceError } from '../base/errno.js';
import type { TraceEvent } from '../events/define.js';
import type { EventConfig } from '../events/event-config.js';
import type { EventWords } from '../events/event-words.js';
import type { EventRegistry } from '../events/registry.js';
import { EventFile } from './event-file.js';

/** The system of what tracers record: its events cannot be enabled. */
const TRACERS = 'ftrace';

/** What an instance's events need of the process. */
export interface InstanceEventsNeeds {
  readonly events: EventRegistry;
  readonly eventWords: EventWords;
}

/** The part of the instance's backend that tells the threads. */
export interface EventBackend {
  /** Threads record the event in the instance so from now on; undefined: not any more. */
  setEvent(event: TraceEvent, config: EventConfig | undefined): void | Promise<void>;
}

/** The events of an instance, each with its state. */
export class InstanceEvents {
  readonly #process: InstanceEventsNeeds;
  readonly #backend: EventBackend;
  readonly #files = new Map<TraceEvent, EventFile>();

  constructor(process: InstanceEventsNeeds, backend: EventBackend) {
    this.#process = process;
    this.#backend = backend;
  }

  /** Those that can be enabled, in the order in which they came. */
  all(): readonly EventFile[] {
    const { events } = this.#process;
    return [...events.all()].filter(({ system }) => system !== TRACERS).map((event) => this.of(event));
  }

  /** Those of a system. */
  ofSystem(system: string): readonly EventFile[] {
    return this.all().filter(({ event }) => event.system === system);
  }

  find(system: string, name: string): EventFile | undefined {
    const event = system === TRACERS ? undefined : this.#process.events.find(system, name);
    return event && this.of(event);
  }

  /** An event's state in this instance. ENOMEM when there are too many. */
  of(event: TraceEvent): EventFile {
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
    await Promise.all(files.map((file) => this.#backend.setEvent(file.event, file.config())));
  }

  /** The event was removed. */
  forget(event: TraceEvent): void {
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
