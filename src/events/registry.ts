import { TraceError } from '../base/errno.js';
import type { EventDefinition, TraceEvent } from './define.js';
import type { FieldSpecs } from './fields.js';
import { FTRACE_EVENTS } from './ftrace-events.js';

/** Ids below are those of group ftrace (__TRACE_LAST_TYPE). */
const FIRST_ID = 20;
/** common_type has 16 bits. */
const LAST_ID = 0xffff;

/** Finds events by the id that their records carry. */
export interface EventsById<E = TraceEvent> {
  get(id: number): E | undefined;
}

/** All events: those of group ftrace, and those that were added at run time (kernel/trace/trace_output.c). */
export class EventRegistry implements EventsById {
  readonly #byId = new Map<number, TraceEvent>(Object.values(FTRACE_EVENTS).map((event) => [event.id, event]));
  readonly #lastId: number;
  #next = FIRST_ID;

  /** @param lastId the largest id that is given */
  constructor(lastId = LAST_ID) {
    this.#lastId = lastId;
  }

  get(id: number): TraceEvent | undefined {
    return this.#byId.get(id);
  }

  find(system: string, name: string): TraceEvent | undefined {
    return [...this.#byId.values()].find((event) => event.system === system && event.name === name);
  }

  /** The events of each system, in the order in which they came. */
  systems(): ReadonlyMap<string, readonly TraceEvent[]> {
    const systems = new Map<string, TraceEvent[]>();
    for (const event of this.#byId.values()) {
      const events = systems.get(event.system);
      if (events === undefined) systems.set(event.system, [event]);
      else events.push(event);
    }
    return systems;
  }

  /** Gives an event its id (register_trace_event). EEXIST when its system has one of that name, ENODEV when no id is left. */
  register<F extends FieldSpecs>(definition: EventDefinition<F>): TraceEvent<F> {
    const { system, name } = definition;
    if (this.find(system, name) !== undefined) throw new TraceError('EEXIST', `${system}:${name} exists`);
    const event = { ...definition, id: this.#freeId() };
    this.#byId.set(event.id, event);
    return event;
  }

  /** Removes an event (unregister_trace_event). Records with its id then have an unknown type. */
  unregister({ id }: TraceEvent): void {
    this.#byId.delete(id);
  }

  /** Ids are not reused while there are new ones: old records may still be in the buffers. */
  #freeId(): number {
    if (this.#next <= this.#lastId) return this.#next++;
    for (let id = FIRST_ID; id <= this.#lastId; id++) if (!this.#byId.has(id)) return id;
    throw new TraceError('ENODEV', `there are ${this.#byId.size} events already`);
  }
}
