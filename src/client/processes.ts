import { readdirSync, readFileSync, statSync, unlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { TraceError } from '../base/errno.js';
import {
  checkSocketDirectory,
  describeSocketDirectory,
  pidOfSocket,
  processExists,
  socketDirectory,
  socketPath,
} from '../base/socket-directory.js';
import { TraceClient } from './trace-client.js';

/** A process that can be traced. */
export interface TraceableProcess {
  readonly pid: number;
  /** Its command line, blanks between the arguments. */
  readonly command: string;
  readonly socketPath: string;
}

const uid = (): number => process.geteuid?.() ?? 0;

/** Whether somebody listens on the socket. */
export function listens(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const answer = (value: boolean) => {
      socket.destroy();
      resolve(value);
    };
    socket.once('connect', () => answer(true));
    // A full backlog (EAGAIN) is somebody, too.
    socket.once('error', (error: NodeJS.ErrnoException) => answer(!['ECONNREFUSED', 'ENOENT'].includes(error.code ?? '')));
  });
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replace(/\0+$/, '').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

function unlinkQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Somebody else cleaned up at the same time.
  }
}

/**
 * The user's processes that run with fentry, by pid. Sockets of processes that ended without removing theirs are removed.
 * EACCES when the folder is not safe.
 */
export async function traceableProcesses(): Promise<readonly TraceableProcess[]> {
  const directory = socketDirectory(process.env, uid());
  let names: readonly string[];
  try {
    checkSocketDirectory(directory, uid());
    names = readdirSync(directory);
  } catch (error) {
    if (error instanceof TraceError && error.errno === 'ENOENT') return [];
    throw error;
  }
  const found: TraceableProcess[] = [];
  for (const name of names) {
    const pid = pidOfSocket(name);
    if (pid === undefined) continue;
    const path = socketPath(directory, pid);
    if (processExists(pid) && (await listens(path))) found.push({ pid, command: commandOf(pid), socketPath: path });
    else unlinkQuietly(path);
  }
  return found.sort((a, b) => a.pid - b.pid);
}

/**
 * A process whose socket is where its own user, environment and container put it, and not this command's: another user's or a
 * container's, for root.
 */
async function elsewhere(pid: number): Promise<TraceableProcess | undefined> {
  try {
    const owner = statSync(`/proc/${pid}`).uid;
    const directory = `/proc/${pid}/root${socketDirectory(environmentOf(pid), owner)}`;
    checkSocketDirectory(directory, owner);
    const path = socketPath(directory, ownPid(pid));
    return (await listens(path)) ? { pid, command: commandOf(pid), socketPath: path } : undefined;
  } catch {
    return undefined;
  }
}

/** The process's id as itself knows it: in a container, mostly 1. */
function ownPid(pid: number): number {
  const [, ids = String(pid)] = /^NSpid:\s*(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(ids.split(/\s+/).at(-1));
}

function environmentOf(pid: number): Record<string, string> {
  const lines = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

/**
 * The client of one process.
 * @param pid which; without it the only one there is
 * @throws TraceError ENODEV when there is none, or EINVAL when there are several; the message says what to do
 */
export async function connectTo(pid?: number): Promise<TraceClient> {
  const processes = await traceableProcesses();
  if (pid !== undefined) {
    const one = processes.find((process) => process.pid === pid) ?? (await elsewhere(pid));
    if (one === undefined) throw new TraceError('ENODEV', noSuchProcess(pid, processes));
    return new TraceClient(one.pid, one.socketPath);
  }
  const [first, ...others] = processes;
  if (first === undefined) {
    throw new TraceError(
      'ENODEV',
      `no process runs with fentry: looked in ${whereLooked()}; start one with node --import fentry PROGRAM, or get into one with fentry attach PID`,
    );
  }
  if (others.length > 0) {
    const listing = processes.map(({ pid, command }) => `  ${pid}  ${command}`).join('\n');
    throw new TraceError('EINVAL', `several processes run with fentry; choose one with --pid PID\n${listing}`);
  }
  return new TraceClient(first.pid, first.socketPath);
}

const whereLooked = (): string => describeSocketDirectory(process.env, uid());

function noSuchProcess(pid: number, processes: readonly TraceableProcess[]): string {
  if (!processExists(pid)) return `there is no process ${pid}`;
  const known = processes.length === 0 ? 'none does' : `those that do: ${processes.map((one) => one.pid).join(', ')}`;
  return `process ${pid} does not run with fentry, or has no socket: looked in ${whereLooked()}; ${known}; to get into it: fentry attach ${pid}`;
}
