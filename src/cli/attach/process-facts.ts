import { readFileSync, readlinkSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { attempt } from '../../base/attempt.js';
import { environmentOf } from '../../client/describe-process.js';
import { nodeVersionIn } from './node-version.js';

/** What /proc says about a process before anything is done to it. */
export interface ProcessFacts {
  readonly pid: number;
  /** The letter of its main thread's state. */
  readonly state: string;
  /** The process's owner: the effective user id. */
  readonly uid: number;
  /** The process's id in each pid namespace that can be seen, the outermost first. */
  readonly pids: readonly number[];
  /** Whether the process has a handler for SIGUSR1; without one the signal ends it. */
  readonly handlesSigusr1: boolean;
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** The name of its executable; '' if it cannot be seen. */
  readonly executable: string;
  /** Node's version, found in the executable; undefined when that is not Node. */
  readonly node: string | undefined;
  /** Whether the process shares its network with this command. */
  readonly sameNetwork: boolean;
  /** Whether the process sees the same file under the path of fentry's agent. */
  readonly seesAgent: boolean;
}

const SIGUSR1 = 10;

/** The facts of a process; undefined if there is no such process. `agentPath` is the file that it must load. */
export function processFacts(pid: number, agentPath: string): ProcessFacts | undefined {
  const status = read(`/proc/${pid}/status`);
  if (status === '') return undefined;
  const executable = attempt(() => readlinkSync(`/proc/${pid}/exe`)) ?? '';
  return {
    pid,
    ...statusFacts(status),
    ...startFacts(pid),
    executable: basename(executable.replace(/ \(deleted\)$/, '')),
    node: executable === '' ? undefined : nodeVersionIn(pid),
    sameNetwork: link(pid, 'net') === link('self', 'net'),
    seesAgent: attempt(() => sameFile(agentPath, `/proc/${pid}/root${agentPath}`)) ?? false,
  };
}

/** What a process was started with. */
export function startFacts(pid: number): Pick<ProcessFacts, 'arguments' | 'environment'> {
  return {
    arguments: read(`/proc/${pid}/cmdline`).split('\0').slice(0, -1),
    environment: attempt(() => environmentOf(pid)) ?? {},
  };
}

/** What /proc/PID/status says. */
export function statusFacts(status: string): Pick<ProcessFacts, 'state' | 'uid' | 'pids' | 'handlesSigusr1'> {
  const field = (name: string): readonly string[] =>
    new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1]?.trim().split(/\s+/) ?? [];
  const caught = BigInt(`0x${field('SigCgt')[0] ?? '0'}`);
  return {
    state: field('State')[0] ?? '?',
    uid: Number(field('Uid')[1]),
    pids: field('NSpid').map(Number),
    handlesSigusr1: ((caught >> BigInt(SIGUSR1 - 1)) & 1n) === 1n,
  };
}

function sameFile(one: string, other: string): boolean {
  const [a, b] = [statSync(one), statSync(other)];
  return a.dev === b.dev && a.ino === b.ino;
}

const link = (pid: number | 'self', namespace: string): string | undefined =>
  attempt(() => readlinkSync(`/proc/${pid}/ns/${namespace}`));

const read = (path: string): string => attempt(() => readFileSync(path, 'utf8')) ?? '';
