import { setTimeout as sleep } from 'node:timers/promises';
import { TraceError } from '../../base/errno.js';
import { describeWait, threadState } from '../../base/thread-state.js';
import type { Deadline } from './deadline.js';
import { debuggerAddress } from './inspector-connection.js';
import { inspectorOptions } from './inspector-options.js';
import { holderOfPort, listeningPorts } from './listening-ports.js';
import type { ProcessFacts } from './process-facts.js';

/** An inspector that listens. */
export interface OpenInspector {
  /** The inspector's WebSocket. */
  readonly address: string;
  /** Whether the inspector listened before. */
  readonly wasOpen: boolean;
}

/** The interval between checks, and the time after which ports that listened before the signal are checked too: milliseconds. */
const LOOK = 10;
const EARLIER = 500;

/**
 * Makes the process open its inspector.
 * @throws TraceError EAGAIN if the process has no handler for SIGUSR1, EBUSY if another process has the port, ETIMEDOUT with
 *   what the main thread waits for
 */
export async function openInspector(facts: ProcessFacts, deadline: Deadline): Promise<OpenInspector> {
  const { pid, handlesSigusr1 } = facts;
  const options = inspectorOptions(facts.arguments, facts.environment['NODE_OPTIONS']);
  const before = listeningPorts(pid);
  const known = options.listens ? before : before.filter((port) => port === options.port);
  const open = await firstDebugger(known, deadline);
  if (open !== undefined) return { address: open, wasOpen: true };
  if (!handlesSigusr1) {
    throw new TraceError(
      'EAGAIN',
      `process ${pid} has no handler for SIGUSR1 (--disable-sigusr1?): its inspector cannot be opened from outside`,
    );
  }
  const began = performance.now();
  for (let isTaken = true; !deadline.isOver; await sleep(LOOK)) {
    // One signal is enough, and a second one is sent only if the port was in use: the program may have its own handler.
    const wasTaken = isTaken;
    isTaken = holderOf(options.port, pid) !== undefined;
    if (wasTaken && !isTaken) process.kill(pid, 'SIGUSR1');
    // If an earlier, unanswered signal opened the inspector, it does not open again: its port is one of those that listened
    // before.
    const isLate = performance.now() - began > EARLIER;
    const opened = listeningPorts(pid).filter((port) => isLate || !before.includes(port) || port === options.port);
    const address = await firstDebugger(opened, deadline);
    if (address !== undefined) return { address, wasOpen: false };
    if (threadState(pid, pid) === undefined) throw new TraceError('ESRCH', `process ${pid} has ended`);
  }
  const holder = holderOf(options.port, pid);
  if (holder !== undefined) {
    throw new TraceError(
      'EBUSY',
      `port ${options.port}, where process ${pid} opens its inspector, is used by ${holder === 0 ? 'another user' : `process ${holder}`}`,
    );
  }
  throw new TraceError('ETIMEDOUT', `process ${pid} does not open its inspector: ${silence(pid)}`);
}

/** What its main thread does instead. A main thread in its event loop is not blocked. */
function silence(pid: number): string {
  const words = describeWait(threadState(pid, pid));
  return words.includes('epoll')
    ? 'it is idle, and may have its own SIGUSR1 handler'
    : `it ${words}; it will open when that is over`;
}

/** The pid of another process that has the port; 0 if it cannot be seen. */
function holderOf(port: number, pid: number): number | undefined {
  if (port === 0) return undefined;
  const holder = holderOfPort(port);
  return holder === pid ? undefined : holder;
}

async function firstDebugger(ports: readonly number[], deadline: Deadline): Promise<string | undefined> {
  for (const port of ports) {
    const address = await debuggerAddress(port, deadline.left);
    if (address !== undefined) return address;
  }
  return undefined;
}
