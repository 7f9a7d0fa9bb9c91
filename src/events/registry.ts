import { TraceError } from '../base/errno.js';
import type { EventDefinition, TraceEvent } from './define.js';
import type { FieldSpecs } from './fields.js';
import { FTRACE_EVENTS } from './ftrace-events.js';

/** Ids below are those of group ftrace (__TRACE_LAST_TYPE). */
export const FIRST_ID = 20;
/** common_type has 16 bits. */
export const LAST_ID = 0xffff;

/** Finds events by the id that their records carry. */
export interface EventsById<E = TraceEvent> {
  get(id: number): E | undefined;
}

/** Can keep an event from being removed, and is told when one was. */
export interface EventWatcher {
  uses(event: TraceEvent): boolean;
  gone(event: TraceEvent): void;
  /** Another event has taken its place. */
  replaced?(event: TraceEvent, by: TraceEvent): void;
  /** An event was added at run time. */
  came?(event: TraceEvent): void;
}

/** Finds events by their names, too. */
export interface Events<E = TraceEvent> extends EventsById<E> {
  find(system: string, name: string): E | undefined;
}

/** A tracepoint: what probes of it are called with. */
export interface EventTracepoint {
  readonly system: string;
  readonly name: string;
  readonly args: readonly string[];
}

/** All events: those of group ftrace, and those that were added at run time (kernel/trace/trace_output.c). */
export class EventRegistry implements Events {
  readonly #byId = new Map<number, TraceEvent>();
  readonly #byName = new Map<string, TraceEvent>();
  readonly #lastId: number;
  #first: (() => readonly EventDefinition[]) | undefined;
  readonly #watchers = new Set<EventWatcher>();
  /** Tracepoints that are no events, by name. */
  readonly #tracepoints = new Map<string, EventTracepoint>();
  #next = FIRST_ID;
  #lastOfFirst = FIRST_ID - 1;
  /** Called with each event that is added at run time. */
  onRegister: (event: TraceEvent) => void = () => {};

  /**
   * @param first returns further events that are there from the start; called with the first look at anything but group ftrace
   * @param lastId the largest id that is given
   */
  constructor(first?: () => readonly EventDefinition[], lastId = LAST_ID) {
    this.#first = first;
    this.#lastId = lastId;
    for (const event of Object.values(FTRACE_EVENTS)) this.#add(event);
  }

  /** In the order in which they came. */
  all(): Iterable<TraceEvent> {
    this.#addFirst();
    return this.#byId.values();
  }

  get(id: number): TraceEvent | undefined {
    if (id >= FIRST_ID) this.#addFirst();
    return this.#byId.get(id);
  }

  find(system: string, name: string): TraceEvent | undefined {
    if (system !== 'ftrace') this.#addFirst();
    return this.#byName.get(`${system}:${name}`);
  }

  /** Tells which events were there from the start, or are there now: the events that come later come first in an instance. */
  present(): (event: TraceEvent) => boolean {
    const lastId = this.#next - 1;
    return ({ id }) => id <= Math.max(lastId, this.#lastOfFirst);
  }

  /** The events of each system, in the order in which they came. */
  systems(): ReadonlyMap<string, readonly TraceEvent[]> {
    const systems = new Map<string, TraceEvent[]>();
    for (const event of this.all()) {
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
    this.#add(event);
    this.onRegister(event);
    for (const watcher of [...this.#watchers]) watcher.came?.(event);
    return event;
  }

  /** There is a tracepoint that is no event. The first of a name counts. */
  addTracepoint(tracepoint: EventTracepoint): void {
    if (!this.#tracepoints.has(tracepoint.name)) this.#tracepoints.set(tracepoint.name, tracepoint);
  }

  /** The tracepoint of a name, with an event or without. */
  tracepoint(name: string): EventTracepoint | undefined {
    for (const event of this.all()) if (event.name === name && event.args !== undefined) return { ...event, args: event.args };
    return this.#tracepoints.get(name);
  }

  /** Asks `watcher` before events go, until the returned function is called. */
  watch(watcher: EventWatcher): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  /** Whether a watcher uses the event, so that it cannot be removed. */
  isUsed(event: TraceEvent): boolean {
    return [...this.#watchers].some((watcher) => watcher.uses(event));
  }

  /**
   * Removes an event (unregister_trace_event). Records with its id then have an unknown type.
   * @throws TraceError EBUSY while a watcher uses it
   */
  unregister(event: TraceEvent): void {
    const { id, system, name } = event;
    if (this.isUsed(event)) throw new TraceError('EBUSY', `${system}:${name} is in use`);
    for (const watcher of [...this.#watchers]) watcher.gone(event);
    this.#byId.delete(id);
    this.#byName.delete(`${system}:${name}`);
  }

  /** Gives the place of an open event to one that has its fields, and a new id: there may be records of the other. */
  replace(open: TraceEvent, definition: EventDefinition): TraceEvent {
    const event = { ...definition, id: this.#freeId() };
    this.#byId.delete(open.id);
    this.#add(event);
    for (const watcher of [...this.#watchers]) watcher.replaced?.(open, event);
    this.onRegister(event);
    return event;
  }

  #add(event: TraceEvent): void {
    this.#byId.set(event.id, event);
    this.#byName.set(`${event.system}:${event.name}`, event);
  }

  #addFirst(): void {
    const first = this.#first;
    if (first === undefined) return;
    this.#first = undefined;
    for (const definition of first()) this.#lastOfFirst = this.register(definition).id;
  }

  /** Ids are not reused while there are new ones: old records may still be in the buffers. */
  #freeId(): number {
    while (this.#byId.has(this.#next)) this.#next++;
    if (this.#next <= this.#lastId) return this.#next++;
    for (let id = FIRST_ID; id <= this.#lastId; id++) if (!this.#byId.has(id)) return id;
    throw new TraceError('ENODEV', `there are ${this.#byId.size} events already`);
  }
}
