import { setTimeout as sleep } from 'node:timers/promises';
import { procStat, STAT, TICKS_PER_SECOND } from '../../base/proc-stat.js';
import { complain } from '../output.js';
import { preloadOptions } from '../record/preload.js';
import { type Ending, runCommand } from '../record/run-command.js';
import { runningInstead } from '../running-instead.js';
import { CommandCounters } from './command-counters.js';
import type { CountingOptions } from './count-process.js';
import { type Count, since } from './counted.js';
import { INTERVAL_HEADER, intervalLines, statTable } from './stat-table.js';

/** CPU time in seconds. */
interface CpuTime {
  readonly user: number;
  readonly system: number;
}

/** The CPU time of the processes that this one has started, and that have ended: with all that they started and waited for. */
function childrensCpuTime(): CpuTime {
  const fields = procStat('/proc/self') ?? [];
  const ticks = (at: number): number => Number(fields[at] ?? 0) / TICKS_PER_SECOND;
  return { user: ticks(STAT.CHILDREN_USER), system: ticks(STAT.CHILDREN_SYSTEM) };
}

const now = (): number => Number(process.hrtime.bigint()) / 1e9;

/** Runs a command and counts in all Node processes that it starts. */
export async function countCommand(command: readonly string[], { counted, interval, output }: CountingOptions): Promise<Ending> {
  const counters = new CommandCounters(counted);
  try {
    const before = childrensCpuTime();
    const start = now();
    const env = {
      ...process.env,
      NODE_OPTIONS: preloadOptions(process.env['NODE_OPTIONS']),
      FENTRY: counters.parameters(process.env['FENTRY']),
    };
    const beforeSignal = (pid: number, signal: NodeJS.Signals): void => counters.beforeSignal(pid, signal);
    const running = runCommand(command, env, complain, { beforeSignal });
    let last: readonly Count[] = [];
    let lastTime = start;
    const printInterval = (): void => {
      const { counts } = counters.read();
      const time = now();
      output.print(intervalLines(time - start, time - lastTime, since(counts, last)));
      last = counts;
      lastTime = time;
    };
    if (interval !== undefined) output.print(INTERVAL_HEADER);
    for (let turn = 1; interval !== undefined; turn++) {
      const next = start + (turn * interval) / 1000 - now();
      if (await Promise.race([running.then(() => true), sleep(Math.max(0, next * 1000), false)])) break;
      printInterval();
    }
    const ending = await running;
    const elapsed = now() - start;
    if ('began' in ending && !ending.began) return ending;
    const { user, system } = childrensCpuTime();
    const { counts, processes, incomplete } = counters.read();
    if (interval !== undefined) printInterval();
    const cpu = { user: user - before.user, system: system - before.system };
    output.print(statTable(`'${command.join(' ')}'`, interval === undefined ? counts : [], { elapsed, cpu }));
    if (processes === 0) complain(`'${command[0]}' ran no Node process that fentry could count in${await runningInstead()}`);
    for (const pid of incomplete)
      complain(`process ${pid} was killed or still runs: what it did in its last 0.25 seconds is not counted`);
    return ending;
  } finally {
    counters.end();
  }
}
