import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import { TraceError } from '../../base/errno.js';
import { closingExpression } from '../../v8/inspect/closing-expression.js';
import { InspectorThread } from '../../v8/inspect/inspector-thread.js';
import { Deadline } from '../attach/deadline.js';
import { inspectorLeft } from '../attach/inspector-left.js';
import { socketsOf } from '../attach/listening-ports.js';
import { openInspector } from '../attach/open-inspector.js';
import { type ProcessFacts, processFacts } from '../attach/process-facts.js';
import { refusal } from '../attach/refusal.js';
import { complain } from '../output.js';
import { askingTurn } from './asking-turn.js';

/** Milliseconds until the signal is sent again, and the most to wait for the inspector to close. */
const OPENING = 3000;
/** Milliseconds until it is asked again. */
const AGAIN = 20;
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

type Ask<T> = (session: InspectorThread, over: Promise<void>) => Promise<T>;

/**
 * Opens the inspector of a process that runs without fentry, lets `ask` use a session with its main thread, and closes it again,
 * unless it was open before: nothing is left behind. `over` resolves when the time is up. `ask` is called again if another
 * command that has asked at the same time closes the inspector.
 * @throws TraceError as `fentry attach` does
 */
export async function askUnprepared<T>(facts: ProcessFacts, deadline: Deadline, ask: Ask<T>): Promise<T> {
  const endTurn = await askingTurn(facts.pid);
  try {
    return await askUntilAnswered(facts, deadline, ask);
  } finally {
    endTurn();
  }
}

async function askUntilAnswered<T>(facts: ProcessFacts, deadline: Deadline, ask: Ask<T>): Promise<T> {
  const before = new Set(socketsOf(facts.pid).map(({ inode }) => inode));
  for (;;) {
    try {
      return await askOnce(facts, before, deadline, ask);
    } catch (error) {
      if (!(error instanceof TraceError) || error.errno !== 'EIO' || deadline.isOver) throw error;
    }
    await sleep(AGAIN);
  }
}

/** @param before the listening sockets that the process had before: an inspector that is opened again may have the same port */
async function askOnce<T>(facts: ProcessFacts, before: ReadonlySet<string>, deadline: Deadline, ask: Ask<T>): Promise<T> {
  const address = await open(facts, deadline);
  const port = Number(new URL(address).port);
  const wasOpen = socketsOf(facts.pid).some((one) => one.port === port && before.has(one.inode));
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
      await Promise.race([closed.catch(() => {}), lost, sleep(CLOSING, undefined, { ref: false })]);
    }
    thread.close();
    socket.terminate();
    const warning = wasOpen ? undefined : await inspectorLeft(facts.pid, port);
    if (warning !== undefined) complain(warning);
  }
}

/**
 * Opens the inspector, and returns its address. The signal is sent again if nothing follows: another command may have had it open
 * then, and has closed it since.
 */
async function open(facts: ProcessFacts, deadline: Deadline): Promise<string> {
  for (;;) {
    try {
      const { address } = await openInspector(facts, new Deadline(Math.min(OPENING, deadline.left)));
      return address;
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
