import { CONTEXT_EVENTS } from '../answers/timeline/context-events.js';
import {
  type Counter,
  EVENT_COUNTERS,
  type EventCounter,
  LOOP_UTILIZATION,
  OPEN_COUNTERS,
  type OpenCounter,
} from '../answers/timeline/counters.js';
import { EVENT_PAIRS, EVENT_SPANS, type EventSpan, SYSCALL_PAIRS } from '../answers/timeline/event-pairs.js';
import type { EventFormat } from '../events/define.js';
import type { ReadValue, Track, VisitedEvent } from '../output/trace-dat/calls/call-visitor.js';

/** A stretch of time between two events. Those of a kind that overlap are on different lanes. */
export interface Stretch {
  readonly kind: string;
  /** The row among those of its kind, from 0. */
  readonly lane: number;
  readonly title: string;
  readonly system: string;
  /** Where it began. */
  readonly track: Track;
  /** A number that no other stretch has. */
  readonly id: number;
}

/** An async context, or a task. */
export interface RunningContext {
  readonly pid: number;
  readonly comm: string;
}

/** What a viewer shows of events. Times are ns of the recording's clock. */
export interface TimelineSink {
  /** An event at its moment. `flow`: it lets a context run, which says so by the same number. */
  event(event: VisitedEvent, flow: number | undefined): void;
  /** A stretch begins; `event` has its facts. */
  begin(stretch: Stretch, time: number, event: VisitedEvent): void;
  /** A stretch ends; without an event where the recording ends. */
  end(stretch: Stretch, time: number, event: VisitedEvent | undefined): void;
  /** A context begins to run on a thread. `flow`: what let it run. */
  run(track: Track, context: RunningContext, time: number, flow: number | undefined): void;
  /** The context that runs on a thread does not run any more. */
  pause(track: Track, context: RunningContext, time: number): void;
  counter(track: Track, counter: Counter, time: number, value: number): void;
}

/** The most things of a kind that are remembered: ends may be missing. */
const MOST_OPEN = 65_536;
/** Characters of a title. */
const MAX_TITLE = 256;

type Handler = (event: VisitedEvent) => void;

const numberOf = (value: ReadValue | undefined): number => Number(value ?? Number.NaN);

const titleOf = (event: VisitedEvent, fields: readonly string[]): string =>
  fields
    .map((field) => String(event.read(field) ?? ''))
    .filter((text) => text !== '')
    .join(' ')
    .slice(0, MAX_TITLE);

/** What is open in a process, or on a kernel's machine. */
class OpenThings {
  /** By what the things have in common, and their ids. */
  readonly stretches = new Map<string, Map<unknown, Stretch>>();
  /** By kind: the lanes that are taken; of spans, until when. */
  readonly lanes = new Map<string, boolean[]>();
  readonly ends = new Map<string, number[]>();
  /** By pid: the flow of the event that lets it run. */
  readonly wakeups = new Map<number, number>();
  readonly counted = new Map<Counter, Set<unknown>>();
}

const forgetOldest = (map: { readonly size: number; keys(): Iterator<unknown>; delete(key: never): boolean }): void => {
  if (map.size > MOST_OPEN) map.delete(map.keys().next().value as never);
};

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}

/** What runs on a thread, and since when its event loop is awake. */
interface ThreadState {
  context: RunningContext | undefined;
  awakeAt: number | undefined;
  asleepAt: number | undefined;
}

/**
 * Tells a viewer what events mean, by the tables of `answers/timeline/`: what belongs together as one stretch of time, which
 * context runs, what made it ready, and the numbers that change. Memory grows with what is open at a time.
 */
export class TimelineEvents {
  readonly #sink: TimelineSink;
  /** By the event's id. */
  readonly #handlers: (readonly Handler[])[] = [];
  /** By the event's id: the field with the context that it lets run; '' for other events. */
  readonly #wakers: string[] = [];
  readonly #things = new Map<unknown, OpenThings>();
  readonly #threads = new Map<Track, ThreadState>();
  #ids = 0;
  #flows = 0;
  #latest = 0;
  /** Whether the contexts of `sched` are async contexts: they are threads of a kernel otherwise, which have tracks anyway. */
  hasContexts = false;

  constructor(sink: TimelineSink) {
    this.#sink = sink;
  }

  take(event: VisitedEvent): void {
    this.#latest = Math.max(this.#latest, event.time);
    const { format } = event;
    const handlers = (this.#handlers[format.id] ??= this.#handlersOf(format));
    this.#sink.event(event, this.#wakeup(event));
    for (const handler of handlers) handler(event);
  }

  /** The recording ends: so does what is open. */
  finish(): void {
    for (const { stretches } of this.#things.values())
      for (const open of stretches.values())
        for (const stretch of open.values()) this.#sink.end(stretch, this.#latest, undefined);
    for (const [track, { context }] of this.#threads) if (context !== undefined) this.#sink.pause(track, context, this.#latest);
  }

  #handlersOf(format: EventFormat): readonly Handler[] {
    const { system, name, fields } = format;
    const handlers: Handler[] = [];
    for (const pair of EVENT_PAIRS) {
      if (pair.system !== system || !Object.hasOwn(fields, pair.id)) continue;
      if (pair.begin === name) handlers.push((event) => this.#begin(pair.begin, pair.kind, pair.id, pair.title, event));
      if (pair.end === name) handlers.push((event) => this.#end(pair.begin, pair.id, event));
    }
    handlers.push(...this.#syscallHandlers(format));
    for (const span of EVENT_SPANS) {
      if (span.system === system && span.event === name) handlers.push((event) => this.#span(span, event));
    }
    for (const counter of EVENT_COUNTERS) {
      if (counter.system === system && counter.event === name) handlers.push((event) => this.#count(counter, event));
    }
    for (const counter of OPEN_COUNTERS) {
      if (counter.system !== system) continue;
      if (counter.up === name) handlers.push((event) => this.#up(counter, event));
      if ((counter.down as readonly string[]).includes(name)) handlers.push((event) => this.#down(counter, event));
    }
    if (LOOP_UTILIZATION.system === system && LOOP_UTILIZATION.event === name) handlers.push((event) => this.#loop(event));
    if (this.hasContexts && system === CONTEXT_EVENTS.system && name === CONTEXT_EVENTS.switch.event)
      handlers.push((event) => this.#switch(event));
    return handlers;
  }

  #syscallHandlers({ system, name, fields }: EventFormat): readonly Handler[] {
    const { kind, begin, end, id } = SYSCALL_PAIRS;
    if (system !== SYSCALL_PAIRS.system || !Object.hasOwn(fields, id)) return [];
    if (name.startsWith(begin)) {
      const call = name.slice(begin.length);
      return [(event) => this.#begin(call, kind, id, [], event, call)];
    }
    return name.startsWith(end) ? [(event) => this.#end(name.slice(end.length), id, event)] : [];
  }

  #thingsOf({ process }: Track): OpenThings {
    return entryOf(this.#things, this.hasContexts ? process : undefined, () => new OpenThings());
  }

  #threadOf(track: Track): ThreadState {
    return entryOf(this.#threads, track, () => ({ context: undefined, awakeAt: undefined, asleepAt: undefined }));
  }

  #begin(pair: string, kind: string, idField: string, title: readonly string[], event: VisitedEvent, name?: string): void {
    const { track } = event;
    const things = this.#thingsOf(track);
    const open = entryOf(things.stretches, pair, () => new Map<unknown, Stretch>());
    const id = event.read(idField);
    const unended = open.get(id);
    if (unended !== undefined) this.#close(things, unended, event.time, undefined);
    const lanes = entryOf(things.lanes, kind, () => []);
    const free = lanes.indexOf(false);
    const lane = free < 0 ? lanes.length : free;
    lanes[lane] = true;
    const { system } = event.format;
    const stretch = { kind, lane, title: name ?? titleOf(event, title), system, track, id: ++this.#ids };
    open.set(id, stretch);
    this.#sink.begin(stretch, event.time, event);
    if (open.size <= MOST_OPEN) return;
    for (const [oldest, one] of open) {
      open.delete(oldest);
      this.#close(things, one, event.time, undefined);
      break;
    }
  }

  #end(pair: string, idField: string, event: VisitedEvent): void {
    const things = this.#thingsOf(event.track);
    const open = things.stretches.get(pair);
    const id = event.read(idField);
    const stretch = open?.get(id);
    if (stretch === undefined) return;
    open!.delete(id);
    this.#close(things, stretch, event.time, event);
  }

  #close(things: OpenThings, stretch: Stretch, time: number, event: VisitedEvent | undefined): void {
    things.lanes.get(stretch.kind)![stretch.lane] = false;
    this.#sink.end(stretch, time, event);
  }

  #span({ kind, start, duration, title }: EventSpan, event: VisitedEvent): void {
    const { track } = event;
    const took = numberOf(event.read(duration));
    const from = start === undefined ? event.time - took : numberOf(event.read(start));
    if (!(took >= 0 && from >= 0)) return;
    const ends = entryOf(this.#thingsOf(track).ends, kind, () => []);
    const free = ends.findIndex((end) => end <= from);
    const lane = free < 0 ? ends.length : free;
    ends[lane] = from + took;
    const stretch = { kind, lane, title: titleOf(event, title), system: event.format.system, track, id: ++this.#ids };
    this.#sink.begin(stretch, from, event);
    this.#sink.end(stretch, from + took, undefined);
  }

  #count(counter: EventCounter, event: VisitedEvent): void {
    const { field, where, since } = counter;
    if (where !== undefined && numberOf(event.read(where[0])) !== where[1]) return;
    const value = numberOf(event.read(field));
    const time = since === undefined ? event.time : since.reduce((sum, one) => sum + numberOf(event.read(one)), 0);
    if (Number.isFinite(value) && time >= 0) this.#sink.counter(event.track, counter, time, value);
  }

  #up(counter: OpenCounter, event: VisitedEvent): void {
    const { of } = counter;
    if (of !== undefined && !of[1].has(String(event.read(of[0])))) return;
    const counted = entryOf(this.#thingsOf(event.track).counted, counter, () => new Set<unknown>());
    counted.add(event.read(counter.upId));
    forgetOldest(counted);
    this.#sink.counter(event.track, counter, event.time, counted.size);
  }

  #down(counter: OpenCounter, event: VisitedEvent): void {
    const counted = this.#thingsOf(event.track).counted.get(counter);
    if (counted?.delete(event.read(counter.downId))) this.#sink.counter(event.track, counter, event.time, counted.size);
  }

  /** The loop sleeps or wakes up: how much of the time between two awakenings it was awake. */
  #loop(event: VisitedEvent): void {
    const { track, time } = event;
    const state = this.#threadOf(track);
    if (numberOf(event.read(LOOP_UTILIZATION.field)) !== LOOP_UTILIZATION.awake) {
      state.asleepAt = time;
      return;
    }
    const { awakeAt, asleepAt } = state;
    state.awakeAt = time;
    if (awakeAt === undefined || asleepAt === undefined || time <= awakeAt) return;
    this.#sink.counter(track, LOOP_UTILIZATION, awakeAt, (100 * Math.max(0, asleepAt - awakeAt)) / (time - awakeAt));
  }

  /** The number of the flow that begins with an event: the first that lets a context run. */
  #wakeup(event: VisitedEvent): number | undefined {
    const field = (this.#wakers[event.format.id] ??= this.#wakerOf(event.format));
    if (field === '') return undefined;
    const { wakeups } = this.#thingsOf(event.track);
    const pid = numberOf(event.read(field));
    if (wakeups.has(pid)) return undefined;
    const flow = ++this.#flows;
    wakeups.set(pid, flow);
    forgetOldest(wakeups);
    return flow;
  }

  #wakerOf({ system, name }: EventFormat): string {
    if (!this.hasContexts || system !== CONTEXT_EVENTS.system) return '';
    return CONTEXT_EVENTS.wakeups.find(({ event }) => event === name)?.pid ?? '';
  }

  #switch(event: VisitedEvent): void {
    const { track, time } = event;
    const { next, comm } = CONTEXT_EVENTS.switch;
    const state = this.#threadOf(track);
    if (state.context !== undefined) this.#sink.pause(track, state.context, time);
    const pid = numberOf(event.read(next));
    state.context = pid === 0 ? undefined : { pid, comm: String(event.read(comm)) };
    if (state.context === undefined) return;
    const { wakeups } = this.#thingsOf(track);
    const flow = wakeups.get(pid);
    wakeups.delete(pid);
    this.#sink.run(track, state.context, time, flow);
  }
}
