import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whyNothing } from './why-nothing.js';

const ended = { code: 0, began: true } as const;

test('an empty recording says what may be the reason', () => {
  assert.match(whyNothing(0, {}, ended), /started no Node process$/);
  assert.match(
    whyNothing(1, { function: ['handel*'], graph: ['x'] }, ended),
    /no function was called that matches -l handel\* -g x$/,
  );
  assert.match(whyNothing(1, {}, { signal: 'SIGABRT' }), /before the signal are lost\)$/);
  assert.match(whyNothing(1, {}, ended), /no function of a module was called/);
});
