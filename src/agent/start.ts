import { readlinkSync } from 'node:fs';
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';
import { LinkTable } from '../arch/v8/loader/link-table.js';
import { cacheFolder, installLoader } from '../arch/v8/loader/loader.js';
import { installRealm } from '../arch/v8/realm/realm.js';
import { traceClock } from '../ring-buffer/index.js';
import { createTracerRuntime } from '../tracers/create-runtime.js';
import { afterExitEvent } from './at-exit.js';
import { ControlStarter } from './control-starter.js';
import { parseParameters } from './parameters.js';
import { ProgramThread } from './program-thread.js';
import { type ProcessShare, SHARE_KEY } from './protocol.js';
import { say } from './say.js';
import { createControlBlock, takeCpu } from './shared.js';

/** By this property of `process` the agent is found again: by a second load of fentry, and by the inspector's interrupt. */
const AGENT = Symbol.for('fentry.agent');
/** URL of the folder of fentry's own files. */
const OWN_FOLDER = new URL('.', import.meta.url).href;
/** Starts the agent in this thread; nothing when it runs already. */
export function startAgent(): ProgramThread | undefined {
  const known = (process as { [AGENT]?: ProgramThread })[AGENT];
  if (known !== undefined) return known;
  try {
    return start();
  } catch {
    // Whatever stands in the way (a permission model, a frozen global object): the program comes first.
    return undefined;
  }
}

function start(): ProgramThread | undefined {
  const inherited = getEnvironmentData(SHARE_KEY) as ProcessShare | undefined;
  const share = inherited ?? createShare();
  const text = process.env['FENTRY'] ?? '';
  const { parameters, errors } = parseParameters(text);
  if (inherited === undefined) for (const { parameter, message } of errors) say(`FENTRY: ${parameter}: ${message}`);

  const cpu = takeCpu(new Int32Array(share.block), threadId());
  if (cpu === undefined) return undefined;
  const realm = installRealm(globalThis, OWN_FOLDER);
  const thread = new ProgramThread({
    share,
    cpu,
    ownFolder: OWN_FOLDER,
    createRuntime: (createWriter) =>
      createTracerRuntime({ cells: realm.cells, clock: traceClock, createWriter, subscriberFailed, onUncaught }),
  });
  Object.defineProperty(process, AGENT, { value: thread, enumerable: false, configurable: true, writable: true });
  const control =
    inherited === undefined ? new ControlStarter({ share, parameters, isAsked: text !== '' }, OWN_FOLDER) : undefined;
  installLoader({
    realm,
    links: share.links,
    ownFolder: OWN_FOLDER,
    packages: parameters.instrument?.join(','),
    cacheFolder: cacheFolder(OWN_FOLDER, process.env),
    onLink: (link) => {
      control?.begin();
      thread.link(link);
    },
  });
  afterExitEvent(() => {
    thread.tell({ type: 'end' });
    control?.end();
  });
  return thread;
}

function createShare(): ProcessShare {
  const share = {
    nonce: String(process.pid),
    block: createControlBlock().buffer as SharedArrayBuffer,
    links: LinkTable.create(),
  };
  setEnvironmentData(SHARE_KEY, share as never);
  return share;
}

/** The thread's id at the operating system. */
function threadId(): number {
  if (isMainThread) return process.pid;
  return Number(readlinkSync('/proc/thread-self').split('/').pop());
}

function subscriberFailed(_id: number, _ops: unknown, error: unknown): void {
  say(`a subscriber threw and is not called any more: ${(error as Error)?.stack ?? error}`);
}

function onUncaught(clear: () => void): () => void {
  process.on('uncaughtExceptionMonitor', clear);
  return () => process.off('uncaughtExceptionMonitor', clear);
}
