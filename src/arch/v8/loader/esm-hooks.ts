/** fentry's load hook in Node 20's hooks thread. See hooks-thread.ts. */
import type { MessagePort } from 'node:worker_threads';
import { type LoadContext, type LoadResult, withSites } from './es-modules.js';
import type { HooksThreadData, HooksThreadLink } from './hooks-thread.js';
import { LinkTable } from './link-table.js';
import { Linker } from './linker.js';
import { selectPackages } from './package-name.js';
import { TextCache } from './text-cache.js';

let linker: Linker | undefined;

/** Numbers of the first functions of texts that the program's thread has not taken over yet, and who waits for it. */
const sent = new Map<number, () => void>();
const waiting: Promise<void>[] = [];

/**
 * How long a module waits for that thread, in milliseconds. It answers at once, but for the case that it is itself blocked
 * until this module comes.
 */
const PATIENCE = 20;

const isTaken = (firstFunction: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, PATIENCE);
    sent.set(firstFunction, () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** Called by Node with what `module.register` was given. */
export const initialize = ({ port, links, ownFolder, packages, cacheFolder }: HooksThreadData): void => {
  const channel = port as MessagePort;
  channel.on('message', (firstFunction: number) => {
    sent.get(firstFunction)?.();
    sent.delete(firstFunction);
  });
  channel.unref();
  const send = (message: HooksThreadLink): void => {
    waiting.push(isTaken(message.link.firstFunction));
    channel.postMessage(message);
  };
  linker = new Linker({
    realm: undefined,
    cache: cacheFolder === undefined ? undefined : new TextCache(cacheFolder),
    links: new LinkTable(links),
    ownFolder,
    selects: selectPackages(packages),
    onLink: (link, detail) => send({ link, detail }),
  });
};

/** URLs that are being loaded: the hook may be registered several times, and only the first one asked gives sites. */
const loading = new Set<string>();

/** Called by Node for each module: gives sites to what the hooks after this one have made. */
export const load = async (
  url: string,
  context: LoadContext,
  next: (url: string, context: LoadContext) => Promise<LoadResult>,
): Promise<LoadResult> => {
  if (linker === undefined || loading.has(url)) return next(url, context);
  loading.add(url);
  try {
    const result = withSites(linker, url, await next(url, context));
    await Promise.all(waiting.splice(0));
    return result;
  } finally {
    loading.delete(url);
  }
};
