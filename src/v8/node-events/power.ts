import { u32 } from '../../tracepoint/fields.js';
import { nodeEventSystem } from './node-event-system.js';

const { nodeTiming } = performance;

/** The kernel's number for the end of a sleep (PWR_EVENT_EXIT). */
const AWAKE = 0xffffffff;
const ASLEEP = 1;

const NS_PER_MS = 1e6;
/** Before everything else that hears of a context's run. */
const LEVEL = -4;

/**
 * When the event loop sleeps, because nothing is there to be done (include/trace/events/power.h). That it slept is known when it
 * calls something; the beginning has the time when it was.
 */
export const power = nodeEventSystem<{ cpu_idle: [state: number, cpu: number] }>('power', {
  events: {
    cpu_idle: {
      args: ['state', 'cpu_id'],
      fields: { state: u32((state) => state), cpu_id: u32((_state, cpu) => cpu) },
      print: '"state=%lu cpu_id=%lu", (unsigned long)REC->state, (unsigned long)REC->cpu_id',
    },
  },
  sources: [
    {
      events: ['cpu_idle'],
      start({ cpu_idle }, thread) {
        let known = nodeTiming.idleTime;
        return thread.contexts.listen({
          level: LEVEL,
          running() {
            if (thread.contexts.depth > 1) return;
            const idle = nodeTiming.idleTime;
            const slept = idle - known;
            if (slept === 0) return;
            known = idle;
            const now = thread.clock();
            thread.eventTime.at = now - Math.round(slept * NS_PER_MS);
            cpu_idle(ASLEEP, thread.cpu);
            thread.eventTime.at = now;
            cpu_idle(AWAKE, thread.cpu);
            thread.eventTime.at = 0;
          },
        });
      },
    },
  ],
});
