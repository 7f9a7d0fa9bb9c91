import { executionAsyncResource } from 'node:async_hooks';
import { int, pointer, string, symbol, type TraceField, u64, uint } from '../../tracepoint/fields.js';
import { replaceMethod } from '../realm/lookalike.js';
import { getOwnPropertyDescriptor, getPrototypeOf, reflectApply, SafeMap } from '../realm/primordials.js';
import { type Undo, undoAll } from '../realm/undo.js';
import { ownValue } from './boundary/values.js';
import { nodeEventSystem, type SourceThread, type TracepointsOf } from './node-event-system.js';
import { ContextTasks } from './sched/contexts.js';
import { type PoolQueue, type PoolWork, poolThreads, ThreadPool } from './thread-pool.js';

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Requests that are queued where they are created. */
const AT_ONCE: Readonly<Record<string, PoolQueue | undefined>> = {
  __proto__: null as never,
  FSREQCALLBACK: 'fs',
  FSREQPROMISE: 'fs',
  FILEHANDLECLOSEREQ: 'fs',
  GETADDRINFOREQWRAP: 'dns',
  GETNAMEINFOREQWRAP: 'dns',
};

/** Objects of which a method queues the work. */
const BY_METHOD: Readonly<Record<string, { readonly queue: PoolQueue; readonly method: string } | undefined>> = {
  __proto__: null as never,
  ZLIB: { queue: 'zlib', method: 'write' },
  ...Object.fromEntries(
    [
      'CHECKPRIME',
      'PBKDF2',
      'KEYPAIRGEN',
      'KEYGEN',
      'KEYEXPORT',
      'ARGON2',
      'CIPHER',
      'DERIVEBITS',
      'HASH',
      'RANDOMBYTES',
      'RANDOMPRIME',
      'SCRYPT',
      'SIGN',
      'VERIFY',
    ].map((job) => [`${job}REQUEST`, { queue: 'crypto', method: 'run' }]),
  ),
};

/** Within the context's run, and within its interrupt. */
const LEVEL = 2;

/** The object that has a method of a resource: its prototype. */
function holderOf(resource: object, method: string): object | undefined {
  for (
    let holder = getPrototypeOf(resource) as object | null;
    holder !== null;
    holder = getPrototypeOf(holder) as object | null
  ) {
    if (getOwnPropertyDescriptor(holder, method) !== undefined) return holder;
  }
  return undefined;
}

/** A job that nothing waits for runs at once, in this thread. */
const isSync = (resource: unknown, queue: PoolQueue): boolean =>
  queue === 'crypto' && getOwnPropertyDescriptor(resource as object, 'ondone') === undefined;

/**
 * Calls `queued` when a method of one of Node's resources queues work; it is replaced when the first resource of the type is
 * seen.
 */
class QueueingMethods {
  readonly #queued: (id: number, queue: PoolQueue) => void;
  readonly #undos: Undo[] = [];
  readonly #known: Record<string, true | undefined> = Object.create(null);

  constructor(queued: (id: number, queue: PoolQueue) => void) {
    this.#queued = queued;
  }

  see(type: string, resource: object): void {
    const how = BY_METHOD[type];
    if (how === undefined || this.#known[type] === true) return;
    this.#known[type] = true;
    const { queue, method } = how;
    const holder = holderOf(resource, method);
    const idOf = holderOf(resource, 'getAsyncId');
    const getAsyncId = idOf && (getOwnPropertyDescriptor(idOf, 'getAsyncId')?.value as Method | undefined);
    if (holder === undefined || getAsyncId === undefined) return;
    const queued = this.#queued;
    this.#undos.push(
      replaceMethod<Method>(
        holder,
        method,
        (original) =>
          ({
            [method](this: unknown, ...args: unknown[]): unknown {
              if (!isSync(this, queue)) queued(reflectApply(getAsyncId, this, []) as number, queue);
              return reflectApply(original, this, args);
            },
          })[method]!,
      ),
    );
  }

  undo(): void {
    undoAll(this.#undos)();
  }
}

type Queued = [work: number, asker: number, queue: string, cpu: number, pending: number];
type Started = [work: number, asker: number, queue: string];
type Ended = [work: number, asker: number, queue: string, waited: number, ran: number];
type WorkqueueEvents = {
  workqueue_queue_work: Queued;
  workqueue_execute_start: Started;
  workqueue_execute_end: Ended;
};

const begin = {
  work: pointer((work) => work),
  function: symbol((_work, asker) => asker),
  workqueue: string((_work, _asker, queue) => queue),
} satisfies Record<string, TraceField<Started>>;

/** Requests that are under way. All are forgotten beyond so many: Node has closed some without an end. */
const MOST = 1 << 17;

/** Follows the requests of one thread. */
class PoolRequests {
  readonly #trace: TracepointsOf<WorkqueueEvents>;
  readonly #thread: SourceThread;
  readonly #names: ContextTasks;
  readonly #threads = poolThreads(ownValue(process.env, 'UV_THREADPOOL_SIZE'));
  #pool = this.#newPool();
  readonly #works = new SafeMap<number, PoolWork>();
  /** The request whose callback runs, or was the last to run. */
  #last: PoolWork | undefined;

  constructor(trace: TracepointsOf<WorkqueueEvents>, thread: SourceThread) {
    this.#trace = trace;
    this.#thread = thread;
    this.#names = new ContextTasks(thread);
  }

  /** @param trigger the context in which that happens */
  queued(id: number, queue: PoolQueue, trigger: number): void {
    const { clock, asker, cpu } = this.#thread;
    // Node goes on in the callback of a request for who asked for that.
    const found = asker() || (this.#last?.id === trigger ? this.#last.asker : 0);
    const work: PoolWork = { id, queue, asker: found, queuedAt: clock(), startedAt: 0 };
    this.#forget(id, work.queuedAt);
    this.#works.set(id, work);
    this.#trace.workqueue_queue_work(this.#names.pid(id), found, queue, cpu, this.#pool.pending);
    this.#pool.add(work);
  }

  ended(id: number): void {
    const work = this.#works.get(id);
    if (work === undefined) return;
    this.#works.delete(id);
    this.#last = work;
    const now = this.#thread.clock();
    this.#pool.ended(work, now);
    const { asker, queue, queuedAt, startedAt } = work;
    this.#trace.workqueue_execute_end(this.#names.pid(id), asker, queue, startedAt - queuedAt, now - startedAt);
    this.#pool.release(work, now);
  }

  /** Forgets a request whose context is used again without an end. */
  #forget(id: number, now: number): void {
    const before = this.#works.get(id);
    if (this.#works.size >= MOST) {
      this.#works.clear();
      this.#pool = this.#newPool();
    } else if (before !== undefined) {
      this.#works.delete(id);
      this.#pool.ended(before, now);
      this.#pool.release(before, now);
    }
  }

  #newPool(): ThreadPool {
    return new ThreadPool(this.#threads, (work, at) => this.#started(work, at));
  }

  #started({ id, asker, queue }: PoolWork, at: number): void {
    this.#thread.eventTime.at = at;
    this.#trace.workqueue_execute_start(this.#names.pid(id), asker, queue);
    this.#thread.eventTime.at = 0;
  }
}

/**
 * What Node gives to the threads of libuv's pool (include/trace/events/workqueue.h): a piece of work has the address of its async
 * id, and the function that asked for it. When a thread begins with it, only libuv knows: `ThreadPool` tells it from the order.
 * Its end is seen when the event loop gets the result.
 */
export const workqueue = nodeEventSystem<WorkqueueEvents>('workqueue', {
  events: {
    workqueue_queue_work: {
      args: ['work', 'function', 'queue', 'cpu', 'pending'],
      fields: {
        work: pointer((work) => work),
        function: symbol((_work, asker) => asker),
        workqueue: string((_work, _asker, queue) => queue),
        cpu: int((_work, _asker, _queue, cpu) => cpu),
        pending: uint((_work, _asker, _queue, _cpu, pending) => pending),
      },
      print:
        '"work struct=%p function=%ps workqueue=%s cpu=%d pending=%u", REC->work, (void *)REC->function, __get_str(workqueue), REC->cpu, REC->pending',
    },
    workqueue_execute_start: {
      args: ['work', 'function', 'queue'],
      fields: begin,
      print: '"work struct %p: function %ps workqueue %s", REC->work, (void *)REC->function, __get_str(workqueue)',
    },
    workqueue_execute_end: {
      args: ['work', 'function', 'queue', 'waited', 'ran'],
      fields: {
        work: pointer((work) => work),
        function: symbol((_work, asker) => asker),
        workqueue: string((_work, _asker, queue) => queue),
        waited: u64((_work, _asker, _queue, waited) => waited),
        ran: u64((_work, _asker, _queue, _waited, ran) => ran),
      },
      print:
        '"work struct %p: function %ps workqueue %s waited=%lluns ran=%lluns", REC->work, (void *)REC->function, __get_str(workqueue), REC->waited, REC->ran',
    },
  },
  sources: [
    {
      events: ['workqueue_queue_work', 'workqueue_execute_start', 'workqueue_execute_end'],
      start(trace, thread) {
        const requests = new PoolRequests(trace, thread);
        const methods = new QueueingMethods((id, queue) => requests.queued(id, queue, thread.contexts.current));
        const forget = thread.contexts.listen({
          level: LEVEL,
          created(id, type, trigger, resource) {
            const queue = AT_ONCE[type];
            if (queue !== undefined) requests.queued(id, queue, trigger);
            else methods.see(type, resource);
          },
          running(id) {
            methods.see(thread.contexts.typeOf(id)!, executionAsyncResource());
            requests.ended(id);
          },
        });
        return () => {
          forget();
          methods.undo();
        };
      },
    },
  ],
});
