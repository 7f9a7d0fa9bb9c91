import { setTimeout as sleep } from 'node:timers/promises';
import { type Errno, TraceError } from '../../base/errno.js';
import { RUNS_PROGRAM } from '../../base/runs-program.js';
import { describeWait, threadState } from '../../base/thread-state.js';
import type { Deadline } from './deadline.js';
import { InspectorConnection } from './inspector-connection.js';
import type { OpenInspector } from './open-inspector.js';

/** What the agent answers; agent/program/attach.ts writes it. */
interface Answer {
  readonly attached?: boolean;
  readonly errno?: Errno;
  readonly message?: string;
}

/** The most milliseconds to wait for the inspector to close. */
const CLOSING = 1000;

/** Milliseconds until a process that is still starting is asked again. */
const LOOK = 10;

/**
 * Evaluated in the process's main thread: null while that is still starting. CommonJS is found in the same way in programs of
 * both kinds; the entry that the load leaves in the program's module cache is removed.
 */
const expression = (
  agentPath: string,
  request: { readonly socketPath: string; readonly closesInspector: boolean },
): string => `(() => {
  if (!${RUNS_PROGRAM}) return null;
  const path = ${JSON.stringify(agentPath)};
  const { createRequire } = process.getBuiltinModule?.('node:module') ?? require('node:module');
  const load = createRequire(path);
  try {
    return load(path).attach(${JSON.stringify(request)});
  } finally {
    delete load.cache[path];
  }
})()`;

/**
 * Loads the agent into a process and closes the inspector again, unless it was open before.
 * @throws TraceError EEXIST when fentry runs in it, EACCES when the agent could not start, ETIMEDOUT when the process does not
 * answer
 */
export async function loadAgent(
  pid: number,
  inspector: OpenInspector,
  paths: { readonly agent: string; readonly socket: string },
  deadline: Deadline,
): Promise<void> {
  const connection = await InspectorConnection.open(inspector.address, deadline.left);
  try {
    const text = expression(paths.agent, { socketPath: paths.socket, closesInspector: !inspector.wasOpen });
    const ask = (): Promise<unknown> => connection.evaluate(text, deadline.left);
    let value = await ask();
    for (; value === null && !deadline.isOver; value = await ask()) await sleep(LOOK);
    if (value === undefined || value === null) {
      throw new TraceError('ETIMEDOUT', `process ${pid} does not run the agent: it ${describeWait(threadState(pid, pid))}`);
    }
    const { attached, errno = 'EACCES', message = 'the agent could not start' } = JSON.parse(String(value)) as Answer;
    if (attached !== true) throw new TraceError(errno, `process ${pid}: ${message}`);
  } finally {
    // The connection ends with it, before the answer.
    if (!inspector.wasOpen) await connection.evaluate('void process._debugEnd()', CLOSING).catch(() => {});
    connection.close();
  }
}
