import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { removeParts } from './parts-folder.js';

/** A process that has not noticed yet that its recorder ends. */
const WRITER = `
const { parentPort, workerData } = require('node:worker_threads');
const { writeFileSync } = require('node:fs');
parentPort.postMessage('writes');
const end = Date.now() + 300;
try {
  for (let i = 0; Date.now() < end; i++) writeFileSync(workerData + '/' + i, '');
} catch {}
`;

test('the folder goes, also when something still writes into it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fentry-parts-'));
  const writer = new Worker(WRITER, { eval: true, workerData: folder });
  await once(writer, 'message');
  removeParts(folder);
  assert.equal(existsSync(folder), false);
  await once(writer, 'exit');
});
