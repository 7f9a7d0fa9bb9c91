import { fileURLToPath } from 'node:url';
import { BroadcastChannel } from 'node:worker_threads';
import { RUNS_PROGRAM } from '../../../base/runs-program.js';
import { type ProcessShare, shareName } from '../shared/protocol.js';

/** The control thread is a worker too, and gets no agent. */
export const CONTROL = Symbol.for('fentry.control');

/**
 * What a worker of a process to which fentry came late evaluates: it loads the agent that no preload gave it, or obeys.
 * Its value is false for a worker that is still starting, and must be asked again.
 * @param ownFolder URL of the folder of fentry's own files
 */
export const workerExpression = (ownFolder: string, nonce: string): string => `(() => {
  const agent = process[Symbol.for('fentry.agent')];
  if (agent !== undefined) agent.interrupt();
  if (agent !== undefined || process[Symbol.for('${CONTROL.description}')] !== undefined) return true;
  if (!${RUNS_PROGRAM}) return false;
  const path = ${JSON.stringify(fileURLToPath(new URL('attach.cjs', ownFolder)))};
  const { createRequire } = process.getBuiltinModule?.('node:module') ?? require('node:module');
  const load = createRequire(path);
  try {
    load(path).attachWorker(${JSON.stringify(nonce)});
    return true;
  } finally {
    delete load.cache[path];
  }
})()`;

/** Gives workers what the process's threads share when they ask for it: memory does not go through the inspector. */
export function answerWorkers(share: ProcessShare): void {
  const channel = new BroadcastChannel(shareName(share.nonce));
  channel.onmessage = (event) => {
    if ((event as { data: unknown }).data === 'share') channel.postMessage(share);
  };
}
