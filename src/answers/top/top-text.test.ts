import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TopAnswer } from './top-answer.js';
import { topText } from './top-text.js';

const READING: TopAnswer = {
  answer: 'top',
  version: 1,
  application: '/srv/shop',
  pid: 4711,
  program: 'src/server.ts',
  seconds: 2,
  cpu: 1.5,
  threads: [
    { cpu: 0, calls: 24_000 },
    { cpu: 1, calls: 90 },
  ],
  functions: [
    { name: 'handle', calls: 24_000, time: 1_800_000_000, package: 'express', isOwn: false },
    { name: 'Cart.totalOfEverythingInTheCar', calls: 90, time: 45_000, isOwn: true },
    { name: 'stillRuns', calls: 0, time: 10_000, package: '@scope/a-package-with-a-long-name', isOwn: false },
  ],
  order: 'time',
  notes: [],
};

const ALL = { all: true };
const PAPER = { columns: 1000, rows: 1000 };

test('a table has the process, its threads, and a line for each function', () => {
  assert.equal(
    topText(READING, PAPER, 20, ALL).join('\n'),
    `4711 (src/server.ts), CPU 75 %, 12,045 calls/s, by time
threads: cpu0 12,000 calls/s, cpu1 45 calls/s

    calls/s      ms/s       avg us module           function
     12,000    900.00       75.000 express          handle
         45      0.02        0.500                  Cart.totalOfEverythingInTheCar
          0      0.01            - @scope/a-package stillRuns`,
  );
});

test('a terminal of 20 columns shows calls and names, cut where it ends', () => {
  assert.deepEqual(topText(READING, { columns: 20, rows: 24 }, 20, ALL), [
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
  assert.equal(topText(READING, { columns: 80, rows: 5 }, 20, ALL).length, 5);
  assert.deepEqual(topText(READING, { columns: 80, rows: 1 }, 20, ALL), [
    '4711 (src/server.ts), CPU 75 %, 12,045 calls/s, by time',
  ]);
  assert.deepEqual(topText(READING, { columns: 1, rows: 1 }, 20, ALL), ['4']);
});

test('a program that calls nothing, and notes, are said', () => {
  const idle = { ...READING, functions: [], threads: [{ cpu: 0, calls: 0 }], notes: ['somebody has switched the profiler off'] };
  assert.deepEqual(topText(idle, PAPER, 20).slice(1), [
    'somebody has switched the profiler off',
    '',
    '    calls/s      ms/s       avg us module           function',
    'no function was called',
  ]);
});

const place = (line: number) => ({ file: '/srv/shop/src/cart.ts', line, column: 1 });
const PLACED: TopAnswer = {
  ...READING,
  threads: [],
  functions: READING.functions.map((one, i) =>
    i === 2 ? { ...one, isOwn: true, place: place(1), places: [place(1), place(2)] } : { ...one, place: place(7 + i) },
  ),
};

test('the application’s functions have their places, and the others are one line', () => {
  assert.deepEqual(topText(PLACED, PAPER, 20).slice(3), [
    '         45      0.02        0.500                  Cart.totalOfEverythingInTheCar  src/cart.ts:8',
    '          0      0.01            - @scope/a-package stillRuns                       src/cart.ts:1,2',
    'express: 1 function, 100 % of the time; --all shows it',
  ]);
});

test('a place that does not fit is left out, and a link is never cut', () => {
  const style = { linkHost: 'box' };
  const [, , , wide] = topText(PLACED, { columns: 97, rows: 24 }, 20, style);
  const [, , , narrow] = topText(PLACED, { columns: 96, rows: 24 }, 20, style);
  assert.match(wide!, / {2}\u001b\]8;;file:\/\/box\/srv\/shop\/src\/cart\.ts#8\u001b\\src\/cart\.ts:8\u001b\]8;;\u001b\\$/);
  assert.match(narrow!, /Cart\.totalOfEverythingInTheCar$/);
});
