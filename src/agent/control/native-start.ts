/**
 * What `fentry attach --native` starts: native-host.cjs, with V8's code of it, which is kept in the cache. Compiling it takes longer than what the
 * host does until a process is attached.
 */
import { createRequire } from 'node:module';
import { v8Name } from '../../arch/v8/loader/v8-name.js';
import { ownCode } from '../../arch/v8/program/own-code.js';
import { CacheFolder } from '../../base/cache/cache-folder.js';
import { cacheFolder } from '../../base/cache/cache-path.js';

/** That of the bundle, which is CommonJS. */
declare const __dirname: string;

/** When V8's code is stored, in milliseconds: nobody waits for the host then. */
const STORE = 1000;

const requireOwn = createRequire(import.meta.url);
const path = cacheFolder(process.env);
if (path === undefined) requireOwn('./native-host.cjs');
else {
  const code = ownCode(path, v8Name());
  code.load(`${__dirname}/native-host.cjs`, 'native-host', requireOwn);
  if (code.isMissing()) {
    const folder = new CacheFolder(path);
    setTimeout(() => code.store((name, parts) => folder.write(name, parts)), STORE).unref();
  }
}
