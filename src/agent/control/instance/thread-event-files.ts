import type { TracedThread, TracedThreads } from '../../../arch/port.js';
import type { TraceEvent } from '../../../events/define.js';
import type { EventConfig } from '../../../events/event-config.js';

/** What the threads are told of the events of an instance. */
export class ThreadEventFiles {
  readonly #instance: number;
  readonly #threads: Pick<TracedThreads, 'living'>;
  readonly #memory: SharedArrayBuffer;
  readonly #wanted = new Map<TraceEvent, EventConfig>();

  /** @param memory of the EventWords */
  constructor(instance: number, threads: Pick<TracedThreads, 'living'>, memory: SharedArrayBuffer) {
    this.#instance = instance;
    this.#threads = threads;
    this.#memory = memory;
  }

  /** Has every thread record the event so, those that start later too; undefined: not any more. */
  set(event: TraceEvent, config: EventConfig | undefined): void {
    const isNew = !this.#wanted.has(event);
    if (config === undefined) this.#wanted.delete(event);
    else this.#wanted.set(event, config);
    if (config === undefined && isNew) return;
    for (const thread of this.#threads.living) this.#tell(thread, event, config);
  }

  addThread(thread: TracedThread): void {
    for (const [event, config] of this.#wanted) this.#tell(thread, event, config);
  }

  /** The instance is removed. */
  end(): void {
    for (const event of [...this.#wanted.keys()]) this.set(event, undefined);
  }

  #tell(thread: TracedThread, event: TraceEvent, config: EventConfig | undefined): void {
    const command = { type: 'event', instance: this.#instance, event, memory: this.#memory } as const;
    thread.post(config === undefined ? command : { ...command, config });
  }
}
