import { preparedRefusal } from '../../base/cache/prepared-refusal.js';
import type { PreparedPack } from '../loader/prepared-pack.js';

/**
 * What must be said of prepared caches that are not used, or not all of them.
 * @param folders as FENTRY_PREPARED names them, for this build
 * @param packs what was found in them
 */
export function preparedWords(folders: readonly string[], packs: readonly PreparedPack[]): readonly string[] {
  const uid = process.geteuid?.() ?? 0;
  return folders.flatMap((folder) => {
    const cache = folder.slice(0, folder.lastIndexOf('/'));
    const pack = packs.find(({ path }) => path === folder);
    if (pack === undefined) {
      const why = preparedRefusal(folder, uid) ?? 'it has no file of texts that may be used';
      return [`FENTRY_PREPARED: ${cache} is not used: ${why}`];
    }
    if (pack.hasCode) return [];
    return [`FENTRY_PREPARED: ${cache} was prepared with another Node than ${process.version}: V8's code in it is not used`];
  });
}
