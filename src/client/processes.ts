import { readdirSync, readFileSync, statSync, unlinkSync } from 'node:fs';
import { attempt } from '../base/attempt.js';
import { TraceError } from '../base/errno.js';
import { listens } from '../base/listens.js';
import { procStat, STAT } from '../base/proc-stat.js';
import {
  checkSocketDirectory,
  describeSocketDirectory,
  pidOfSocket,
  processExists,
  socketDirectory,
  socketPath,
} from '../base/socket-directory.js';
import { workingFolder } from '../base/working-folder.js';
import { type Program, programOf } from './program.js';
import { TraceClient } from './trace-client.js';

/** The properties that decide whether a process is the application. */
export interface ApplicationTraits {
  readonly pid: number;
  /** The process's parent, the parent's parent and so on. */
  readonly ancestors: readonly number[];
  readonly program: Program;
}

/**
 * The applications among processes: without npm and its like, without installed programs and watchers that only start one of
 * the others (tsx, nodemon, next, node --watch), and without installed programs that one of the user's own has started. If
 * nothing else runs, these count as the applications.
 */
export function applicationsOf<One extends ApplicationTraits>(processes: readonly One[]): readonly One[] {
  const unmanaged = processes.filter(({ program }) => program.kind !== 'manager');
  const candidates = unmanaged.length > 0 ? unmanaged : processes;
  const starts = (one: One): boolean => candidates.some(({ ancestors }) => ancestors.includes(one.pid));
  const last = candidates.filter((one) => one.program.kind === 'own' || !starts(one));
  const own = new Set(last.filter(({ program }) => program.kind === 'own').map(({ pid }) => pid));
  return last.filter(({ program, ancestors }) => program.kind === 'own' || !ancestors.some((pid) => own.has(pid)));
}

/** Processes without those that have started this one: npm, tsx and their child are one application. */
export const notStarting = <One extends ApplicationTraits>(one: One, processes: readonly One[]): readonly One[] =>
  processes.filter(({ pid }) => pid !== one.pid && !one.ancestors.includes(pid));

/** Whether a process only runs this command: it is this process, or the npx above it. `asking`: this one and its ancestors. */
export const isAsking = ({ pid, program }: ApplicationTraits, asking: readonly number[]): boolean =>
  pid === asking[0] || (program.kind === 'manager' && asking.includes(pid));

/** A process that can be traced. */
export interface TraceableProcess extends ApplicationTraits {
  /** The process's command line, with blanks between the arguments and without control characters. */
  readonly command: string;
  /** The process's working directory; '' if it cannot be seen. */
  readonly folder: string;
  readonly socketPath: string;
}

const uid = (): number => process.geteuid?.() ?? 0;

/** What /proc says about a process. */
export function describeProcess(pid: number, path: string): TraceableProcess {
  const args = (attempt(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ?? '').replace(/\0+$/, '').split('\0');
  const folder = workingFolder(pid);
  const program = programOf(args, folder);
  return {
    pid,
    command: printable(args.join(' ')),
    program: { ...program, name: printable(program.name) },
    folder: printable(folder),
    ancestors: ancestorsOf(pid),
    socketPath: path,
  };
}

/** A program can put line feeds and escape sequences into its title. */
const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');

function ancestorsOf(pid: number): readonly number[] {
  const parent = Number(procStat(`/proc/${pid}`)?.[STAT.PARENT] ?? 0);
  return parent === 0 ? [] : [parent, ...ancestorsOf(parent)];
}

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
  const asking = [process.pid, ...ancestorsOf(process.pid)];
  return found.filter((one) => !isAsking(one, asking)).sort((a, b) => a.pid - b.pid);
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

function environmentOf(pid: number): Record<string, string> {
  const lines = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

/**
 * The chosen process.
 * @param pid its id; without it, the only application is chosen
 * @param tell gets a message with the choice if there were other processes besides those that started it
 * @throws TraceError ENODEV when there is none, or EINVAL when there are several; the message says what to do
 */
export async function chosenProcess(pid?: number, tell?: (message: string) => void): Promise<TraceableProcess> {
  const processes = await traceableProcesses();
  if (pid !== undefined) {
    const one = processes.find((process) => process.pid === pid) ?? (await elsewhere(pid));
    if (one === undefined) throw new TraceError('ENODEV', noSuchProcess(pid, processes));
    return one;
  }
  const [one, ...others] = applicationsOf(processes);
  if (one === undefined) throw noProcess();
  if (others.length > 0) {
    const listing = [one, ...others].map((each) => `  ${each.pid}  ${each.program.name}  (${each.command})`).join('\n');
    throw new TraceError('EINVAL', `several processes run with fentry; choose one with --pid PID\n${listing}`);
  }
  const rest = notStarting(one, processes);
  if (rest.length > 0) tell?.(`using process ${named(one)}, not ${rest.map(named).join(', ')}`);
  return one;
}

/** The applications among the processes, all of them. @throws TraceError ENODEV when there is none */
export async function allApplications(): Promise<readonly TraceableProcess[]> {
  const found = applicationsOf(await traceableProcesses());
  if (found.length === 0) throw noProcess();
  return found;
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
