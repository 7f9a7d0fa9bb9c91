import { executionAsyncResource } from 'node:async_hooks';
import { int, pointer, string } from '../../tracepoint/fields.js';
import { replaceMethod } from '../realm/lookalike.js';
import { getOwnPropertyDescriptor, getPrototypeOf, reflectApply } from '../realm/primordials.js';
import { type Undo, undoAll } from '../realm/undo.js';
import { nodeEventSystem } from './node-event-system.js';
import { ContextTasks } from './sched/contexts.js';

type Queue = 'fs' | 'dns' | 'crypto' | 'zlib';
type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Requests that are queued where they are created. */
const AT_ONCE: Readonly<Record<string, Queue | undefined>> = {
  __proto__: null as never,
  FSREQCALLBACK: 'fs',
  FSREQPROMISE: 'fs',
  FILEHANDLECLOSEREQ: 'fs',
  GETADDRINFOREQWRAP: 'dns',
  GETNAMEINFOREQWRAP: 'dns',
};

/** Objects of which a method queues the work. */
const BY_METHOD: Readonly<Record<string, { readonly queue: Queue; readonly method: string } | undefined>> = {
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

const queueOf = (type: string): Queue | undefined => AT_ONCE[type] ?? BY_METHOD[type]?.queue;

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
const isSync = (resource: unknown, queue: Queue): boolean =>
  queue === 'crypto' && getOwnPropertyDescriptor(resource as object, 'ondone') === undefined;

/**
 * Calls `queued` when a method of one of Node's resources queues work; it is replaced when the first resource of the type is
 * seen.
 */
class QueueingMethods {
  readonly #queued: (id: number, queue: Queue) => void;
  readonly #undos: Undo[] = [];
  readonly #known: Record<string, true | undefined> = Object.create(null);

  constructor(queued: (id: number, queue: Queue) => void) {
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

/**
 * What Node gives to the threads of libuv's pool (include/trace/events/workqueue.h): a piece of work has the address of its async
 * id. When a thread begins with it, only libuv knows; its end is seen when the event loop gets the result.
 */
export const workqueue = nodeEventSystem<{
  workqueue_queue_work: [work: number, queue: string, cpu: number];
  workqueue_execute_end: [work: number, queue: string];
}>('workqueue', {
  events: {
    workqueue_queue_work: {
      args: ['work', 'queue', 'cpu'],
      fields: {
        work: pointer((work) => work),
        workqueue: string((_work, queue) => queue),
        cpu: int((_work, _queue, cpu) => cpu),
      },
      print: '"work struct=%p workqueue=%s cpu=%d", REC->work, __get_str(workqueue), REC->cpu',
    },
    workqueue_execute_end: {
      args: ['work', 'queue'],
      fields: { work: pointer((work) => work), workqueue: string((_work, queue) => queue) },
      print: '"work struct %p: workqueue %s", REC->work, __get_str(workqueue)',
    },
  },
  sources: [
    {
      events: ['workqueue_queue_work'],
      start({ workqueue_queue_work }, thread) {
        const names = new ContextTasks(thread);
        const queued = (id: number, queue: Queue): void => workqueue_queue_work(names.pid(id), queue, thread.cpu);
        const methods = new QueueingMethods(queued);
        const forget = thread.contexts.listen({
          level: LEVEL,
          created(id, type, _trigger, resource) {
            const queue = AT_ONCE[type];
            if (queue !== undefined) queued(id, queue);
            else methods.see(type, resource);
          },
          running(id) {
            methods.see(thread.contexts.typeOf(id)!, executionAsyncResource());
          },
        });
        return () => {
          forget();
          methods.undo();
        };
      },
    },
    {
      events: ['workqueue_execute_end'],
      start({ workqueue_execute_end }, thread) {
        const names = new ContextTasks(thread);
        return thread.contexts.listen({
          level: LEVEL,
          running(id) {
            const queue = queueOf(thread.contexts.typeOf(id)!);
            if (queue !== undefined) workqueue_execute_end(names.pid(id), queue);
          },
        });
      },
    },
  ],
});
