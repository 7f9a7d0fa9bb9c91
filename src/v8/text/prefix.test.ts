import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choosePrefix, prefixOf } from './prefix.js';

test('the shortest prefix that the source holds nowhere', () => {
  assert.equal(choosePrefix('let a = 1'), '$f');
  assert.equal(choosePrefix('let $form, $f1'), '$f$');
  assert.equal(choosePrefix('$f$$'), '$f$$$');
});

test('escapes count, in identifiers and in strings', () => {
  assert.equal(choosePrefix('\\u0024f'), '$f$');
  assert.equal(choosePrefix('$\\u{66}'), '$f$');
  assert.equal(choosePrefix('\\u{0024}\\u0066$'), '$f$$');
  assert.equal(choosePrefix('eval("\\x24fs")'), '$f$');
});

test('a text tells its prefix', () => {
  assert.equal(prefixOf('f() {}'), undefined);
  assert.equal(prefixOf('{var $fs=typeof $f1'), '$f');
  assert.equal(prefixOf('$form {var $f$s=typeof $f$1'), '$f$');
});
