import { TraceError } from '../../base/errno.js';
import { pause } from '../../base/pause.js';
import { setStopped } from './debts.js';
import { type ThreadPosition, threadIds, threadName, threadPosition, threadState } from './tasks.js';

/**
 * How long all threads have to stop, in milliseconds: one in a wait that signals do not end stops only behind it; one that could
 * run stops as soon as it has a processor.
 */
const PATIENCE = { WAITS: 2000, RUNS: 15_000 } as const;
/** Looks before the first rest: most threads stop within microseconds. */
const QUICK_LOOKS = 20;
const REST = 0.2;

/** A thread of a stopped process. */
export interface StoppedThread extends ThreadPosition {
  readonly tid: number;
}

/** A process none of whose threads runs. */
export interface StoppedProcess {
  readonly threads: readonly StoppedThread[];
}

const HAS_STOPPED: ReadonlySet<string> = new Set(['T', 'Z', 'X']);
const HAS_ENDED: ReadonlySet<string> = new Set(['Z', 'X']);

/**
 * Stops all threads of a process, calls `run` with where they stand, and lets them go on. `run` must not wait for the process.
 * @throws TraceError ESRCH when it has ended, EPERM when it may not be stopped, EBUSY when a debugger has it or a thread does not
 *   stop: which, and what it is doing
 */
export function whileStopped<T>(pid: number, run: (stopped: StoppedProcess) => T): T {
  const wasStopped = isStopped(pid);
  collectYoung();
  if (!wasStopped) setStopped(pid);
  try {
    signal(pid, 'SIGSTOP');
    try {
      return run({ threads: stoppedThreads(pid) });
    } finally {
      if (!wasStopped) signal(pid, 'SIGCONT');
    }
  } finally {
    if (!wasStopped) setStopped(undefined);
  }
}

/**
 * A collection while the process stands still would prolong that by up to 7 ms, measured with `npm run bench stops`. Where V8 was
 * not told to let this be asked for, nothing is done.
 */
function collectYoung(): void {
  globalThis.gc?.({ type: 'minor' });
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPERM') throw new TraceError('EPERM', `process ${pid} may not be stopped`);
    if (name === 'SIGSTOP') throw new TraceError('ESRCH', `process ${pid} has ended`);
  }
}

/** Somebody else has stopped it, and it must stay so. */
function isStopped(pid: number): boolean {
  const states = threadIds(pid).map((tid) => threadState(pid, tid));
  return states.length > 0 && states.every((state) => state === undefined || HAS_STOPPED.has(state));
}

function stoppedThreads(pid: number): readonly StoppedThread[] {
  const start = performance.now();
  for (let looks = 0; ; looks++) {
    const found = look(pid);
    if ('threads' in found) return found.threads;
    if (performance.now() > start + (found.canRun ? PATIENCE.RUNS : PATIENCE.WAITS))
      throw new TraceError('EBUSY', `process ${pid} does not stop: ${found.running}`);
    if (looks > QUICK_LOOKS) pause(REST);
  }
}

/**
 * All threads, if none of them runs; or what keeps one from stopping. A thread that is about to be created stops when it exists.
 */
function look(pid: number): StoppedProcess | { readonly running: string; readonly canRun: boolean } {
  const threads: StoppedThread[] = [];
  const tids = threadIds(pid);
  for (const tid of tids) {
    const state = threadState(pid, tid);
    if (state === undefined || HAS_ENDED.has(state)) continue;
    if (state === 't')
      throw new TraceError(
        'EBUSY',
        `process ${pid} does not stop: thread ${tid} is held by a debugger, or strace: let that one leave it`,
      );
    const position = HAS_STOPPED.has(state) ? threadPosition(pid, tid) : undefined;
    if (position === undefined) {
      return { running: `thread ${tid} (${threadName(pid, tid)}) is in state ${state}`, canRun: state === 'R' };
    }
    threads.push({ tid, ...position });
  }
  if (threads.length === 0) throw new TraceError('ESRCH', `process ${pid} has ended`);
  const later = threadIds(pid);
  if (later.length !== tids.length) return { running: 'it starts threads', canRun: false };
  return { threads };
}
