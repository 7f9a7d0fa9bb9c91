import { routeName } from '../answers/requests/fold-requests.js';
import { CONTEXT_EVENTS } from '../answers/timeline/context-events.js';
import type { Call, Track, VisitedEvent } from '../output/trace-dat/calls/call-visitor.js';

/** A request that code runs for. */
export interface RequestOwner {
  /** The `id` of its events. */
  readonly id: number;
  /** `GET /items/:id` */
  readonly route: string;
}

/** What runs on a thread. */
interface Running {
  readonly pid: number;
  readonly comm: string;
  owner: RequestOwner | undefined;
}

/** The most contexts that are remembered; a program makes new ones with each request. */
const MOST_CONTEXTS = 1 << 17;
const FORK = 'sched_process_fork';
const START = 'server_request_start';

/**
 * For which request a thread's code runs, and in which context, from the events of `sched` and `http`: a context that a request's
 * code makes is the request's. Without these events nothing is known.
 */
export class RequestOwners {
  /** By the track's index. */
  readonly #running: (Running | undefined)[] = [];
  /** By process and context. */
  readonly #owners = new Map<Track['process'], Map<number, RequestOwner>>();
  /** What an event means, by its id. */
  readonly #takers: (((event: VisitedEvent) => void) | null)[] = [];

  take(event: VisitedEvent): void {
    const { id } = event.format;
    let taker = this.#takers[id];
    if (taker === undefined) this.#takers[id] = taker = this.#takerOf(event);
    taker?.(event);
  }

  /** The request that a thread's code runs for now. */
  owner({ index }: Track): RequestOwner | undefined {
    return this.#running[index]?.owner;
  }

  /** The context of a call that begins now; undefined if contexts were not recorded. */
  context({ track, context }: Pick<Call, 'track' | 'context'>): number | undefined {
    return track.hasContexts ? context : this.#running[track.index]?.pid;
  }

  /** The type of the context that a thread is in now. */
  comm({ index }: Track): string | undefined {
    return this.#running[index]?.comm;
  }

  #takerOf({ format: { system, name } }: VisitedEvent): ((event: VisitedEvent) => void) | null {
    if (system === CONTEXT_EVENTS.system && name === CONTEXT_EVENTS.switch.event) return (event) => this.#switch(event);
    if (system === CONTEXT_EVENTS.system && name === FORK) return (event) => this.#fork(event);
    if (system === 'http' && name === START) return (event) => this.#start(event);
    return null;
  }

  #switch(event: VisitedEvent): void {
    const { next, comm } = CONTEXT_EVENTS.switch;
    const pid = Number(event.read(next));
    const owner = this.#owners.get(event.track.process)?.get(pid);
    this.#running[event.track.index] = pid === 0 ? undefined : { pid, comm: String(event.read(comm)), owner };
  }

  #fork(event: VisitedEvent): void {
    const owner = this.owner(event.track);
    if (owner !== undefined) this.#set(event.track, Number(event.read('child_pid')), owner);
  }

  #start(event: VisitedEvent): void {
    const { track } = event;
    const route = routeName(String(event.read('method')), String(event.read('url')));
    const owner = { id: Number(event.read('id')), route };
    const running = (this.#running[track.index] ??= { pid: event.context, comm: '', owner: undefined });
    running.owner = owner;
    this.#set(track, running.pid, owner);
  }

  #set({ process }: Track, pid: number, owner: RequestOwner): void {
    let owners = this.#owners.get(process);
    if (owners === undefined) this.#owners.set(process, (owners = new Map()));
    owners.delete(pid);
    owners.set(pid, owner);
    if (owners.size > MOST_CONTEXTS) owners.delete(owners.keys().next().value!);
  }
}
