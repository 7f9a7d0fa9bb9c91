import { FTRACE_EVENTS } from '../../../events/ftrace-events.js';
import { writeRecord } from '../../../ftrace/tracers/write-record.js';
import type { FunctionGraph } from '../function-graph.js';
import type { ThreadTrace } from '../thread-trace.js';
import { CallRecords } from './call-records.js';
import type { KeptMaximum, LatencyNeeds, LatencyTracer } from './latency-tracer.js';
import type { Wakeup, WakeupClass } from './wakeups.js';

/** The kernel's priority of a normal task. */
const NORMAL = 120;
const PRIO: Readonly<Record<WakeupClass, number>> = { normal: NORMAL, rt: 0, dl: 255 };

/**
 * The wakeup tracers (kernel/trace/trace_sched_wakeup.c) of one thread: how long ready callbacks had to wait. Because it is not
 * reported when a timer becomes due, functions are recorded all the time, and the snapshot begins where the wait began.
 *
 * @param classes whose waits count
 */
export function createWakeup(
  ctx: ThreadTrace,
  graph: FunctionGraph,
  needs: LatencyNeeds,
  classes: readonly WakeupClass[],
): LatencyTracer {
  const calls = new CallRecords(ctx, graph);
  let maximum: KeptMaximum | undefined;
  /** When fentry's own work ended last: callbacks that were ready before also waited for it. */
  let ownEnd = 0;

  function writeSwitch(wakeup: Wakeup): boolean {
    const { pid, writer } = ctx;
    return writeRecord(
      writer,
      wakeup.now,
      FTRACE_EVENTS.context_switch,
      { pid, flags: calls.flags },
      {
        prev_pid: pid,
        next_pid: wakeup.id,
        next_cpu: needs.cpu,
        prev_prio: NORMAL,
        prev_state: 0,
        next_prio: PRIO[wakeup.class],
        next_state: 0,
      },
    );
  }

  function ran(wakeup: Wakeup): void {
    const { ready, now, kind } = wakeup;
    if (ready < ownEnd || !classes.includes(wakeup.class) || !maximum!.max.reports(now - ready)) return;
    const address = needs.addressOf(kind);
    if (!calls.writeFunction(address, 0, now) || !writeSwitch(wakeup)) return;
    const task = { cpu: needs.cpu, pid: wakeup.id, prio: PRIO[wakeup.class], waker: wakeup.class === 'dl' ? 0 : ctx.pid };
    if (maximum!.keep({ latency: now - ready, start: ready, ...task, startedAt: 0, endedAt: 0 })) needs.nameTask(wakeup.id, kind);
  }

  return {
    entry: calls.entry,
    start(wanted) {
      maximum = wanted;
      needs.wakeups.start(ran);
    },
    stop() {
      needs.wakeups.stop();
    },
    discard() {
      ownEnd = ctx.clock();
    },
  };
}
