import type { Frame } from '../place.js';
import type { RequestEvent } from './request-event.js';
import type { RequestRoute, RequestsAnswer, RequestTimes, RequestWait, WaitKind } from './requests-answer.js';
import { waitKind } from './wait-kind.js';

/** The most contexts that are remembered, the most collections, and the most requests of which all is kept. */
const CONTEXTS = 1 << 18;
const COLLECTIONS = 4096;
const SLOWEST = 20;
const MS = 1000;

interface Cause {
  readonly kind: WaitKind;
  readonly request?: number;
}

/** A wait that is not summed up yet; the function that awaited may be known later. */
interface Wait extends Cause {
  readonly seconds: number;
  functions: readonly string[] | undefined;
}

interface OpenRequest {
  readonly id: number;
  readonly method: string;
  readonly url: string;
  readonly from: number;
  /** When it last ran. */
  last: number;
  thread: number;
  queued: number;
  readonly waits: Wait[];
  isOver: boolean;
}

/** An async context. */
interface Context {
  readonly comm: string;
  owner: OpenRequest | undefined;
  functions?: readonly string[];
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

type Finished = Omit<OpenRequest, 'last' | 'isOver'> & { readonly to: number; readonly status: number };

const NOTHING: Cause = { kind: 'other' };
/** Kinds of contexts whose work goes on with what made it ready. */
const FOLLOWS = /^(?:PROMISE|TickObject|Microtask)$/;

/**
 * Sums up where the time of requests went, from the events of their threads in the order of the trace. What a request's code
 * makes belongs to the request: its promises, timers, operations. A thread's time belongs to whose context runs. Between two runs
 * of a request's contexts it waits for what made the second one ready, and then for the thread.
 */
export class RequestFold {
  readonly #contexts = new Map<number, Context>();
  readonly #runs = new Map<number, Run>();
  readonly #made = new Map<number, Context>();
  readonly #open = new Map<string, OpenRequest>();
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
    else if (event.type === 'request') this.#begin(event);
    else if (event.type === 'answered') this.#end(event);
    else if (event.type === 'lost') this.#lost += event.count;
    else {
      this.#collections.push({ from: event.from, to: event.from + event.seconds });
      if (this.#collections.length > COLLECTIONS) this.#collections.shift();
    }
  }

  /** @param frameOf the place of a function of the application, by the name that stacks have; undefined: it is none */
  answer(about: Pick<RequestsAnswer, 'pid' | 'application'>, frameOf: (name: string) => Frame | undefined): RequestsAnswer {
    return {
      answer: 'requests',
      version: 1,
      ...about,
      finished: this.#finished,
      open: this.#open.size,
      lost: this.#lost,
      routes: [...this.#routes].map(([route, one]) => routeOf(route, one)).sort((a, b) => b.maxMs - a.maxMs),
      slowest: this.#slowest.map((one) => this.#times(one, frameOf)),
    };
  }

  #switch({ at, cpu, next, comm, isInside }: Extract<RequestEvent, { type: 'switch' }>): void {
    const before = this.#runs.get(cpu);
    this.#stop(before, at);
    if (next === 0) {
      this.#runs.delete(cpu);
      return;
    }
    const context = this.#context(next, comm);
    const cause = FOLLOWS.test(comm) ? (context.ready?.cause ?? NOTHING) : { kind: waitKind(comm) };
    // A call in a context of its own is part of what calls it.
    const owner = context.owner ?? (isInside ? before?.owner : undefined);
    if (owner !== undefined && !owner.isOver) this.#goOn(owner, context, cause, at);
    this.#runs.set(cpu, { context: next, owner, from: at, cause });
  }

  /** A request runs again: it has waited. */
  #goOn(owner: OpenRequest, { ready, functions }: Context, cause: Cause, at: number): void {
    const readyAt = Math.min(at, Math.max(owner.last, ready?.at ?? at));
    owner.queued += at - readyAt;
    if (readyAt > owner.last) owner.waits.push({ ...cause, seconds: readyAt - owner.last, functions });
    owner.last = at;
  }

  #stop(run: Run | undefined, at: number): void {
    const owner = run?.owner;
    if (run === undefined || owner === undefined || owner.isOver) return;
    owner.thread += Math.max(0, at - Math.max(run.from, owner.last));
    owner.last = Math.max(owner.last, at);
  }

  #ready({ at, cpu, context: id }: Extract<RequestEvent, { type: 'ready' }>): void {
    const context = this.#contexts.get(id);
    if (context === undefined) return;
    const run = this.#runs.get(cpu);
    const isOthers = run?.owner !== undefined && context.owner !== undefined && run.owner !== context.owner;
    const runs = run && this.#contexts.get(run.context)?.comm;
    // A handle may have been made for another request, and serve this one: a connection of a pool.
    const cause: Cause =
      isOthers && runs !== undefined && (FOLLOWS.test(runs) || runs === 'Timeout')
        ? { kind: 'request', request: run.owner!.id }
        : (run?.cause ?? { kind: waitKind(context.comm) });
    context.ready = { at, cause };
    const last = context.owner?.waits.at(-1);
    // What was waited for has run, and makes the function ready that awaited it.
    if (context.functions !== undefined && last !== undefined && last.functions === undefined) last.functions = context.functions;
  }

  #new({ cpu, context, comm }: Extract<RequestEvent, { type: 'new' }>): void {
    const made: Context = { comm, owner: this.#runs.get(cpu)?.owner };
    this.#contexts.set(context, made);
    this.#made.set(cpu, made);
    if (this.#contexts.size <= CONTEXTS) return;
    for (const oldest of this.#contexts.keys()) {
      this.#contexts.delete(oldest);
      break;
    }
  }

  #stack({ cpu, functions }: Extract<RequestEvent, { type: 'stack' }>): void {
    const made = this.#made.get(cpu);
    if (made !== undefined) made.functions ??= functions;
    this.#made.delete(cpu);
  }

  #begin({ at, cpu, id, method, url }: Extract<RequestEvent, { type: 'request' }>): void {
    const request: OpenRequest = { id, method, url, from: at, last: at, thread: 0, queued: 0, waits: [], isOver: false };
    this.#open.set(`${cpu} ${id}`, request);
    const run = this.#runs.get(cpu);
    if (run === undefined) return;
    this.#stop(run, at);
    run.owner = request;
    run.from = at;
    this.#context(run.context, '').owner = request;
  }

  #end({ at, cpu, id, status }: Extract<RequestEvent, { type: 'answered' }>): void {
    const key = `${cpu} ${id}`;
    const request = this.#open.get(key);
    if (request === undefined) return;
    this.#open.delete(key);
    const run = this.#runs.get(cpu);
    if (run?.owner === request) this.#stop(run, at);
    else if (at > request.last) request.waits.push({ kind: 'answer', seconds: at - request.last, functions: undefined });
    request.isOver = true;
    this.#finished++;
    const { last: _last, isOver: _isOver, ...finished } = request;
    this.#slowest.push({ ...finished, to: at, status });
    this.#slowest.sort((a, b) => b.to - b.from - (a.to - a.from));
    this.#slowest.length = Math.min(this.#slowest.length, SLOWEST);
    const name = routeName(request.method, request.url);
    const route = this.#routes.get(name) ?? { times: [], thread: 0, queued: 0 };
    route.times.push((at - request.from) * MS);
    route.thread += request.thread * MS;
    route.queued += request.queued * MS;
    this.#routes.set(name, route);
  }

  #context(id: number, comm: string): Context {
    const known = this.#contexts.get(id) ?? { comm, owner: undefined };
    this.#contexts.set(id, known);
    return known;
  }

  #times(
    { id, method, url, status, from, to, thread, queued, waits }: Finished,
    frameOf: (name: string) => Frame | undefined,
  ): RequestTimes {
    const collections = this.#collections.reduce(
      (sum, one) => sum + Math.max(0, Math.min(to, one.to) - Math.max(from, one.from)),
      0,
    );
    return {
      id,
      method,
      url,
      status,
      ms: (to - from) * MS,
      threadMs: thread * MS,
      queuedMs: queued * MS,
      collectionsMs: collections * MS,
      waits: sumWaits(waits, frameOf),
    };
  }
}

function sumWaits(waits: readonly Wait[], frameOf: (name: string) => Frame | undefined): readonly RequestWait[] {
  const sums = new Map<string, RequestWait>();
  for (const { kind, request, seconds, functions } of waits) {
    const frame = functions?.map(frameOf).find((one) => one !== undefined);
    const key = `${kind} ${request ?? ''} ${frame?.name ?? ''} ${frame?.place?.file ?? ''}:${frame?.place?.line ?? 0}`;
    const known = sums.get(key);
    sums.set(key, {
      kind,
      ...(request !== undefined && { request }),
      ms: (known?.ms ?? 0) + seconds * MS,
      count: (known?.count ?? 0) + 1,
      ...(frame && { frame }),
    });
  }
  return [...sums.values()].sort((a, b) => b.ms - a.ms);
}

/** Numbers, hexadecimal ids and UUIDs. */
const ID = /^(?:\d+|[0-9a-f]{8,}|[0-9a-f]{8}-[0-9a-f-]{27})$/i;

/** `GET /items/:id` */
const routeName = (method: string, url: string): string => {
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
