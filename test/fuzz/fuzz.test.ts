import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FuzzedProcess } from './fuzz-process.js';
import { TreeFuzzer } from './fuzz-tree.js';
import { hostileText } from './mutate.js';
import { Random } from './random.js';

test('the same seed makes the same texts', () => {
  const texts = (seed: number): string[] => {
    const random = new Random(seed);
    return Array.from({ length: 50 }, () => Buffer.from(hostileText(random, 'set_ftrace_filter')).toString('hex'));
  };
  assert.deepEqual(texts(7), texts(7));
  assert.notDeepEqual(texts(7), texts(8));
});

test('a process lives and answers after hostile requests to all of its files', async () => {
  const target = await FuzzedProcess.start();
  try {
    const fuzzer = new TreeFuzzer(target.client, new Random(20));
    await fuzzer.round(600);
    assert.equal(target.end, undefined);
    assert.deepEqual(fuzzer.tally.unanswered, []);
    assert.deepEqual(fuzzer.tally.mistakes, []);
    await target.reset();
    assert.equal(await target.client.read('current_tracer'), 'nop\n');
    assert.ok((await target.measure()).milliseconds > 0);
  } finally {
    await target.stop();
  }
});
