import { CacheFolder } from '../../base/cache/cache-folder.js';
import { preparedPacks } from './prepared-packs.js';
import { TextCache } from './text-cache.js';

/** The cache of a thread that has no ProgramPack; undefined: there is none. */
export const textCache = (folder: string | undefined, prepared: readonly string[]): TextCache | undefined =>
  folder === undefined && prepared.length === 0
    ? undefined
    : new TextCache(folder === undefined ? undefined : new CacheFolder(folder), preparedPacks(prepared));
