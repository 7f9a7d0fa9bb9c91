/**
 * What the control thread runs first. It does the rest of its start when the program has loaded: a program that ends before that
 * needs no control thread.
 */
import { createRequire } from 'node:module';
import { workerData } from 'node:worker_threads';
import { LinkTable } from '../loader/link-table.js';
import { bundleCode } from '../program/bundle-code.js';
import { storeLater } from '../program/store-later.js';
import { WORD } from '../shared/control-block.js';
import type { V8ControlData } from '../shared/v8-control-data.js';

/** The folder of the bundle, which is CommonJS. */
declare const __dirname: string;

/**
 * After this many milliseconds in which the program has loaded no text it starts anyway: the program may be in an endless loop,
 * which the user wants to trace. One that goes on loading is waited for so many times.
 */
const PATIENCE = 500;
const MOST_WAITS = 4;

const requireOwn = createRequire(import.meta.url);
const { share, cacheFolder, preparedFolders, v8 } = workerData as V8ControlData;
const block = new Int32Array(share.block);
const links = new LinkTable(share.links);
for (let waits = 0, loaded = -1; waits < MOST_WAITS && loaded !== links.functions; waits++) {
  loaded = links.isBusy ? -1 : links.functions;
  if (Atomics.wait(block, WORD.CONTROL_NEEDED, 0, PATIENCE) !== 'timed-out') break;
}
const code = bundleCode(cacheFolder, v8, preparedFolders);
code.load(__dirname, 'control', requireOwn, ['local-port']);
if (cacheFolder !== undefined) storeLater(code, cacheFolder);
