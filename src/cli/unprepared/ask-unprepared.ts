import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import { TraceError } from '../../base/errno.js';
import { closingExpression } from '../../v8/inspect/closing-expression.js';
import { InspectorThread } from '../../v8/inspect/inspector-thread.js';
import { Deadline } from '../attach/deadline.js';
import { inspectorLeft } from '../attach/inspector-left.js';
import { type OpenInspector, openInspector } from '../attach/open-inspector.js';
import { type ProcessFacts, processFacts } from '../attach/process-facts.js';
import { refusal } from '../attach/refusal.js';
import { complain } from '../output.js';

/** Milliseconds until the signal is sent again, and the most to wait for the inspector to close. */
const OPENING = 3000;
const CLOSING = 1000;

/**
 * The facts of a process that its inspector may be asked.
 * @throws TraceError ESRCH if there is none, or as `fentry attach` is refused
 */
export function askedFacts(pid: number): ProcessFacts {
  const facts = processFacts(pid, process.execPath);
  if (facts === undefined) throw new TraceError('ESRCH', `there is no process ${pid}`);
  const refused = refusal({ ...facts, seesAgent: true }, process.geteuid?.() ?? 0);
  if (refused !== undefined) throw refused;
  return facts;
}

/**
 * Opens the inspector of a process that runs without fentry, lets `ask` use a session with its main thread, and closes it again,
 * unless it was open before: nothing is left behind. `over` resolves when the time is up.
 * @throws TraceError as `fentry attach` does; EIO if somebody else closes it meanwhile
 */
export async function askUnprepared<T>(
  facts: ProcessFacts,
  deadline: Deadline,
  ask: (session: InspectorThread, over: Promise<void>) => Promise<T>,
): Promise<T> {
  const { address, wasOpen } = await open(facts, deadline);
  const { socket, thread } = await connect(address, deadline);
  if (!wasOpen) {
    const expression = closingExpression(deadline.left + 2 * CLOSING);
    void thread.ask('Runtime.evaluate', { expression, includeCommandLineAPI: true, silent: true }).catch(() => {});
  }
  const late = new AbortController();
  const over = sleep(deadline.left, undefined, { signal: late.signal }).catch(() => {});
  const lost = ended(socket);
  const isLost = lost.then(() => {
    throw new TraceError('EIO', `the inspector of process ${facts.pid} was closed`);
  });
  isLost.catch(() => {});
  try {
    return await Promise.race([ask(thread, Promise.race([over, lost])), isLost]);
  } finally {
    late.abort();
    // The connection ends with it, before the answer.
    if (!wasOpen) {
      const closed = thread.ask('Runtime.evaluate', { expression: 'void process._debugEnd()', silent: true });
      await Promise.race([closed.catch(() => {}), lost, sleep(CLOSING)]);
    }
    thread.close();
    socket.terminate();
    const warning = wasOpen ? undefined : await inspectorLeft(facts.pid, Number(new URL(address).port));
    if (warning !== undefined) complain(warning);
  }
}

/**
 * Opens the inspector. The signal is sent again if nothing follows: another command may have had it open then, and has closed it
 * since.
 */
async function open(facts: ProcessFacts, deadline: Deadline): Promise<OpenInspector> {
  for (;;) {
    try {
      return await openInspector(facts, new Deadline(Math.min(OPENING, deadline.left)));
    } catch (error) {
      if (!(error instanceof TraceError) || error.errno !== 'ETIMEDOUT' || deadline.isOver) throw error;
    }
  }
}

const ended = (socket: WebSocket): Promise<void> =>
  new Promise((resolve) => {
    socket.once('close', () => resolve());
    socket.once('error', () => resolve());
  });

/** Connects; rejects with EIO. */
function connect(address: string, deadline: Deadline): Promise<{ readonly socket: WebSocket; readonly thread: InspectorThread }> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address, { handshakeTimeout: deadline.left, perMessageDeflate: false });
    const thread = new InspectorThread((message) => socket.send(message));
    socket.on('message', (data) => thread.received(String(data)));
    socket.on('close', () => thread.close());
    socket.once('open', () => resolve({ socket, thread }));
    socket.once('error', (error) => reject(new TraceError('EIO', `its inspector refuses: ${error.message}`)));
  });
}
