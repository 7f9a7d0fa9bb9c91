import { setTimeout as sleep } from 'node:timers/promises';
import type { TopAnswer, TopOrder } from '../../answers/top/top-answer.js';
import { deferred } from '../../base/deferred.js';
import { ProcessTop } from '../top/process-top.js';
import { ProfilerUse } from '../top/profiler-use.js';
import type { LiveProcess } from './live-processes.js';

/** Milliseconds of a reading. */
const READING = 1000;
/** Functions of a reading that are sent: the first in the order. */
const MOST = 200;

/** What of a process is counted. */
interface Counted {
  readonly order: TopOrder;
  /** A word of set_ftrace_filter. Undefined: all functions. */
  readonly pattern: string | undefined;
}

/**
 * What a process calls, a reading a second, until `signal` aborts. The function profiler is on meanwhile; then it is as it was.
 * @throws TraceError EBUSY while function_graph is the tracer, ENODEV when the process has ended
 */
export async function* topRows(one: LiveProcess, counted: Counted, signal: AbortSignal): AsyncGenerator<TopAnswer> {
  await one.viewsLeft();
  const { promise: over, resolve: end } = deferred();
  one.profiles(signal, over);
  try {
    yield* readings(one, counted, signal);
  } finally {
    end();
  }
}

async function* readings(
  { client, traceable }: LiveProcess,
  { order, pattern }: Counted,
  signal: AbortSignal,
): AsyncGenerator<TopAnswer> {
  const use = await ProfilerUse.take(client, pattern, order);
  try {
    const top = new ProcessTop(client, traceable, use, pattern);
    await top.begin();
    while (!signal.aborted) {
      await sleep(READING, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      const answer = await top.next(order);
      yield { ...answer, functions: answer.functions.slice(0, MOST) };
    }
  } finally {
    await use.release();
  }
}
