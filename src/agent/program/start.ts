import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';
import { foreignCallers } from '../../arch/v8/loader/foreign-callers.js';
import { LinkTable } from '../../arch/v8/loader/link-table.js';
import { cacheFolder, installLoader } from '../../arch/v8/loader/loader.js';
import { createFindCaller } from '../../arch/v8/realm/find-caller.js';
import { installRealm } from '../../arch/v8/realm/realm.js';
import type { FtraceFunctionOps } from '../../ftrace/ftrace-function-ops.js';
import { traceClock } from '../../ring-buffer/index.js';
import { createTracerRuntime } from '../../tracers/create-runtime.js';
import { createControlBlock, takeCpu } from '../control-block.js';
import { parseParameters } from '../parameters.js';
import { type ProcessShare, SHARE_KEY } from '../protocol.js';
import { say } from '../say.js';
import { threadId } from '../thread-id.js';
import { afterEvents } from './after-events.js';
import { ControlStarter } from './control-starter.js';
import { ProgramInterface } from './program-interface.js';
import { ProgramThread } from './program-thread.js';
import { showAuthorsLine } from './uncaught-error.js';

/** By this property of `process` the agent is found again: by a second load of fentry, and by the inspector's interrupt. */
const AGENT = Symbol.for('fentry.agent');
/** URL of the folder of fentry's own files. */
const OWN_FOLDER = new URL('.', import.meta.url).href;

/** Starts the agent in this thread; nothing when it runs already. */
export function startAgent(): ProgramInterface {
  const known = (process as { [AGENT]?: { readonly program: ProgramInterface } })[AGENT];
  if (known !== undefined) return known.program;
  try {
    return start();
  } catch {
    // Whatever stands in the way (a permission model, a frozen global object): the program comes first.
    return new ProgramInterface(undefined, process.pid);
  }
}

function start(): ProgramInterface {
  const inherited = getEnvironmentData(SHARE_KEY) as ProcessShare | undefined;
  const share = inherited ?? createShare();
  const text = process.env['FENTRY'] ?? '';
  const { parameters, errors } = parseParameters(text);
  if (inherited === undefined) for (const { parameter, message } of errors) say(`FENTRY: ${parameter}: ${message}`);

  const tid = threadId();
  const cpu = takeCpu(new Int32Array(share.block), tid, share.parent);
  setEnvironmentData(SHARE_KEY, { ...share, parent: tid } as never);
  if (cpu === undefined) return new ProgramInterface(undefined, tid);
  const data = { share, parameters, isAsked: text !== '' };
  const control = inherited === undefined ? new ControlStarter(data, OWN_FOLDER) : undefined;
  const realm = installRealm(globalThis, OWN_FOLDER);
  const thread = new ProgramThread({
    share,
    cpu,
    needControl: () => control?.begin(),
    texts: realm.texts,
    createRuntime: () =>
      createTracerRuntime({
        cells: realm.cells,
        clock: traceClock,
        createFindCaller: () =>
          createFindCaller(
            realm.texts,
            foreignCallers(new LinkTable(share.links), (link) => thread.announce(link)),
          ),
        subscriberFailed: (_id, ops, error) => subscriberFailed(program, ops, error),
        onUncaught,
      }),
  });
  const program = new ProgramInterface(thread, tid);
  const agent = { program, interrupt: () => thread.interrupt() };
  Object.defineProperty(process, AGENT, { value: agent, enumerable: false, configurable: true, writable: true });
  const programEnded = installLoader({
    realm,
    links: share.links,
    ownFolder: OWN_FOLDER,
    packages: parameters.instrument?.join(','),
    cacheFolder: cacheFolder(OWN_FOLDER, process.env),
    onLink: (link, hasSites) => {
      if (hasSites) thread.link(link);
      else thread.announce(link);
    },
  });
  afterEvents({
    exit: () => {
      // Each for itself: the program may have broken what one of them needs, and must end as it would have.
      unharmed(programEnded);
      unharmed(() => thread.tell({ type: 'end' }));
      unharmed(() => control?.end());
    },
    uncaughtException: (heard, error, origin) => {
      if (!heard && isMainThread)
        showAuthorsLine(error, origin === 'unhandledRejection', (file) => realm.texts.get(file)?.length);
    },
  });
  return program;
}

function unharmed(step: () => void): void {
  try {
    step();
  } catch (error) {
    say(`could not end tracing well: ${(error as Error)?.stack ?? error}`);
  }
}

function createShare(): ProcessShare {
  return {
    nonce: String(process.pid),
    block: createControlBlock().buffer as SharedArrayBuffer,
    links: LinkTable.create(),
  };
}

function subscriberFailed(program: ProgramInterface, ops: FtraceFunctionOps, error: unknown): void {
  program.registry.failed(ops);
  say(`a subscriber threw and is not called any more: ${(error as Error)?.stack ?? error}`);
}

function onUncaught(clear: () => void): () => void {
  process.on('uncaughtExceptionMonitor', clear);
  return () => process.off('uncaughtExceptionMonitor', clear);
}
