import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setTimeout as later, setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { gc } from './gc.js';
import { EventLog } from './testing/event-log.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options?: { type: 'minor' | 'major' }) => void;
const MINOR = ['scavenge', 'minor-mark-sweep'];
const MAJOR = 'mark-sweep-compact';

/** Waits until a collection of a kind has been recorded. */
async function recorded(log: EventLog, kind: string): Promise<void> {
  for (let i = 0; i < 400 && !log.records.some(([, fields]) => fields['kind'] === kind); i++) await later(5);
}

test('a collection is recorded with its kind, its true start and the heap before and after', async () => {
  const log = new EventLog(gc);
  log.enable();
  const before = performance.now() * 1e6;
  let garbage: unknown = Array.from({ length: 100_000 }, (_, i) => ({ i }));
  collect({ type: 'minor' });
  assert.equal((garbage as unknown[]).length, 100_000);
  garbage = undefined;
  collect();
  const after = performance.now() * 1e6;
  assert.deepEqual(log.take(), [], 'V8 tells later');
  await recorded(log, MAJOR);
  log.disable();
  const records = log.take().map(([, fields]) => fields as Record<string, number>);
  const kinds = records.map(({ kind }) => String(kind));
  assert.ok(kinds.some((kind) => MINOR.includes(kind)));
  // Another collection may have followed by itself.
  const majors = records.filter((_record, i) => kinds[i] === MAJOR);
  assert.ok(
    majors.some((major) => major['heap_before']! - major['heap_after']! > 1_000_000),
    JSON.stringify(majors),
  );
  for (const { start, duration } of records) assert.ok(start! > before - 1e6 && start! + duration! < after + 1e6);
});

test('marks, measures and requests of the program are no collections, and are left alone', async () => {
  const log = new EventLog(gc);
  log.enable();
  performance.mark('mark');
  performance.measure('measure', 'mark');
  const server = createServer((_request, response) => response.end('answer')).listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  assert.equal(await (await fetch(`http://localhost:${port}`)).text(), 'answer');
  server.close();
  server.closeAllConnections();
  collect();
  await recorded(log, MAJOR);
  log.disable();
  for (const [, { kind }] of log.take()) assert.match(String(kind), /^[a-z-]+$/);
});

test('nothing is recorded afterwards, and the program sees no async resource', async () => {
  const seen: string[] = [];
  const hook = createHook({ init: (_id, type) => void seen.push(type) }).enable();
  const log = new EventLog(gc);
  log.enable();
  collect();
  await recorded(log, MAJOR);
  log.disable();
  hook.disable();
  assert.ok(log.take().length > 0);
  assert.ok(!seen.includes('Immediate'), seen.join());
  collect();
  await turn();
  await turn();
  assert.deepEqual(log.take(), []);
});

test('a worker that is terminated while the event is on ends', async () => {
  const source = `const { EventLog } = await import(${JSON.stringify(new URL('testing/event-log.js', import.meta.url).href)});
const { gc } = await import(${JSON.stringify(new URL('gc.js', import.meta.url).href)});
new EventLog(gc).enable();
(await import('node:worker_threads')).parentPort.postMessage('on');
setInterval(() => Array.from({ length: 10_000 }, (_, i) => ({ i })), 1);`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`));
  await once(worker, 'message');
  assert.equal(await worker.terminate(), 1);
});
