import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { attempt } from '../base/attempt.js';
import { TraceError } from '../base/errno.js';
import { listens } from '../base/listens.js';
import { procStat, STAT, TICKS_PER_SECOND } from '../base/proc-stat.js';
import { socketDirectory, socketPath } from '../base/socket-directory.js';
import { threadState, waitOf } from '../base/thread-state.js';
import { argumentsOf, describeProcess, environmentOf, type TraceableProcess } from './describe-process.js';
import { loadsFentry, type OwnFiles } from './loads-fentry.js';
import { nodePids } from './node-pids.js';

const ownFile = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const OWN: OwnFiles = { preloads: ['preload.cjs', 'index.js'].map(ownFile), command: ownFile('cli.js') };
/** Seconds that a process may take to begin to listen by itself, and milliseconds between two looks whether it does. */
const YOUNG = 2;
const LOOK = 20;

/** A process that loads fentry and has no socket. */
export interface SilentProcess extends TraceableProcess {
  /** Seconds since its start. */
  readonly age: number;
}

type Wake = (pid: number) => Promise<void>;
let wake: Wake | undefined;

/** Sets what has a silent process begin to listen; undefined: nothing may. */
export function wakeSilentProcesses(by: Wake | undefined): void {
  wake = by;
}

/**
 * The user's processes that load fentry by their options, whose sockets belong into this command's folder, and that do not
 * listen: they are in their first turn, and have no control thread yet (v8/program/control-starter.ts).
 */
export async function silentProcesses(): Promise<readonly SilentProcess[]> {
  const uid = process.geteuid?.() ?? 0;
  const directory = socketDirectory(process.env, uid);
  const found: SilentProcess[] = [];
  for (const pid of nodePids(uid)) {
    const environment = attempt(() => environmentOf(pid));
    if (environment === undefined || socketDirectory(environment, uid) !== directory) continue;
    if (!loadsFentry(argumentsOf(pid), environment['NODE_OPTIONS'] ?? '', OWN) || hasTurned(pid)) continue;
    const path = socketPath(directory, pid);
    if (!(await listens(path))) found.push({ ...describeProcess(pid, path), age: ageOf(pid) });
  }
  return found;
}

/** Whether a process has had the time to begin to listen by itself. */
export const isOld = ({ age }: SilentProcess): boolean => age >= YOUNG;

/**
 * Waits until a silent process listens; one that does not in time is woken.
 * @param tell gets a message if it is woken
 * @throws TraceError ENODEV if it may not be woken, has ended or has no socket all the same; or why it could not be woken
 */
export async function reached(one: SilentProcess, tell?: (message: string) => void): Promise<TraceableProcess> {
  const who = `process ${one.pid} (${one.program.name})`;
  if (wake === undefined)
    throw new TraceError('ENODEV', `${who} is still in the first turn of its event loop, and does not listen yet`);
  if (await beginsToListen(one, YOUNG - one.age)) return one;
  tell?.(`${who} is still in the first turn of its event loop: fentry's thread is started in it through its inspector`);
  await wake(one.pid);
  if (await beginsToListen(one, YOUNG)) return one;
  throw new TraceError('ENODEV', `${who} runs with fentry, but has no socket ${one.socketPath}`);
}

/** Whether a process listens after so many seconds at most. @throws TraceError ENODEV if it ends before */
async function beginsToListen({ pid, socketPath: path }: SilentProcess, seconds: number): Promise<boolean> {
  for (const end = performance.now() + seconds * 1000; ; await sleep(LOOK)) {
    if (await listens(path)) return true;
    if (procStat(`/proc/${pid}`) === undefined) throw new TraceError('ENODEV', `process ${pid} has ended`);
    if (performance.now() > end) return false;
  }
}

/** Whether the main thread waits for events: if it has no socket then, it will have none. */
function hasTurned(pid: number): boolean {
  const thread = threadState(pid, pid);
  return thread !== undefined && waitOf(thread) === 'epoll';
}

function ageOf(pid: number): number {
  const uptime = Number.parseFloat(readFileSync('/proc/uptime', 'utf8'));
  return uptime - Number(procStat(`/proc/${pid}`)?.[STAT.START] ?? 0) / TICKS_PER_SECOND;
}
