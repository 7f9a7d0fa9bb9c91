import { readdirSync, readlinkSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { NodeProcess } from '../../answers/live/live-answer.js';
import { attempt } from '../../base/attempt.js';
import { applicationsOf, describeProcess, type TraceableProcess, traceableProcesses } from '../../client/processes.js';

const NODE = /^node(js)?[\d.]*$/;

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
  const uid = process.geteuid?.() ?? 0;
  const { ancestors } = describeProcess(process.pid, '');
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid || others.has(pid) || ancestors.includes(pid)) return [];
    const isNode = NODE.test(basename(attempt(() => readlinkSync(`/proc/${pid}/exe`)) ?? ''));
    const isOwn = isNode && attempt(() => statSync(`/proc/${pid}`))?.uid === uid;
    return isOwn ? [describeProcess(pid, '')] : [];
  });
}
