import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TopReading, topLines } from './top-screen.js';

const READING: TopReading = {
  pid: 4711,
  program: 'src/server.ts',
  seconds: 2,
  cpu: 1.5,
  threads: [
    [0, 24_000],
    [1, 90],
  ],
  rows: [
    { name: 'handle', hits: 24_000, time: 1_800_000, module: 'express' },
    { name: 'Cart.totalOfEverythingInTheCar', hits: 90, time: 45, module: '' },
    { name: 'stillRuns', hits: 0, time: 10, module: '@scope/a-package-with-a-long-name' },
  ],
  order: 'time',
  notes: [],
};

const PAPER = { columns: 1000, rows: 1000 };

test('a table has the process, its threads, and a line for each function', () => {
  assert.equal(
    topLines(READING, PAPER, 20).join('\n'),
    `4711 (src/server.ts), CPU 75 %, 12,045 calls/s, by time
threads: cpu0 12,000 calls/s, cpu1 45 calls/s

    calls/s      ms/s       avg us module           function
     12,000    900.00       75.000 express          handle
         45      0.02        0.500                  Cart.totalOfEverythingInTheCar
          0      0.01            - @scope/a-package stillRuns`,
  );
});

test('a terminal of 20 columns shows calls and names, cut where it ends', () => {
  assert.deepEqual(topLines(READING, { columns: 20, rows: 24 }, 20), [
    '4711 (src/server.ts)',
    'threads: cpu0 12,000',
    '',
    '    calls/s function',
    '     12,000 handle',
    '         45 Cart.tot',
    '          0 stillRun',
  ]);
});

test('a terminal that is too low shows the first lines', () => {
  assert.equal(topLines(READING, { columns: 80, rows: 5 }, 20).length, 5);
  assert.deepEqual(topLines(READING, { columns: 80, rows: 1 }, 20), ['4711 (src/server.ts), CPU 75 %, 12,045 calls/s, by time']);
  assert.deepEqual(topLines(READING, { columns: 1, rows: 1 }, 20), ['4']);
});

test('a program that calls nothing, and notes, are said', () => {
  const idle = { ...READING, rows: [], threads: [[0, 0]] as const, notes: ['somebody has switched the profiler off'] };
  assert.deepEqual(topLines(idle, PAPER, 20).slice(1), [
    'somebody has switched the profiler off',
    '',
    '    calls/s      ms/s       avg us module           function',
    'no function was called',
  ]);
});
