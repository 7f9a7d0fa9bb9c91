import { fileURLToPath } from 'node:url';
import { BroadcastChannel } from 'node:worker_threads';
import { RUNS_PROGRAM } from '../../base/runs-program.js';
import { type ProcessShare, shareName } from '../shared/protocol.js';

/** The control thread is a worker too, and gets no agent. */
export const CONTROL = Symbol.for('fentry.control');

/**
 * The expression for a worker of an attached process: it loads the agent, because there was no preload, or obeys. Its value is
 * false if the worker is still starting, and must be asked again.
 * @param fentryFolder URL of the folder of fentry's own files
 */
export const workerExpression = (fentryFolder: string, nonce: string): string => `(() => {
  const agent = process[Symbol.for('fentry.agent')];
  if (agent !== undefined) agent.interrupt();
  if (agent !== undefined || process[Symbol.for('${CONTROL.description}')] !== undefined) return true;
  if (!${RUNS_PROGRAM}) return false;
  const path = ${JSON.stringify(fileURLToPath(new URL('attach.cjs', fentryFolder)))};
  const { createRequire } = process.getBuiltinModule?.('node:module') ?? require('node:module');
  const load = createRequire(path);
  try {
    load(path).attachWorker(${JSON.stringify(nonce)});
    return true;
  } finally {
    delete load.cache[path];
  }
})()`;

/**
 * Sends workers the memory that the process's threads share, when they ask for it: memory cannot be sent through the inspector.
 */
export function answerWorkers(share: ProcessShare): void {
  const channel = new BroadcastChannel(shareName(share.nonce));
  channel.onmessage = (event) => {
    if ((event as { data: unknown }).data === 'share') channel.postMessage(share);
  };
}
