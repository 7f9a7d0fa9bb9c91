import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visible } from './visible.js';

test('what a terminal would obey is shown instead; text, tabs and line breaks stay', () => {
  assert.equal(visible('a\u001b[31mred\r\u0007 \u009b1m\u007f'), 'a^[[31mred^M^G M-^[1m^?');
  assert.equal(visible('é 日本\t|\n'), 'é 日本\t|\n');
});
