import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { test } from 'node:test';
import { setTimeout as later, setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Texts } from '../realm/texts.js';
import { kmem } from './kmem.js';
import { CALLER, descriptorsOf, EventLog } from './testing/event-log.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const OWN = 0x400cc0;
const POOL = 0xcc0;
const ZERO = 0x100;

/** What is recorded of the Buffers that `act` makes: bytes_req, bytes_alloc, gfp_flags. */
function allocations(act: () => unknown): readonly (readonly unknown[])[] {
  const log = new EventLog(kmem);
  log.enable('kmalloc');
  try {
    act();
  } finally {
    log.disable();
  }
  return log.take().map(([, { bytes_req, bytes_alloc, gfp_flags }]) => [bytes_req, bytes_alloc, gfp_flags]);
}

test('each function that makes a Buffer is recorded, with the memory that it takes', () => {
  assert.deepEqual(
    allocations(() => Buffer.alloc(1000)),
    [[1000, 1000, OWN | ZERO]],
  );
  assert.deepEqual(
    allocations(() => Buffer.alloc(1000, 'x')),
    [[1000, 1000, OWN]],
  );
  assert.deepEqual(
    allocations(() => Buffer.allocUnsafe(1_000_000)),
    [[1_000_000, 1_000_000, OWN]],
  );
  assert.deepEqual(
    allocations(() => Buffer.allocUnsafe(100)),
    [[100, 104, POOL]],
  );
  assert.deepEqual(
    allocations(() => Buffer.allocUnsafeSlow(100)),
    [[100, 100, OWN]],
  );
  assert.deepEqual(
    allocations(() => Buffer.from('grün')),
    [[5, 8, POOL]],
  );
  assert.deepEqual(
    allocations(() => Buffer.from([1, 2, 3])),
    [[3, 8, POOL]],
  );
  const parts = [Buffer.alloc(600_000), Buffer.alloc(10)];
  assert.deepEqual(
    allocations(() => Buffer.concat(parts)),
    [[600_010, 600_010, OWN]],
  );
});

test('a Buffer on memory that is there is no allocation', () => {
  const memory = new ArrayBuffer(64);
  assert.deepEqual(
    allocations(() => [Buffer.from(memory), Buffer.from(memory, 8, 8), Buffer.alloc(8).subarray(2)]),
    [[8, 8, OWN | ZERO]],
  );
});

test('what Node reads from a file is recorded', () => {
  const file = new URL(import.meta.url);
  const { length } = readFileSync(file);
  assert.ok(allocations(() => readFileSync(file)).some(([bytes]) => bytes === length));
});

test('a refused allocation throws as before, and is not recorded', () => {
  assert.deepEqual(
    allocations(() => assert.throws(() => Buffer.alloc(-1), { code: 'ERR_OUT_OF_RANGE' })),
    [],
  );
});

test('the record has the caller, and each Buffer its own place', () => {
  const log = new EventLog(kmem);
  log.enable('kmalloc');
  const kept = [Buffer.alloc(100), Buffer.alloc(100), Buffer.from('pool'), Buffer.from('pool')];
  log.disable();
  const records = log.take().map(([, fields]) => fields as Record<string, number>);
  assert.deepEqual(new Set(records.map(({ call_site }) => call_site)), new Set([CALLER]));
  const [first, second, third, fourth] = records.map(({ ptr }) => ptr!);
  assert.ok(second! >= first! + 100 && kept.length === 4);
  assert.equal(fourth, third! + 8);
});

test('kfree comes with the place of the allocation, when V8 has freed the memory', async () => {
  const log = new EventLog(kmem);
  log.enable();
  let kept: Buffer | undefined = Buffer.alloc(100_000);
  assert.equal(kept.length, 100_000);
  const ptr = log.take().find(([event]) => event === 'kmalloc')![1]['ptr'];
  kept = undefined;
  let freed = false;
  for (let i = 0; i < 20 && !freed; i++) {
    await turn();
    collect();
    await later(5);
    freed = log.take().some(([event, fields]) => event === 'kfree' && fields['ptr'] === ptr);
  }
  log.disable();
  assert.ok(freed);
});

test('the heap’s sizes are recorded at a collection, those that have changed', async () => {
  const log = new EventLog(kmem, { cpu: 3 });
  log.enable('rss_stat');
  collect();
  await turn();
  await turn();
  const kept = Buffer.alloc(1 << 20);
  collect();
  await turn();
  await turn();
  log.disable();
  const records = log.take().map(([, fields]) => fields as Record<string, number>);
  const of = (member: number): readonly number[] => records.filter((one) => one['member'] === member).map(({ size }) => size!);
  assert.ok(of(0).length >= 2);
  assert.equal(of(2).length, 1, 'the limit stays');
  assert.ok(of(3).at(-1)! - of(3)[0]! >= kept.length);
  assert.ok(records.every(({ mm_id, curr }) => mm_id === 3 && curr === 1));
});

test('Buffer is as before while the events are on, but for the functions themselves, and afterwards whole', () => {
  const before = descriptorsOf(Buffer);
  const { alloc, from } = Buffer;
  const log = new EventLog(kmem);
  log.enable('kmalloc');
  assert.deepEqual([Buffer.alloc.name, Buffer.alloc.length, 'prototype' in Buffer.alloc], [alloc.name, alloc.length, false]);
  assert.deepEqual([Buffer.from.name, Buffer.from.length], [from.name, from.length]);
  log.disable();
  assert.deepEqual(descriptorsOf(Buffer), before);
});

/** Whether somebody has V8 sample this thread's allocations. */
function isSampled(): boolean {
  const session = new Session();
  session.connect();
  let refused: unknown;
  session.post('HeapProfiler.getSamplingProfile', (error) => {
    refused = error;
  });
  session.disconnect();
  return refused === null;
}

function allocate(): unknown {
  return Array.from({ length: 20_000 }, (_, i) => [i]);
}

test('samples of what is allocated have their function, bytes, and an ordinal that counts on; none is taken before and after', async () => {
  const log = new EventLog(kmem, { texts: new Texts('file:///nowhere/') });
  assert.equal(isSampled(), false);
  log.enable('heap_sample');
  const samples = new Map<number, Readonly<Record<string, unknown>>>();
  const ordinals: number[] = [];
  let readings = 0;
  while (readings < 2) {
    allocate();
    await turn();
    const taken = log.take().map(([, fields]) => fields);
    if (taken.length > 0) readings++;
    for (const fields of taken) {
      samples.set(Number(fields['ordinal']), fields);
      ordinals.push(Number(fields['ordinal']));
    }
  }
  assert.equal(isSampled(), true);
  log.disable();
  assert.equal(isSampled(), false);
  assert.deepEqual(
    ordinals,
    [...ordinals].sort((a, b) => a - b),
  );
  assert.equal(samples.size, ordinals.length);
  const own = [...samples.values()].filter(({ at }) => /kmem\.test\.\w+:\d+:\d+$/.test(String(at)));
  assert.ok(own.length > ordinals.length / 2, JSON.stringify([...samples.values()].slice(0, 5)));
  for (const { function: name, bytes } of own) assert.ok(String(name).length > 0 && Number(bytes) > 0);
  await later(1100);
  assert.deepEqual(log.take(), []);
});

test('where somebody else samples, nothing is disturbed, and an event is said to be missed', async () => {
  const session = new Session();
  session.connect();
  session.post('HeapProfiler.startSampling');
  let missed = 0;
  const log = new EventLog(kmem, { missed: () => missed++ });
  log.enable('heap_sample');
  for (const end = Date.now() + 5000; missed === 0 && Date.now() < end; ) await turn();
  log.disable();
  assert.deepEqual([missed, isSampled()], [1, true]);
  session.disconnect();
});
