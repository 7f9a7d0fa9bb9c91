/**
 * What `fentry attach --native` starts: native-host.cjs, with V8's code of it, which is kept in the cache. Compiling it takes
 * longer than what the host does until a process is attached.
 */
import { createRequire } from 'node:module';
import { cacheFolder } from '../base/cache/cache-path.js';
import { v8Name } from '../v8/loader/v8-name.js';
import { bundleCode } from '../v8/program/bundle-code.js';
import { storeLater } from '../v8/program/store-later.js';

/** The folder of the bundle, which is CommonJS. */
declare const __dirname: string;

const requireOwn = createRequire(import.meta.url);
const path = cacheFolder(process.env);
const code = bundleCode(path, v8Name());
code.load(__dirname, 'native-host', requireOwn);
if (path !== undefined) storeLater(code, path);
