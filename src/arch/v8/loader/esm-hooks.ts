/** fentry's load hook in Node 20's hooks thread. See hooks-thread.ts. */
import type { MessagePort } from 'node:worker_threads';
import { type LoadContext, type LoadResult, withSites } from './es-modules.js';
import type { HooksThreadData, HooksThreadLink } from './hooks-thread.js';
import { LinkTable } from './link-table.js';
import { Linker } from './linker.js';
import { selectPackages } from './package-name.js';
import { TextCache } from './text-cache.js';

let linker: Linker | undefined;

/** Called by Node with what `module.register` was given. */
export const initialize = ({ port, links, ownFolder, packages, cacheFolder }: HooksThreadData): void => {
  const send = (link: HooksThreadLink): void => (port as MessagePort).postMessage(link);
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

export const load = async (
  url: string,
  context: LoadContext,
  next: (url: string, context: LoadContext) => Promise<LoadResult>,
): Promise<LoadResult> => {
  if (linker === undefined || loading.has(url)) return next(url, context);
  loading.add(url);
  try {
    return withSites(linker, url, await next(url, context));
  } finally {
    loading.delete(url);
  }
};
