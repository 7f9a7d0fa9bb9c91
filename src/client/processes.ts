import { readdirSync, readFileSync, statSync, unlinkSync } from 'node:fs';
import { TraceError } from '../base/errno.js';
import { listens } from '../base/listens.js';
import {
  checkSocketDirectory,
  describeSocketDirectory,
  pidOfSocket,
  processExists,
  socketDirectory,
  socketPath,
} from '../base/socket-directory.js';
import { applicationsOf, isAsking, notStarting } from './applications.js';
import { ancestorsOf, describeProcess, environmentOf, type TraceableProcess } from './describe-process.js';
import { isOld, reached, type SilentProcess, silentProcesses } from './silent-processes.js';
import { TraceClient } from './trace-client.js';

export type { TraceableProcess } from './describe-process.js';

const uid = (): number => process.geteuid?.() ?? 0;

function unlinkQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Another process removed it at the same time.
  }
}

/**
 * The user's processes that run with fentry, by pid, without those that only run this command. Sockets of processes that ended
 * without removing theirs are removed. EACCES when the folder is not safe.
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
    // What an ended native process has left can be read as long as its host listens.
    if (!(await listens(path))) unlinkQuietly(path);
    else if (processExists(pid)) found.push(describeProcess(pid, path));
  }
  return notAsking(found);
}

/** Processes without those that only run this command, by pid. */
function notAsking<One extends TraceableProcess>(processes: readonly One[]): readonly One[] {
  const asking = [process.pid, ...ancestorsOf(process.pid)];
  return processes.filter((one) => !isAsking(one, asking)).sort((a, b) => a.pid - b.pid);
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
    return (await listens(path)) ? describeProcess(pid, path) : undefined;
  } catch {
    return undefined;
  }
}

/** The process's own pid: in a container, mostly 1. */
function ownPid(pid: number): number {
  const [, ids = String(pid)] = /^NSpid:\s*(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(ids.split(/\s+/).at(-1));
}

/** The processes that can be traced, and those that do not listen yet. */
async function allProcesses() {
  const listening = await traceableProcesses();
  const silent = notAsking(await silentProcesses());
  return { listed: [...listening, ...silent.filter(isOld)].sort((a, b) => a.pid - b.pid), silent };
}

/** The processes that can be traced, by pid, with those that have run for some time and do not listen yet. */
export const listedProcesses = async (): Promise<readonly (TraceableProcess | SilentProcess)[]> => (await allProcesses()).listed;

/**
 * What can be chosen: the listed processes. One that has just begun, as a command does that another one starts, is no choice of
 * the user's, unless there are no others.
 */
async function choices(): Promise<readonly (TraceableProcess | SilentProcess)[]> {
  const { listed, silent } = await allProcesses();
  return listed.length > 0 ? listed : silent;
}

/**
 * The chosen process.
 * @param pid its id; without it, the only application is chosen
 * @param tell gets a message with the choice if there were other processes besides those that started it, or if the process does
 *   not listen yet
 * @throws TraceError ENODEV when there is none, or EINVAL when there are several; the message says what to do
 */
export async function chosenProcess(pid?: number, tell?: (message: string) => void): Promise<TraceableProcess> {
  if (pid !== undefined) {
    const processes = await traceableProcesses();
    const one = processes.find((process) => process.pid === pid) ?? (await elsewhere(pid));
    if (one !== undefined) return one;
    const silent = (await silentProcesses()).find((process) => process.pid === pid);
    if (silent !== undefined) return reached(silent, tell);
    throw new TraceError('ENODEV', noSuchProcess(pid, processes));
  }
  const processes = await choices();
  const [one, ...others] = applicationsOf(processes);
  if (one === undefined) throw noProcess();
  if (others.length > 0) {
    const listing = [one, ...others].map((each) => `  ${each.pid}  ${each.program.name}  (${each.command})`).join('\n');
    throw new TraceError('EINVAL', `several processes run with fentry; choose one with --pid PID\n${listing}`);
  }
  const rest = notStarting(one, processes);
  if (rest.length > 0) tell?.(`using process ${named(one)}, not ${rest.map(named).join(', ')}`);
  return 'age' in one ? reached(one, tell) : one;
}

/** The applications among the listed processes. @throws TraceError ENODEV when there is none, or as `reached` does */
export async function allApplications(tell?: (message: string) => void): Promise<readonly TraceableProcess[]> {
  const found = applicationsOf(await listedProcesses());
  if (found.length === 0) throw noProcess();
  return Promise.all(found.map((one) => ('age' in one ? reached(one, tell) : one)));
}

/** The client of one process, as `chosenProcess` chooses it. */
export async function connectTo(pid?: number, tell?: (message: string) => void): Promise<TraceClient> {
  const one = await chosenProcess(pid, tell);
  return new TraceClient(one.pid, one.socketPath);
}

/** `4711 (src/server.ts)` */
const named = ({ pid, program }: TraceableProcess): string => `${pid} (${program.name})`;

const noProcess = (): TraceError =>
  new TraceError(
    'ENODEV',
    `no process runs with fentry: looked in ${whereLooked()}; start one with fentry env node PROGRAM, or attach to one with fentry attach PID`,
  );

const whereLooked = (): string => describeSocketDirectory(process.env, uid());

function noSuchProcess(pid: number, processes: readonly TraceableProcess[]): string {
  if (!processExists(pid)) return `there is no process ${pid}`;
  const known = processes.length === 0 ? 'none does' : `those that do: ${processes.map((one) => one.pid).join(', ')}`;
  return `process ${pid} does not run with fentry, or has no socket: looked in ${whereLooked()}; ${known}; to get into it: fentry attach ${pid}`;
}
