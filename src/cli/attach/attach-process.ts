import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { TraceError } from '../../base/errno.js';
import { listens } from '../../base/listens.js';
import { prepareSocket } from '../../base/prepare-socket.js';
import { checkSocketDirectory, socketDirectory, socketPath } from '../../base/socket-directory.js';
import type { Deadline } from './deadline.js';
import { inspectorLeft } from './inspector-left.js';
import { loadAgent } from './load-agent.js';
import { openInspector } from './open-inspector.js';
import { type ProcessFacts, processFacts } from './process-facts.js';
import { refusal } from './refusal.js';

const AGENT = fileURLToPath(new URL('attach.cjs', import.meta.url));
const LOOK = 10;

/** The socket that the process will have: where its user's `fentry` looks for it. */
function socketOf({ pid, uid: owner, environment }: ProcessFacts, uid: number): string {
  return socketPath(socketDirectory(owner === uid ? process.env : environment, owner), pid);
}

/**
 * Nothing is loaded where there can be no socket. The process itself makes its folder if it belongs to another user than this
 * command.
 * @throws TraceError as checkSocketDirectory does, or what the system says of making the folder
 */
function checkFolder(socket: string, { uid: owner }: ProcessFacts, uid: number): void {
  const folder = dirname(socket);
  if (owner === uid) prepareSocket(socket, uid);
  else if (existsSync(folder)) checkSocketDirectory(folder, owner);
}

/** A process that fentry was loaded into. */
export interface Attached {
  /** The path of its control socket. */
  readonly socket: string;
  /** What went wrong although fentry was loaded, as a sentence. */
  readonly warning: string | undefined;
}

/**
 * Loads fentry into a process that was started without it.
 * @throws TraceError if it is refused; EEXIST if fentry is already there
 */
export async function attachProcess(pid: number, deadline: Deadline): Promise<Attached> {
  const uid = process.geteuid?.() ?? 0;
  const facts = processFacts(pid, AGENT);
  if (facts === undefined) throw new TraceError('ESRCH', `there is no process ${pid}`);
  const refused = refusal(facts, uid);
  if (refused !== undefined) throw refused;
  const socket = socketOf(facts, uid);
  if (await listens(socket)) throw new TraceError('EEXIST', `fentry is already in process ${pid}`);
  checkFolder(socket, facts, uid);
  const inspector = await openInspector(facts, deadline);
  await loadAgent(pid, inspector, { agent: AGENT, socket }, deadline);
  while (!(await listens(socket))) {
    if (deadline.isOver)
      throw new TraceError(
        'ETIMEDOUT',
        `fentry is in process ${pid}, but ${socket} does not answer; FENTRY_DIR may name another folder`,
      );
    await sleep(LOOK);
  }
  const port = Number(new URL(inspector.address).port);
  return { socket, warning: inspector.wasOpen ? undefined : await inspectorLeft(pid, port) };
}
