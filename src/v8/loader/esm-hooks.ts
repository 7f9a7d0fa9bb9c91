/** fentry's load hook in Node 20's hooks thread. See hooks-thread.ts. */

import type { MessagePort } from 'node:worker_threads';
import { SafeMap, SafeSet } from '../../base/safe-map.js';
import { threadState } from '../../base/thread-state.js';
import { withSites } from './es-modules.js';
import type { HooksThreadData, HooksThreadLink } from './hooks-thread.js';
import { LinkTable } from './link-table.js';
import { Linker } from './linker.js';
import type { LoadContext, LoadResult } from './load-context.js';
import { selectPackages, selectStatements } from './package-name.js';
import { textCache } from './text-caches.js';

let linker: Linker | undefined;
let isStopped: Int32Array | undefined;

/** The numbers of the first functions of texts that the program's thread has not taken over yet, with the waiting modules. */
const sent = new SafeMap<number, () => void>();
const waiting: Promise<void>[] = [];

/**
 * Milliseconds between checks of that thread while a module waits for it. It answers at once, or as soon as it has a core,
 * unless it is itself blocked until this module is loaded: then it sleeps in two checks.
 */
const LOOK = 10;

const isTaken = (firstFunction: number, tid: number): Promise<void> =>
  new Promise((resolve) => {
    let asleep = 0;
    const done = (): void => {
      clearInterval(looking);
      resolve();
    };
    const looking = setInterval(() => {
      asleep = threadState('self', tid)?.state === 'R' ? 0 : asleep + 1;
      if (asleep === 2) done();
    }, LOOK);
    sent.set(firstFunction, done);
  });

/** Called by Node with what `module.register` was given. */
export const initialize = ({
  port,
  stopped,
  tid,
  links,
  fentryFolder,
  packages,
  statementSites,
  hasModuleSites,
  cacheFolder,
  preparedFolders,
}: HooksThreadData): void => {
  isStopped = new Int32Array(stopped);
  const channel = port as MessagePort;
  channel.on('message', (firstFunction: number) => {
    sent.get(firstFunction)?.();
    sent.delete(firstFunction);
  });
  channel.unref();
  const send = (message: HooksThreadLink): void => {
    waiting.push(isTaken(message.link.firstFunction, tid));
    channel.postMessage(message);
  };
  linker = new Linker({
    realm: undefined,
    cache: textCache(cacheFolder, preparedFolders),
    links: new LinkTable(links),
    fentryFolder,
    selects: selectPackages(packages),
    selectsStatements: selectStatements(statementSites),
    hasModuleSites,
    // A message would have all of the buffer that the edits are in.
    onLink: (link, detail) => send({ link, detail: detail && { ...detail, edits: detail.edits.slice() } }),
  });
};

/** URLs that are being loaded: the hook may be registered several times, and only the first one asked gives sites. */
const loading = new SafeSet<string>();

/** Called by Node for each module: gives sites to the result of the hooks after this one. */
export const load = async (
  url: string,
  context: LoadContext,
  next: (url: string, context: LoadContext) => Promise<LoadResult>,
): Promise<LoadResult> => {
  if (linker === undefined || isStopped?.[0] !== 0 || loading.has(url)) return next(url, context);
  loading.add(url);
  try {
    const result = withSites(linker, url, await next(url, context));
    await Promise.all(waiting.splice(0));
    return result;
  } finally {
    loading.delete(url);
  }
};
