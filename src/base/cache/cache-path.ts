import { homedir } from 'node:os';
import { BUILD_NAME } from '../version.js';

/**
 * The folder of the transform cache: FENTRY_CACHE, or `fentry` in the user's cache folder, and in it one folder for each build
 * of fentry. Undefined if FENTRY_CACHE is empty or there is no home.
 */
export const cacheFolder = (env: NodeJS.ProcessEnv): string | undefined => {
  try {
    const chosen = env['FENTRY_CACHE'] ?? `${env['XDG_CACHE_HOME'] || `${env['HOME'] || homedir()}/.cache`}/fentry`;
    return chosen === '' ? undefined : `${chosen}/${BUILD_NAME}`;
  } catch {
    return undefined;
  }
};
