import type { TraceEvent } from '../../events/define.js';
import type { EventConfig } from '../../events/event-config.js';
import type { EventWords } from '../../events/event-words.js';
import type { TracedThread, TracedThreads } from '../../port/port.js';

/** The part of an instance's pid lists that says whose events it records. */
export interface EventPids {
  /** Whether a thread's events are left out. */
  ignoresEvents(tid: number): boolean;
  /** The bit by which a thread learns whether the context that runs is left out; 0: none is. */
  readonly eventBit: number;
}

/** The id of no thread, as that of the kernel's idle task: no thread has this id. */
const NO_THREAD = 0;

/** What the threads are told of the events of an instance. */
export class ThreadEventFiles {
  readonly #instance: number;
  readonly #threads: Pick<TracedThreads, 'living'>;
  readonly #words: Pick<EventWords, 'memory'>;
  readonly #pids: EventPids;
  readonly #wanted = new Map<TraceEvent, EventConfig>();
  /** The threads that were told to leave the instance out. */
  readonly #ignored = new WeakSet<TracedThread>();
  #bit = 0;
  #ignoresUnknown = false;
  readonly #known = new Set<TraceEvent>();
  #new: TraceEvent[] = [];

  /**
   * @param pids what set_event_pid and set_event_notrace_pid say now
   */
  constructor(instance: number, threads: Pick<TracedThreads, 'living'>, words: Pick<EventWords, 'memory'>, pids: EventPids) {
    this.#instance = instance;
    this.#threads = threads;
    this.#words = words;
    this.#pids = pids;
  }

  /** Has every thread record the event so, those that start later too; undefined: not any more. */
  set(event: TraceEvent, config: EventConfig | undefined): void {
    const isNew = !this.#wanted.has(event);
    if (config === undefined) this.#wanted.delete(event);
    else this.#wanted.set(event, config);
    // An open event has no records.
    if (config !== undefined && event.isOpen !== true && !this.#known.has(event)) {
      this.#known.add(event);
      this.#new.push(event);
    }
    if (config === undefined && isNew) return;
    for (const thread of this.#threads.living) this.#tell(thread, event, config);
  }

  /** Events that were first wanted since the last call. */
  newEvents(): readonly TraceEvent[] {
    const events = this.#new;
    this.#new = [];
    return events;
  }

  addThread(thread: TracedThread): void {
    if (this.#pids.ignoresEvents(thread.tid)) this.#ignored.add(thread);
    this.#tellAll(thread);
  }

  /** The lists of tasks have changed. */
  applyPids(): void {
    const { eventBit } = this.#pids;
    const ignoresUnknown = this.#pids.ignoresEvents(NO_THREAD);
    const isNew = eventBit !== this.#bit || ignoresUnknown !== this.#ignoresUnknown;
    this.#bit = eventBit;
    this.#ignoresUnknown = ignoresUnknown;
    for (const thread of this.#threads.living) {
      const isIgnored = this.#pids.ignoresEvents(thread.tid);
      if (isIgnored === this.#ignored.has(thread) && !isNew) continue;
      if (isIgnored) this.#ignored.add(thread);
      else this.#ignored.delete(thread);
      this.#tellAll(thread);
    }
  }

  /** The instance is removed. */
  end(): void {
    for (const event of [...this.#wanted.keys()]) this.set(event, undefined);
  }

  #tellAll(thread: TracedThread): void {
    for (const [event, config] of this.#wanted) this.#tell(thread, event, config);
  }

  #tell(thread: TracedThread, event: TraceEvent, config: EventConfig | undefined): void {
    const command = { type: 'event', instance: this.#instance, event, memory: this.#words.memory } as const;
    const isIgnored = this.#ignored.has(thread);
    const said = {
      ...(isIgnored && { isIgnored }),
      ...(this.#ignoresUnknown && { ignoresUnknown: true }),
      ...(this.#bit !== 0 && { ignoredBit: this.#bit }),
    };
    thread.post(config === undefined ? command : { ...command, config: { ...config, ...said } });
  }
}
