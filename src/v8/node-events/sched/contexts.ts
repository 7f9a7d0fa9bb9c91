import { executionAsyncResource } from 'node:async_hooks';
import { RegExpPrototypeExec } from '../../../base/primordials.js';
import type { ContextListener, ThreadContexts } from '../../async/thread-contexts.js';
import { wakeupClass } from '../../async/wakeup-class.js';
import { getOwnPropertyDescriptor } from '../../realm/primordials.js';
import type { Undo } from '../../realm/undo.js';
import type { WakeupClass } from '../../tracers/latency/wakeups.js';
import type { SourceThread } from '../node-event-system.js';

/** The kernel's priorities: of a normal task, of the first real-time task, of a deadline task. */
const PRIO: Readonly<Record<WakeupClass, number>> = { normal: 120, rt: 0, dl: -1 };

/** What code runs as in which no context runs: the event loop, and the main script if it is a module. */
const IDLE = 0;
/** The context of a main script in CommonJS. */
const MAIN = 1;

/** Requests to the system, which are called back once. */
const REQUEST = /(REQ|REQUEST|REQCALLBACK|REQPROMISE|REQWRAP|CONNECTWRAP|SHUTDOWNWRAP|SENDWRAP|WRITEWRAP|QUERYWRAP)$/;
const ONCE: Record<string, boolean | undefined> = Object.assign(Object.create(null), {
  TickObject: true,
  Immediate: true,
  Microtask: true,
  // Many requests of the program can go over one.
  HTTPCLIENTREQUEST: false,
});
function isOnce(type: string): boolean {
  let once = ONCE[type];
  if (once === undefined) {
    once = RegExpPrototypeExec(REQUEST, type) !== null;
    ONCE[type] = once;
  }
  return once;
}

/** The async contexts of the thread on a cpu as the kernel's tasks. Ids are those of async_hooks. */
export class ContextTasks {
  readonly #cpu: number;
  readonly #contexts: ThreadContexts;
  readonly #idle: string;

  constructor({ cpu, contexts }: Pick<SourceThread, 'cpu' | 'contexts'>) {
    this.#cpu = cpu;
    this.#contexts = contexts;
    this.#idle = `swapper/${cpu}`;
  }

  /** The pid of a context, as with the option async-context. */
  pid(id: number): number {
    return this.#contexts.pids.of(this.#cpu, id);
  }

  comm(id: number): string {
    if (id === IDLE) return this.#idle;
    return this.#contexts.typeOf(id) ?? (id === MAIN ? 'main' : '<...>');
  }

  prio(id: number): number {
    return id === IDLE ? PRIO.normal : PRIO[wakeupClass(this.comm(id))];
  }

  /** Whether the context whose run ends can never run again, as far as that is known without watching what is collected. */
  isOver(id: number): boolean {
    const type = this.#contexts.typeOf(id);
    if (type === undefined) return false;
    if (type === 'PROMISE') return this.#contexts.isSettled(id);
    if (type === 'Timeout') return getOwnPropertyDescriptor(executionAsyncResource(), '_destroyed')?.value === true;
    return isOnce(type);
  }
}

/** What the context that stops to run is from now on, as bits of the kernel's task state. */
export const TASK_STATE = { running: 0, sleeping: 1, zombie: 0x20, preempted: 0x100 } as const;

/** Called when the context that runs changes. Ids of async_hooks, 0 for none. */
export type ContextSwitched = (prev: number, state: number, next: number) => void;

/** The greatest depth of contexts within contexts; deeper ones count as one. */
const MAX_NESTED = 4096;

/** Before what happens in the context. */
const LEVEL = 0;

/** Tells which async context runs, from now on. A context that runs within another one preempts it. */
export function watchSwitches(contexts: ThreadContexts, names: ContextTasks, switched: ContextSwitched): Undo {
  /** The contexts below the one that runs, innermost last. */
  const below = new Float64Array(MAX_NESTED);
  let depth = 0;
  let { current } = contexts;

  const listener: ContextListener = {
    level: LEVEL,
    running(id) {
      const prev = current;
      if (depth < MAX_NESTED) below[depth] = prev;
      depth++;
      current = id;
      switched(prev, prev === 0 ? TASK_STATE.running : TASK_STATE.preempted, id);
    },
    ran(id) {
      const next = depth > 0 ? below[Math.min(--depth, MAX_NESTED - 1)]! : 0;
      current = next;
      switched(id, names.isOver(id) ? TASK_STATE.zombie : TASK_STATE.sleeping, next);
    },
  };
  return contexts.listen(listener);
}
