import assert from 'node:assert/strict';
import { it } from 'node:test';
import { LOCATED } from '../../src/native/addon/addon-words.js';
import { LOCATED_WORDS } from '../../src/v8/tracers/native-frames.js';

it('the threads of JavaScript have room for all that the shared object tells them', () => {
  assert.equal(LOCATED_WORDS, LOCATED.WORDS);
});
