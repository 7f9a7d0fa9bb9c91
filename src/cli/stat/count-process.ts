import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TraceableProcess } from '../../client/processes.js';
import { TraceClient } from '../../client/trace-client.js';
import { isGone } from '../is-gone.js';
import { complain } from '../output.js';
import { type Ending, runCommand } from '../record/run-command.js';
import { type Count, type Counted, since } from './counted.js';
import { ProcessCounters } from './process-counters.js';
import type { StatOutput } from './stat-output.js';
import { INTERVAL_HEADER, intervalLines, statTable } from './stat-table.js';

/** What ends the counting of a running process. */
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Milliseconds between readings without -I: if the process is killed, the last of them is shown. */
const READ = 1000;

/** How a process is counted. */
export interface CountingOptions {
  readonly counted: Counted;
  /** Milliseconds between lines; undefined: one table at the end. */
  readonly interval: number | undefined;
  readonly output: StatOutput;
}

const now = (): number => Number(process.hrtime.bigint()) / 1e9;

/** Counts in a running process: while a command runs, or until a signal, or until the process ends. */
export async function countProcess(
  { pid, socketPath, program }: TraceableProcess,
  command: readonly string[],
  { counted, interval, output }: CountingOptions,
): Promise<Ending> {
  let ending: Ending = { code: 0, began: true };
  const stopped = Promise.race(STOP_SIGNALS.map((name) => once(process, name)));
  const counters = await ProcessCounters.start(new TraceClient(pid, socketPath), counted);
  const start = now();
  const enough =
    command.length === 0
      ? stopped
      : runCommand(command, process.env, complain).then((ended) => {
          ending = ended;
        });
  let last: readonly Count[] = [];
  let lastTime = start;
  let hasEnded = false;
  const read = async (): Promise<void> => {
    try {
      const counts = await counters.read();
      const time = now();
      if (interval !== undefined) output.print(intervalLines(time - start, time - lastTime, since(counts, last)));
      last = counts;
      lastTime = time;
    } catch (error) {
      if (!isGone(error)) throw error;
      hasEnded = true;
    }
  };
  try {
    if (interval === undefined) last = await counters.read();
    else output.print(INTERVAL_HEADER);
    const over = Promise.race([enough, counters.processEnded]).then(() => true);
    for (let turn = 1; !hasEnded; turn++) {
      const next = start + (turn * (interval ?? READ)) / 1000 - now();
      const isOver = await Promise.race([over, sleep(Math.max(0, next * 1000), false, { ref: true })]);
      await read();
      if (isOver) break;
    }
  } finally {
    await counters.end();
  }
  if (interval === undefined) output.print(statTable(`process ${pid} (${program.name})`, last, { elapsed: lastTime - start }));
  if (hasEnded) complain(`process ${pid} has ended; the counts are those of ${(now() - lastTime).toFixed(1)} seconds before`);
  return ending;
}
