import { CacheFolder } from '../../base/cache/cache-folder.js';
import { PreparedPack } from './prepared-pack.js';

/** The packs in these folders that may be used (`preparedFolders`). */
export const preparedPacks = (folders: readonly string[]): readonly PreparedPack[] => {
  const packs: PreparedPack[] = [];
  for (let i = 0; i < folders.length; i++) {
    const pack = PreparedPack.open(new CacheFolder(folders[i]!, true));
    if (pack !== undefined) packs[packs.length] = pack;
  }
  return packs;
};
