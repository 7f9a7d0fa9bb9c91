import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visible } from './visible.js';

test('what a terminal would obey is shown instead; text, tabs and line breaks stay', () => {
  assert.equal(visible('a\u001b[31mred\r\u0007 \u009b1m\u007f'), 'a^[[31mred^M^G M-^[1m^?');
  assert.equal(visible('é 日本\t|\n'), 'é 日本\t|\n');
});

test('characters that break lines, turn a text round or are not seen are shown by their numbers', () => {
  assert.equal(visible('a\u2028b\u202ecba\u2066\u200b\ufeff\u061c'), 'a<U+2028>b<U+202E>cba<U+2066><U+200B><U+FEFF><U+061C>');
});
