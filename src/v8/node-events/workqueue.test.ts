import assert from 'node:assert/strict';
import { pbkdf2, pbkdf2Sync, randomBytes } from 'node:crypto';
import { lookup } from 'node:dns';
import { readFileSync, stat } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';
import { hear } from './testing/heard-events.js';
import { workqueue } from './workqueue.js';

/** What some work queued and got back, by queue; without the function that asked, which another test knows. */
async function worked(work: () => Promise<unknown>): Promise<string[]> {
  const { heard, stop } = hear(workqueue, ['workqueue_queue_work', 'workqueue_execute_start', 'workqueue_execute_end']);
  await work();
  stop();
  const ids = [...new Set(heard.map(({ values }) => values.work))];
  return ids.flatMap((id) =>
    heard.filter(({ values }) => values.work === id).map(({ name, values }) => `${name} ${values.workqueue}`),
  );
}

const ENDED = 'workqueue_execute_end';
const pair = (queue: string): string[] => [
  `workqueue_queue_work ${queue}`,
  `workqueue_execute_start ${queue}`,
  `${ENDED} ${queue}`,
];

test('requests to files, names and crypto are queued, and end', async () => {
  assert.deepEqual(await worked(() => promisify(stat)('/')), pair('fs'));
  assert.deepEqual(await worked(() => promisify(lookup)('127.0.0.1.invalid').catch(() => {})), pair('dns'));
  assert.deepEqual(await worked(() => promisify(pbkdf2)('a', 'b', 1, 8, 'sha1')), pair('crypto'));
  assert.ok((await worked(() => readFile('/dev/null'))).includes(`${ENDED} fs`));
});

test('a stream of zlib queues each piece', async () => {
  const lines = await worked(() => promisify(gzip)('x'.repeat(1000)));
  assert.deepEqual(lines.slice(0, 3), pair('zlib'));
});

test('what is done at once is not queued', async () => {
  const lines = await worked(async () => {
    readFileSync('/dev/null');
    pbkdf2Sync('a', 'b', 1, 8, 'sha1');
    randomBytes(8);
    gzipSync('x');
  });
  assert.deepEqual(lines, []);
});
