import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allocationStacks } from './allocation-stacks.js';
import type { AllocationsAnswer } from './allocations-answer.js';
import { allocationsText } from './allocations-text.js';

const MEMORY = { rss: 90e6, heapTotal: 9e6, heapUsed: 5.1e6, external: 1500, arrayBuffers: 12 };
const ANSWER: AllocationsAnswer = {
  answer: 'allocations',
  version: 1,
  pid: 7,
  application: '/srv/shop',
  threads: [
    {
      thread: 0,
      name: '',
      allocatedSeconds: 5,
      keptSeconds: 5,
      stoppedMs: 40,
      before: MEMORY,
      after: { ...MEMORY, heapUsed: 6.1e6, arrayBuffers: 2e6 },
      functions: [
        { name: 'waste', place: { file: '/srv/shop/a.js', line: 3, column: 1 }, isOwn: true, allocated: 50e6, kept: 0 },
        { name: 'read', package: 'node', isOwn: false, allocated: 10e6, kept: 0 },
        { name: 'keep;it', place: { file: '/srv/shop/b.js', line: 9, column: 1 }, isOwn: true, allocated: 5e6, kept: 4e6 },
        { name: 'timer', isOwn: true, allocated: 0, kept: 0 },
      ],
      stacks: [
        { functions: [3, 0], allocated: 50e6, kept: 0 },
        { functions: [3, 2, 1], allocated: 10e6, kept: 0 },
        { functions: [3, 2], allocated: 5e6, kept: 4e6 },
      ],
    },
    {
      thread: 2,
      name: 'jobs\u001b[31m',
      silence: 'does not answer',
      allocatedSeconds: 0,
      keptSeconds: 0,
      stoppedMs: 0,
      before: MEMORY,
      after: MEMORY,
      functions: [],
      stacks: [],
    },
  ],
};

test('the application’s functions stand first, with bytes a second, and the rest is one line', () => {
  assert.deepEqual(allocationsText(ANSWER, {}), [
    'main thread: 13.0 MB/s allocated in 5.0 s, then 800.0 kB/s in 5.0 s that lives on; it stood still for 0.04 s at most',
    'heap 5.1 MB -> 6.1 MB, Buffers 12 B -> 2.0 MB, external 1.5 kB -> 1.5 kB, process 90.0 MB -> 90.0 MB',
    '',
    ' allocated/s   lives on/s  function',
    '     10.0 MB            -  waste    a.js:3',
    '      1.0 MB     800.0 kB  keep;it  b.js:9',
    'node: 1 function, 15 % of the bytes; --all shows it',
    'A function that is called often may be counted for its caller, of which V8 has made it a part.',
    '',
    'worker 2 (jobs^[[31m): not sampled: it does not answer',
  ]);
  assert.match(allocationsText(ANSWER, { byKept: true })[4]!, /keep;it/);
  assert.match(allocationsText(ANSWER, { all: true })[5]!, / read \[node\]$/);
});

test('stacks are lines with bytes, in which no name parts frames', () => {
  assert.deepEqual(allocationStacks(ANSWER, {}), [
    'main thread;timer;waste (a.js:3) 50000000',
    'main thread;timer;keep:it (b.js:9);read 10000000',
    'main thread;timer;keep:it (b.js:9) 5000000',
  ]);
  assert.deepEqual(allocationStacks(ANSWER, { byKept: true }), ['main thread;timer;keep:it (b.js:9) 4000000']);
});
