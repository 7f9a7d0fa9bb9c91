import { int, string, uint } from '../../tracepoint/fields.js';
import { PROVIDERS } from '../async/context-type.js';
import type { ContextListener, ThreadContexts } from '../async/thread-contexts.js';
import { undoAll } from '../realm/undo.js';
import { nodeEventSystem } from './node-event-system.js';

/** What the event loop serves by itself, each with the kernel's number where the kernel has the like. */
const VECTORS = { NEXT_TICK: 0, TIMER: 1, MICROTASK: 2, CHECK: 3 } as const;

const VECTOR_OF: Readonly<Record<string, number | undefined>> = {
  __proto__: null as never,
  TickObject: VECTORS.NEXT_TICK,
  Timeout: VECTORS.TIMER,
  PROMISE: VECTORS.MICROTASK,
  Microtask: VECTORS.MICROTASK,
  Immediate: VECTORS.CHECK,
};

/** Within the context's run, around what the callback does. */
const LEVEL = 1;
const HANDLED = 1;
const UNHANDLED = 0;

const ACTIONS = Object.entries(VECTORS)
  .map(([name, vec]) => `{ ${vec}, "${name}" }`)
  .join(', ');

const softirq = {
  args: ['vec'] as const,
  fields: { vec: uint<[vec: number]>((vec) => vec) },
  print: `"vec=%u [action=%s]", REC->vec, __print_symbolic(REC->vec, ${ACTIONS})`,
};

/** The number of a callback's type: of no context within another one, and of none that is not Node's own. */
function lineOf(type: string): number | undefined {
  return VECTOR_OF[type] === undefined ? PROVIDERS[type] : undefined;
}

/** Calls `entry` and `exit` around what the event loop calls: contexts that run within no other one. */
function outermost(contexts: ThreadContexts, entry: (type: string) => void, exit: (type: string) => void): ContextListener {
  return {
    level: LEVEL,
    running(id) {
      if (contexts.depth === 1) entry(contexts.typeOf(id)!);
    },
    ran(id) {
      if (contexts.depth === 1) exit(contexts.typeOf(id)!);
    },
  };
}

/**
 * What the event loop calls (include/trace/events/irq.h): callbacks of I/O as interrupts, those of timers, immediates, nextTicks
 * and promises as soft interrupts.
 */
export const irq = nodeEventSystem<{
  softirq_raise: [vec: number];
  softirq_entry: [vec: number];
  softirq_exit: [vec: number];
  irq_handler_entry: [irq: number, name: string];
  irq_handler_exit: [irq: number, ret: number];
}>('irq', {
  events: {
    softirq_raise: softirq,
    softirq_entry: softirq,
    softirq_exit: softirq,
    irq_handler_entry: {
      args: ['irq', 'name'],
      fields: { irq: int((line) => line), name: string((_irq, name) => name) },
      print: '"irq=%d name=%s", REC->irq, __get_str(name)',
    },
    irq_handler_exit: {
      args: ['irq', 'ret'],
      fields: { irq: int((line) => line), ret: int((_irq, ret) => ret) },
      print: '"irq=%d ret=%s", REC->irq, REC->ret ? "handled" : "unhandled"',
    },
  },
  sources: [
    {
      events: ['softirq_raise'],
      start: ({ softirq_raise }, thread) =>
        thread.listenToWakeups({
          level: LEVEL,
          ready(_id, type, at) {
            thread.eventTime.at = at;
            softirq_raise(VECTOR_OF[type]!);
            thread.eventTime.at = 0;
          },
        }),
    },
    {
      events: ['softirq_entry', 'softirq_exit'],
      start({ softirq_entry, softirq_exit }, thread) {
        const told =
          (tell: (vec: number) => void) =>
          (type: string): void => {
            const vec = VECTOR_OF[type];
            if (vec !== undefined) tell(vec);
          };
        return thread.contexts.listen(outermost(thread.contexts, told(softirq_entry), told(softirq_exit)));
      },
    },
    {
      events: ['irq_handler_entry', 'irq_handler_exit'],
      start({ irq_handler_entry, irq_handler_exit }, thread) {
        let threw = false;
        const entry = (type: string): void => {
          const line = lineOf(type);
          threw = false;
          if (line !== undefined) irq_handler_entry(line, type);
        };
        const exit = (type: string): void => {
          const line = lineOf(type);
          if (line !== undefined) irq_handler_exit(line, threw ? UNHANDLED : HANDLED);
        };
        return undoAll([
          thread.contexts.listen(outermost(thread.contexts, entry, exit)),
          thread.watchProcess({
            before(name) {
              if (name === 'uncaughtExceptionMonitor') threw = true;
            },
          }),
        ]);
      },
    },
  ],
});
