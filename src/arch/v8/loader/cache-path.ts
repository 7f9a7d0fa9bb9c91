import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { statSync } from '../../../base/own-fs.js';
import { VERSION } from '../../../base/version.js';

/**
 * The folder of the transform cache: FENTRY_CACHE, or `fentry` in the user's cache folder, and in it one folder for each build
 * of fentry: npm gives the files of every version the same time. Undefined if FENTRY_CACHE is empty or there is no home.
 */
export const cacheFolder = (ownFolder: string, env: NodeJS.ProcessEnv): string | undefined => {
  try {
    const { size, mtimeMs } = statSync(join(fileURLToPath(ownFolder), 'instrument.cjs'));
    const chosen = env['FENTRY_CACHE'] ?? join(env['XDG_CACHE_HOME'] || join(env['HOME'] || homedir(), '.cache'), 'fentry');
    return chosen === '' ? undefined : join(chosen, `${VERSION}-${size.toString(36)}-${mtimeMs.toString(36)}`);
  } catch {
    return undefined;
  }
};
