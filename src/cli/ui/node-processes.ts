import type { NodeProcess } from '../../answers/live/live-answer.js';
import { applicationsOf } from '../../client/applications.js';
import { describeProcess, type TraceableProcess } from '../../client/describe-process.js';
import { nodePids } from '../../client/node-pids.js';
import { traceableProcesses } from '../../client/processes.js';

/** The user's processes of Node: those with fentry first, then applications. This one and those above it are left out. */
export async function nodeProcesses(): Promise<readonly NodeProcess[]> {
  const prepared = await traceableProcesses();
  // What has started one of them is not listed too: npm, or fentry env.
  const starting = prepared.flatMap(({ ancestors }) => ancestors);
  const unprepared = unpreparedProcesses(new Set([...starting, ...prepared.map(({ pid }) => pid)]));
  return [...listed(prepared, true), ...listed(unprepared, false)];
}

function listed(processes: readonly TraceableProcess[], isPrepared: boolean): readonly NodeProcess[] {
  const applications = new Set(applicationsOf(processes).map(({ pid }) => pid));
  return processes
    .map(({ pid, program, folder, command }) => {
      return { pid, program: program.name, folder, command, isPrepared, isApplication: applications.has(pid) };
    })
    .sort((a, b) => Number(b.isApplication) - Number(a.isApplication) || a.pid - b.pid);
}

function unpreparedProcesses(others: ReadonlySet<number>): readonly TraceableProcess[] {
  const { ancestors } = describeProcess(process.pid, '');
  return nodePids()
    .filter((pid) => pid !== process.pid && !others.has(pid) && !ancestors.includes(pid))
    .map((pid) => describeProcess(pid, ''));
}
