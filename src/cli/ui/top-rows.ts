import { setTimeout as sleep } from 'node:timers/promises';
import type { TopAnswer, TopOrder } from '../../answers/top/top-answer.js';
import { ProcessTop } from '../top/process-top.js';
import { ProfilerUse } from '../top/profiler-use.js';
import type { LiveProcess } from './live-processes.js';

/** Milliseconds of a reading. */
const READING = 1000;
/** Functions of a reading that are sent: the first in the order. */
const MOST = 200;

/**
 * What a process calls, a reading a second, until `signal` aborts. The function profiler is on meanwhile; then it is as it was.
 * @throws TraceError EBUSY while function_graph is the tracer, ENODEV when the process has ended
 */
export async function* topRows(
  { client, traceable }: LiveProcess,
  { order, pattern }: { readonly order: TopOrder; readonly pattern: string | undefined },
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
