import { type DeclaredTracepoint, listenToTracepoints } from '../../../tracepoint/declared.js';
import { asyncContexts } from '../../async/thread-contexts.js';
import { listenToWakeups } from '../../async/wakeups.js';
import { eventCall } from '../../events/event-call.js';
import { eventTime } from '../../events/event-time.js';
import { createFindPromiseMaker } from '../../realm/find-promise-maker.js';
import { createFindRejection } from '../../realm/find-rejection.js';
import { watchProcess } from '../../realm/process-events.js';
import { Texts } from '../../realm/texts.js';
import type { NodeEventSystem, SourceThread } from '../node-event-system.js';

/** What the field of `caller` has in tests. */
export const CALLER = -0x7f000000;

/** Stands for the thread that a source runs on. */
export const TEST_THREAD: SourceThread = {
  cpu: 0,
  tid: process.pid,
  clock: () => performance.now() * 1e6,
  pid: () => process.pid,
  caller: () => CALLER,
  asker: () => CALLER,
  rejection: createFindRejection(new Texts(import.meta.url), () => CALLER + 2 ** 32),
  promiseMaker: createFindPromiseMaker(new Texts(import.meta.url), () => CALLER + 2 ** 32),
  cpuOf: (worker) => worker,
  contexts: asyncContexts,
  listenToWakeups: (listener) => listenToWakeups(TEST_THREAD.clock, listener),
  watchProcess,
  listenToCatches: () => () => {},
  texts: new Texts(import.meta.url),
  eventTime,
  eventCall,
  setOpen() {},
  giveFields() {},
  missed() {},
  eventTasks: { switching() {}, waking() {}, end() {} },
};

/** A record: the event's name, then its fields. */
export type Logged = readonly [event: string, fields: Readonly<Record<string, unknown>>];

/** Enables events of a system without the agent, and keeps what their records would hold. */
export class EventLog {
  readonly records: Logged[] = [];
  readonly points = new Map<string, DeclaredTracepoint>();
  readonly #enabled = new Map<string, never>();

  constructor(system: NodeEventSystem, thread: Partial<SourceThread> = {}) {
    listenToTracepoints((point) => {
      if (point.tracepoint.system === system.system) this.points.set(point.tracepoint.event, point);
    });
    this.points.clear();
    system.declare({ ...TEST_THREAD, ...thread });
  }

  /** @param events all that there are, if none is named */
  enable(...events: readonly string[]): void {
    for (const event of events.length > 0 ? events : this.points.keys()) {
      const { tracepoint, parts } = this.points.get(event)!;
      const probe = (...args: unknown[]): void => {
        const fields = Object.entries(parts!.fields).map(
          ([name, { get }]) => [name, Reflect.apply(get, undefined, args)] as const,
        );
        this.records.push([event, Object.fromEntries(fields)]);
      };
      tracepoint.registerProbe(probe as never);
      this.#enabled.set(event, probe as never);
    }
  }

  disable(): void {
    for (const [event, probe] of this.#enabled) this.points.get(event)!.tracepoint.unregisterProbe(probe);
    this.#enabled.clear();
  }

  /** The records since the last call. */
  take(): readonly Logged[] {
    return this.records.splice(0);
  }
}

const identities = new Map<unknown, number>();
/** A primitive, or a number for an object or function: the same for the same. */
function identityOf(value: unknown): unknown {
  if ((typeof value !== 'object' || value === null) && typeof value !== 'function') return value;
  if (!identities.has(value)) identities.set(value, identities.size);
  return `object ${identities.get(value)}`;
}

/** All own properties of objects, with the identities of their values, to compare before and after. */
export const descriptorsOf = (...objects: readonly object[]): unknown =>
  objects.map((object) =>
    Reflect.ownKeys(object).map((key) => [
      String(key),
      Object.entries(Object.getOwnPropertyDescriptor(object, key)!).map(([name, value]) => [name, identityOf(value)]),
    ]),
  );
