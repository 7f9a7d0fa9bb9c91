import type { Frame, Place } from '../place.js';
import type { RequestEvent } from './request-event.js';
import type {
  RequestOperations,
  RequestPlace,
  RequestRoute,
  RequestSettling,
  RequestsAnswer,
  RequestTimes,
  RequestWait,
  WaitKind,
} from './requests-answer.js';
import { waitKind } from './wait-kind.js';

/** The most contexts that are remembered, the most collections, and the most requests of which all is kept. */
const CONTEXTS = 1 << 17;
const COLLECTIONS = 4096;
const SLOWEST = 20;
const MS = 1000;
/** The most operations of a request that are kept. */
const OPERATIONS = 10_000;
/** The most jobs that may still turn out to be asynchronous. */
const RETURNED = 1000;
/** Ids of the contexts of a cpu. */
const IDS = 2 ** 32;

interface Cause {
  readonly kind: WaitKind;
  readonly request?: number;
  /** The context of that request whose code settled what was awaited. */
  readonly by?: Context;
}

/** Synchronous operations of one stack. */
interface Operation extends Stacked {
  readonly from: number;
  readonly owner: OpenRequest | undefined;
  seconds: number;
}

/** A wait that is not summed up yet; where the functions stood that awaited may be known later. */
interface Wait extends Cause {
  readonly seconds: number;
  addresses: readonly number[] | undefined;
  /** Who asked for the callback that was waited for, if it is not known who awaited that. */
  readonly asked?: readonly number[] | undefined;
}

/** A function that waited, and where in it. */
export interface WaitingPlace {
  readonly frame: Frame;
  readonly awaits?: Place | undefined;
}

/** What was asked for: all that differs between requests and jobs. */
type Asked = Pick<RequestTimes, 'id' | 'method' | 'url' | 'message'> & { readonly route: string };

interface OpenRequest {
  readonly asked: Asked;
  readonly from: number;
  /** When it last ran. */
  last: number;
  thread: number;
  queued: number;
  readonly waits: Wait[];
  readonly operations: Operation[];
  isOver: boolean;
  /** For whom its thread ran when it began. */
  readonly outer: OpenRequest | undefined;
  /** What it had when the function of a job returned. */
  returned?: Pick<OpenRequest, 'thread' | 'queued'> & { readonly at: number; readonly waits: number };
}

/** What a stack follows that says who did it. */
interface Stacked {
  addresses?: readonly number[];
}

/** An async context. */
interface Context extends Stacked {
  readonly comm: string;
  owner: OpenRequest | undefined;
  /** The callback in which it was made, or which it is itself; absent: it is not known. */
  readonly callback?: Context | undefined;
  ready?: { readonly at: number; readonly cause: Cause };
}

/** What runs on a thread. */
interface Run {
  readonly context: number;
  owner: OpenRequest | undefined;
  /** Since when it runs for its owner. */
  from: number;
  readonly cause: Cause;
}

type Finished = Pick<OpenRequest, 'asked' | 'from' | 'thread' | 'queued' | 'operations'> & {
  readonly waits: readonly Wait[];
  readonly to: number;
  readonly status: number | undefined;
};

/** The context of a callback: what it makes comes from itself. */
function newCallback(comm: string, owner: OpenRequest | undefined): Context {
  const made: { -readonly [Key in keyof Context]: Context[Key] } = { comm, owner };
  made.callback = made;
  return made;
}

const NOTHING: Cause = { kind: 'other' };
/** Kinds of contexts whose work goes on with what made it ready. */
const FOLLOWS = /^(?:PROMISE|TickObject|Microtask)$/;

/**
 * Sums up where the time of requests, or of jobs, went, from the events of their threads in the order of the trace. What a
 * request's code makes belongs to the request: its promises, timers, operations. A thread's time belongs to whose context runs.
 * Between two runs of a request's contexts it waits for what made the second one ready, and then for the thread.
 */
export class RequestFold {
  readonly #contexts = new Map<number, Context>();
  readonly #runs = new Map<number, Run>();
  /** By cpu: what a stack that follows belongs to. */
  readonly #stacked = new Map<number, Stacked>();
  readonly #operations = new Map<number, Operation>();
  readonly #open = new Map<number, OpenRequest>();
  /** Jobs whose function has returned. They are over, unless a message says of any that it goes on. */
  readonly #returned = new Map<number, OpenRequest>();
  #areAsync = false;
  #finished = 0;
  #lost = 0;
  #slowest: Finished[] = [];
  readonly #routes = new Map<string, { times: number[]; thread: number; queued: number }>();
  readonly #collections: { readonly from: number; readonly to: number }[] = [];

  take(event: RequestEvent): void {
    if (event.type === 'switch') this.#switch(event);
    else if (event.type === 'ready') this.#ready(event);
    else if (event.type === 'new') this.#new(event);
    else if (event.type === 'stack') this.#stack(event);
    else if (event.type === 'request') this.#beginRequest(event);
    else if (event.type === 'answered') this.#end(event, event.status);
    else if (event.type === 'job') this.#begin(event, { id: event.id, message: event.message, route: event.name });
    else if (event.type === 'returned') this.#return(event);
    else if (event.type === 'finished') this.#finish(event);
    else if (event.type === 'operation') this.#beginOperation(event);
    else if (event.type === 'operated') this.#endOperation(event);
    else if (event.type === 'lost') this.#lost += event.count;
    else {
      this.#collections.push({ from: event.from, to: event.from + event.seconds });
      if (this.#collections.length > COLLECTIONS) this.#collections.shift();
    }
  }

  /** @param placeOf the function of the application that an address lies in; undefined: it is in none */
  answer(
    about: Pick<RequestsAnswer, 'pid' | 'application' | 'channel'>,
    placeOf: (address: number) => WaitingPlace | undefined,
  ): RequestsAnswer {
    if (!this.#areAsync) for (const key of [...this.#returned.keys()]) this.#endReturned(key);
    return {
      answer: 'requests',
      version: 1,
      ...about,
      finished: this.#finished,
      open: this.#open.size,
      lost: this.#lost,
      routes: [...this.#routes].map(([route, one]) => routeOf(route, one)).sort((a, b) => b.maxMs - a.maxMs),
      slowest: this.#slowest.map((one) => this.#times(one, placeOf)),
    };
  }

  #switch({ at, cpu, next, comm, isInside }: Extract<RequestEvent, { type: 'switch' }>): void {
    const before = this.#runs.get(cpu);
    this.#stop(before, at);
    if (next === 0) {
      this.#runs.delete(cpu);
      return;
    }
    const context = this.#context(cpu, next, comm);
    const cause = FOLLOWS.test(comm) ? (context.ready?.cause ?? NOTHING) : { kind: waitKind(comm) };
    // A call in a context of its own is part of what calls it.
    const owner = context.owner ?? (isInside ? before?.owner : undefined);
    if (owner !== undefined && !owner.isOver) this.#goOn(owner, context, cause, at);
    this.#runs.set(cpu, { context: next, owner, from: at, cause });
  }

  /** A request runs again: it has waited. */
  #goOn(owner: OpenRequest, { comm, ready, addresses }: Context, cause: Cause, at: number): void {
    const readyAt = Math.min(at, Math.max(owner.last, ready?.at ?? at));
    owner.queued += at - readyAt;
    const who = FOLLOWS.test(comm) ? { addresses } : { addresses: undefined, asked: addresses };
    if (readyAt > owner.last) owner.waits.push({ ...cause, seconds: readyAt - owner.last, ...who });
    owner.last = at;
  }

  #stop(run: Run | undefined, at: number): void {
    const owner = run?.owner;
    if (run === undefined || owner === undefined || owner.isOver) return;
    owner.thread += Math.max(0, at - Math.max(run.from, owner.last));
    owner.last = Math.max(owner.last, at);
  }

  #ready({ at, cpu, context: id }: Extract<RequestEvent, { type: 'ready' }>): void {
    const context = this.#contexts.get(cpu * IDS + id);
    if (context === undefined) return;
    const run = this.#runs.get(cpu);
    const isOthers = run?.owner !== undefined && context.owner !== undefined && run.owner !== context.owner;
    const by = run && this.#contexts.get(cpu * IDS + run.context);
    // A handle may have been made for another request, and serve this one: a connection of a pool.
    const cause: Cause =
      isOthers && by !== undefined && (FOLLOWS.test(by.comm) || by.comm === 'Timeout')
        ? { kind: 'request', request: run.owner!.asked.id, by }
        : (run?.cause ?? { kind: waitKind(context.comm) });
    context.ready = { at, cause };
    const last = context.owner?.waits.at(-1);
    // What was waited for has run, and makes the function ready that awaited it.
    if (last !== undefined && FOLLOWS.test(context.comm)) last.addresses ??= context.addresses;
  }

  #new({ cpu, context, comm }: Extract<RequestEvent, { type: 'new' }>): void {
    const run = this.#runs.get(cpu);
    const callback = run && this.#contexts.get(cpu * IDS + run.context)?.callback;
    const made: Context = FOLLOWS.test(comm) ? { comm, owner: run?.owner, callback } : newCallback(comm, run?.owner);
    this.#contexts.set(cpu * IDS + context, made);
    this.#stacked.set(cpu, made);
    if (this.#contexts.size > CONTEXTS) this.#forget();
  }

  /** Forgets the contexts of what is over, and the oldest of the others if these are still too many. */
  #forget(): void {
    for (const [id, { owner }] of this.#contexts) if (owner?.isOver === true) this.#contexts.delete(id);
    for (const id of this.#contexts.keys()) {
      if (this.#contexts.size <= CONTEXTS / 2) return;
      this.#contexts.delete(id);
    }
  }

  #stack({ cpu, addresses }: Extract<RequestEvent, { type: 'stack' }>): void {
    const stacked = this.#stacked.get(cpu);
    if (stacked !== undefined) stacked.addresses ??= addresses;
    this.#stacked.delete(cpu);
  }

  #beginOperation({ at, cpu, id }: Extract<RequestEvent, { type: 'operation' }>): void {
    const owner = this.#runs.get(cpu)?.owner;
    const operation: Operation = { from: at, owner, seconds: 0 };
    this.#operations.set(cpu * IDS + id, operation);
    this.#stacked.set(cpu, operation);
  }

  #endOperation({ at, cpu, id }: Extract<RequestEvent, { type: 'operated' }>): void {
    const key = cpu * IDS + id;
    const operation = this.#operations.get(key);
    this.#operations.delete(key);
    const operations = operation?.owner?.isOver === false ? operation.owner.operations : undefined;
    if (operation === undefined || operations === undefined || operations.length >= OPERATIONS) return;
    operation.seconds = at - operation.from;
    operations.push(operation);
  }

  #beginRequest(event: Extract<RequestEvent, { type: 'request' }>): void {
    const { cpu, id, method, url } = event;
    const request = this.#begin(event, { id, method, url, route: routeName(method, url) });
    // The context of a request is its own; a job may begin in that of a loop.
    const run = this.#runs.get(cpu);
    if (run !== undefined && run.context !== 0) this.#context(cpu, run.context, '').owner = request;
  }

  #begin({ at, cpu }: RequestEvent, asked: Asked): OpenRequest {
    const run = this.#runs.get(cpu);
    this.#stop(run, at);
    const outer = run?.owner?.isOver === false ? run.owner : undefined;
    const request: OpenRequest = {
      asked,
      from: at,
      last: at,
      thread: 0,
      queued: 0,
      waits: [],
      operations: [],
      isOver: false,
      outer,
    };
    this.#open.set(cpu * IDS + asked.id, request);
    if (run === undefined) this.#runs.set(cpu, { context: 0, owner: request, from: at, cause: NOTHING });
    else [run.owner, run.from] = [request, at];
    return request;
  }

  /** The code that began a job goes on. */
  #return({ at, cpu, id }: Extract<RequestEvent, { type: 'returned' }>): void {
    const key = cpu * IDS + id;
    const job = this.#open.get(key);
    if (job === undefined) return;
    this.#leave(job, at, cpu);
    const { thread, queued, waits } = job;
    job.returned = { at, thread, queued, waits: waits.length };
    if (this.#areAsync) return;
    this.#returned.set(key, job);
    if (this.#returned.size <= RETURNED) return;
    for (const oldest of this.#returned.keys()) {
      this.#endReturned(oldest);
      break;
    }
  }

  #leave(job: OpenRequest, at: number, cpu: number): void {
    const run = this.#runs.get(cpu);
    if (run?.owner !== job) return;
    this.#stop(run, at);
    const outer = job.outer?.isOver === false ? job.outer : undefined;
    run.owner = outer;
    // What the inner one ran is part of the outer one's time.
    run.from = outer?.last ?? at;
  }

  /** A job is over. If its message is another object than that which began it, it is the one that its thread runs for. */
  #finish(event: Extract<RequestEvent, { type: 'finished' }>): void {
    const { at, cpu, id } = event;
    const key = cpu * IDS + id;
    const job = this.#open.get(key) ?? this.#runs.get(cpu)?.owner;
    if (job === undefined || job.isOver) return;
    if (job.returned !== undefined) {
      this.#areAsync = true;
      this.#returned.clear();
    }
    this.#end({ ...event, id: job.asked.id }, undefined);
    this.#leave(job, at, cpu);
  }

  /** A job without anything asynchronous was over when it returned. */
  #endReturned(key: number): void {
    const job = this.#returned.get(key);
    this.#returned.delete(key);
    if (job?.returned === undefined) return;
    const { at, thread, queued, waits } = job.returned;
    this.#open.delete(key);
    job.isOver = true;
    const { asked, from, operations } = job;
    this.#keep({ asked, from, thread, queued, operations, waits: job.waits.slice(0, waits), to: at, status: undefined });
  }

  #end({ at, cpu, id }: { readonly at: number; readonly cpu: number; readonly id: number }, status: number | undefined): void {
    const key = cpu * IDS + id;
    const request = this.#open.get(key);
    if (request === undefined) return;
    this.#open.delete(key);
    const run = this.#runs.get(cpu);
    const kind = status === undefined ? 'other' : 'answer';
    if (run?.owner === request) this.#stop(run, at);
    else if (at > request.last) request.waits.push({ kind, seconds: at - request.last, addresses: undefined });
    request.isOver = true;
    const { asked, from, thread, queued, waits, operations } = request;
    this.#keep({ asked, from, thread, queued, waits, operations, to: at, status });
  }

  #keep(one: Finished): void {
    const { asked, from, to, thread, queued } = one;
    this.#finished++;
    this.#slowest.push(one);
    this.#slowest.sort((a, b) => b.to - b.from - (a.to - a.from));
    this.#slowest.length = Math.min(this.#slowest.length, SLOWEST);
    const route = this.#routes.get(asked.route) ?? { times: [], thread: 0, queued: 0 };
    route.times.push((to - from) * MS);
    route.thread += thread * MS;
    route.queued += queued * MS;
    this.#routes.set(asked.route, route);
  }

  #context(cpu: number, id: number, comm: string): Context {
    const key = cpu * IDS + id;
    const known = this.#contexts.get(key) ?? { comm, owner: undefined };
    this.#contexts.set(key, known);
    return known;
  }

  #times(
    { asked: { route: _route, ...asked }, status, from, to, thread, queued, waits, operations }: Finished,
    placeOf: (address: number) => WaitingPlace | undefined,
  ): RequestTimes {
    const collections = this.#collections.reduce(
      (sum, one) => sum + Math.max(0, Math.min(to, one.to) - Math.max(from, one.from)),
      0,
    );
    return {
      ...asked,
      ...(status !== undefined && { status }),
      ms: (to - from) * MS,
      threadMs: thread * MS,
      fileOperations: sumOperations(operations, placeOf),
      queuedMs: queued * MS,
      collectionsMs: collections * MS,
      waits: sumWaits(waits, placeOf),
    };
  }
}

function sumWaits(waits: readonly Wait[], placeOf: (address: number) => WaitingPlace | undefined): readonly RequestWait[] {
  const sums = new Map<string, RequestWait>();
  for (const { kind, request, by, seconds, addresses, asked } of waits) {
    const { frame, awaits } = firstOf(addresses ?? [], placeOf) ?? firstOf(asked ?? [], placeOf) ?? {};
    const settled = by && settlingOf(by, placeOf);
    const key = [kind, request, frame?.name, placeKey(frame?.place), placeKey(awaits)].join(' ');
    const known = sums.get(key);
    sums.set(key, {
      kind,
      ...(request !== undefined && { request }),
      ms: (known?.ms ?? 0) + seconds * MS,
      count: (known?.count ?? 0) + 1,
      ...(frame && { frame }),
      ...(awaits && { awaits }),
      ...(settled && { settled }),
    });
  }
  return [...sums.values()].sort((a, b) => b.ms - a.ms);
}

function sumOperations(
  operations: readonly Operation[],
  placeOf: (address: number) => WaitingPlace | undefined,
): readonly RequestOperations[] {
  const sums = new Map<string, RequestOperations>();
  for (const { seconds, addresses } of operations) {
    const place = placeIn(addresses, placeOf);
    const key = [place?.frame.name, placeKey(place?.frame.place), placeKey(place?.at)].join(' ');
    const known = sums.get(key);
    sums.set(key, { ms: (known?.ms ?? 0) + seconds * MS, count: (known?.count ?? 0) + 1, ...place });
  }
  return [...sums.values()].sort((a, b) => b.ms - a.ms);
}

function placeIn(
  addresses: readonly number[] | undefined,
  placeOf: (address: number) => WaitingPlace | undefined,
): RequestPlace | undefined {
  const found = firstOf(addresses ?? [], placeOf);
  return found && { frame: found.frame, ...(found.awaits && { at: found.awaits }) };
}

/** Who settled what a request awaited, from a context of another request. */
function settlingOf(by: Context, placeOf: (address: number) => WaitingPlace | undefined): RequestSettling | undefined {
  const settler = FOLLOWS.test(by.comm) ? placeIn(by.addresses, placeOf) : undefined;
  const callback = placeIn(by.callback?.addresses, placeOf);
  if (settler === undefined && callback === undefined) return undefined;
  return {
    ...(settler && { by: settler }),
    ...(callback && { callback: { kind: waitKind(by.callback!.comm), ...callback } }),
  };
}

/** The innermost function of the application. */
function firstOf(addresses: readonly number[], placeOf: (address: number) => WaitingPlace | undefined): WaitingPlace | undefined {
  for (const address of addresses) {
    const found = placeOf(address);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Waits on one line are equal: a call that makes a promise, and the `await` of it. */
const placeKey = (place: Place | undefined): string => (place === undefined ? '' : `${place.file}:${place.line}`);

/** Numbers, hexadecimal ids and UUIDs. */
const ID = /^(?:\d+|[0-9a-f]{8,}|[0-9a-f]{8}-[0-9a-f-]{27})$/i;

/** The route of a request: `GET /items/:id`. */
export const routeName = (method: string, url: string): string => {
  const [path = ''] = url.split(/[?#]/, 1);
  return `${method} ${path
    .split('/')
    .map((part) => (ID.test(part) ? ':id' : part))
    .join('/')}`;
};

function routeOf(
  route: string,
  { times, thread, queued }: { readonly times: readonly number[]; readonly thread: number; readonly queued: number },
): RequestRoute {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (part: number): number => sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? 0;
  return {
    route,
    count: sorted.length,
    p50Ms: at(0.5),
    p90Ms: at(0.9),
    p99Ms: at(0.99),
    maxMs: at(1),
    threadMs: thread / sorted.length,
    queuedMs: queued / sorted.length,
  };
}
