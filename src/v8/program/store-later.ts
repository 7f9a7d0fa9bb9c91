import { CacheFolder } from '../../base/cache/cache-folder.js';
import { unharmed } from '../async/unharmed.js';
import { orWithOwnBuiltIns } from '../realm/own-built-ins.js';
import type { BundleCode } from './bundle-code.js';

/** In milliseconds: not while the program starts, and nobody waits for it. */
const DELAY = 1000;

/**
 * Stores V8's code of the bundles that had to be compiled, a while after they were loaded. @param path the folder of the cache
 */
export function storeLater(code: BundleCode, path: string): void {
  if (!code.isMissing()) return;
  const folder = new CacheFolder(path);
  const store = unharmed(() => orWithOwnBuiltIns(() => code.store((name, parts) => folder.write(name, parts))));
  setTimeout(store, DELAY).unref();
}
