import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SymbolTable } from '../ftrace/symbols.js';
import { stackLines } from './stack-lines.js';

const TEXT = -0x7f000000;
const symbols = new SymbolTable();
symbols.add(
  [
    ['handle', 'express'],
    ['parse', ''],
    ['map', 'v8'],
    ['listener', ''],
    ['emit', 'node'],
  ].map(([name, module], i) => ({
    name: name!,
    module: module!,
    address: TEXT + i * 0x100,
    size: 0x40,
    params: [],
    type: 't',
  })),
);
const [HANDLE, PARSE, MAP, LISTENER, EMIT] = [0, 1, 2, 3, 4].map((i) => TEXT + i * 0x100) as [
  number,
  number,
  number,
  number,
  number,
];
const text = (...args: Parameters<typeof stackLines>): string => [...stackLines(...args)].join('');

test('each frame’s size is what the stack grew by since the one that called it', () => {
  const stack = {
    frames: [HANDLE + 5, PARSE + 0x10, LISTENER + 1],
    measured: [
      { address: HANDLE, depth: 12_400 },
      { address: PARSE, depth: 12_000 },
      { address: LISTENER, depth: 9000 },
    ],
  };
  assert.equal(
    text(stack, symbols, false),
    `        Depth    Size   Location    (3 entries)
        -----    ----   --------
  0)    12400     400   handle+0x5/0x40 [express]
  1)    12000    3000   parse+0x10/0x40
  2)     9000    9000   listener+0x1/0x40
`,
  );
});

test('what is not measured counts as the measured function that it calls', () => {
  const stack = {
    frames: [PARSE, MAP, LISTENER, EMIT],
    measured: [
      { address: PARSE, depth: 12_000 },
      { address: LISTENER, depth: 9000 },
    ],
  };
  assert.deepEqual(text(stack, symbols, false).split('\n').slice(2, 6), [
    '  0)    12000    3000   parse+0x0/0x40',
    '  1)     9000       0   map+0x0/0x40 [v8]',
    '  2)     9000    9000   listener+0x0/0x40',
    '  3)        0       0   emit+0x0/0x40 [node]',
  ]);
});

test('a stack tracer that never ran says how to begin', () => {
  assert.match(text(undefined, symbols, true), /\(0 entries\)\n.*\n#\n# {2}Stack tracer disabled\n#\n/);
  assert.doesNotMatch(text(undefined, symbols, false), /disabled/);
});
