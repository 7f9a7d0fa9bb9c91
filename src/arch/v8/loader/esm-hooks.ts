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

export const load = async (
  url: string,
  context: LoadContext,
  next: (url: string, context: LoadContext) => Promise<LoadResult>,
): Promise<LoadResult> => {
  const result = await next(url, context);
  return linker === undefined ? result : withSites(linker, url, result);
};
