import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TraceError } from '../../base/errno.js';
import { parseBoolean } from './parse-boolean.js';

test('the first letters say whether a word is true or false', () => {
  for (const word of ['1\n', '10', 'y', 'Yes', 'true', 'on\n', 'oN']) assert.equal(parseBoolean(word), true, word);
  for (const word of ['0\n', '0x1', 'n', 'NO', 'False', 'off\n', 'of']) assert.equal(parseBoolean(word), false, word);
  for (const word of ['', '\n', '2', ' 1', '-1', 'x', 'o', 'out']) {
    assert.throws(() => parseBoolean(word), new TraceError('EINVAL', 'must be 0 or 1'), word);
  }
});
