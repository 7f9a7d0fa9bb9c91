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

/**
 * The folders of prepared caches for this build of fentry, which `fentry prepare` has filled and which programs only read:
 * FENTRY_PREPARED, a list separated by `:` as PATH is.
 */
export const preparedFolders = ({ FENTRY_PREPARED = '' }: NodeJS.ProcessEnv): readonly string[] =>
  FENTRY_PREPARED === '' ? NONE : FENTRY_PREPARED.split(':').flatMap((path) => (path === '' ? [] : [`${path}/${BUILD_NAME}`]));

const NONE: readonly string[] = [];
