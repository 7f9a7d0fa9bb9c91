import assert from 'node:assert/strict';
import { readFile } from 'node:fs';
import { test } from 'node:test';
import { irq } from './irq.js';
import { hear } from './testing/heard-events.js';
import { asyncWrapProviders } from './testing/providers.js';

const turn = (): Promise<unknown> => new Promise(setImmediate);

test('a callback of I/O is an interrupt, and a soft interrupt runs what it left in the queues', async () => {
  await turn();
  const { heard, stop } = hear(irq, ['softirq_raise', 'softirq_entry', 'softirq_exit', 'irq_handler_entry', 'irq_handler_exit']);
  const at = await new Promise<number>((resolve) =>
    readFile('/dev/null', () => {
      process.nextTick(resolve, heard.length);
    }),
  );
  await turn();
  stop();
  const lines = heard.slice(at - 1, at + 4).map(({ name, text }) => `${name}: ${text}`);
  const name = /name=(\w+)/.exec(lines[0]!)?.[1] ?? '';
  assert.match(name, /^(FSREQCALLBACK|READFILE)/);
  const line = asyncWrapProviders[name];
  assert.deepEqual(lines, [
    `irq_handler_entry: irq=${line} name=${name}`,
    'softirq_raise: vec=0 [action=NEXT_TICK]',
    `irq_handler_exit: irq=${line} ret=handled`,
    'softirq_entry: vec=0 [action=NEXT_TICK]',
    'softirq_raise: vec=2 [action=MICROTASK]',
  ]);
});

test('timers, immediates and promises have vectors of their own', async () => {
  const { heard, stop } = hear(irq, ['softirq_entry']);
  const vectors: (string | undefined)[] = [];
  const see = (): unknown => vectors.push(heard.at(-1)?.text);
  await new Promise<void>((resolve) =>
    setTimeout(() => {
      see();
      queueMicrotask(see);
      setImmediate(() => {
        see();
        resolve();
      });
    }, 1),
  );
  stop();
  assert.deepEqual(vectors, ['vec=1 [action=TIMER]', 'vec=2 [action=MICROTASK]', 'vec=3 [action=CHECK]']);
});
