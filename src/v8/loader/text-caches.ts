import { CacheFolder } from '../../base/cache/cache-folder.js';
import { PreparedPack } from './prepared-pack.js';
import { TextCache } from './text-cache.js';

/** The packs in these folders that may be used (`preparedFolders`). */
export const preparedPacks = (folders: readonly string[]): readonly PreparedPack[] => {
  const packs: PreparedPack[] = [];
  for (let i = 0; i < folders.length; i++) {
    const pack = PreparedPack.open(new CacheFolder(folders[i]!, true));
    if (pack !== undefined) packs[packs.length] = pack;
  }
  return packs;
};

/** The cache of a thread that has no ProgramPack; undefined: there is none. */
export const textCache = (folder: string | undefined, prepared: readonly string[]): TextCache | undefined =>
  folder === undefined && prepared.length === 0
    ? undefined
    : new TextCache(folder === undefined ? undefined : new CacheFolder(folder), preparedPacks(prepared));
