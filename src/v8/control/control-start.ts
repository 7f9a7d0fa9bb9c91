/**
 * What the control thread runs first. It does the rest of its start when the program has loaded: a program that ends before that
 * needs no control thread.
 */
import { createRequire } from 'node:module';
import { workerData } from 'node:worker_threads';
import { bundleCode } from '../program/bundle-code.js';
import { storeLater } from '../program/store-later.js';
import { WORD } from '../shared/control-block.js';
import type { V8ControlData } from '../shared/v8-control-data.js';

/** The folder of the bundle, which is CommonJS. */
declare const __dirname: string;

/** After this many milliseconds it starts anyway: the program may be in an endless loop, which the user wants to trace. */
const PATIENCE = 500;

const requireOwn = createRequire(import.meta.url);
const { share, cacheFolder, preparedFolders, v8 } = workerData as V8ControlData;
Atomics.wait(new Int32Array(share.block), WORD.CONTROL_NEEDED, 0, PATIENCE);
const code = bundleCode(cacheFolder, v8, preparedFolders);
code.load(__dirname, 'control', requireOwn, ['local-port']);
if (cacheFolder !== undefined) storeLater(code, cacheFolder);
