import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearest } from './nearest.js';

const VERBS = ['record', 'report', 'start', 'stop', 'show', 'stat', 'cat', 'ls', 'ps'];

const MEANT: readonly (readonly [string, string | undefined])[] = [
  ['recrod', 'record'],
  ['rec', 'record'],
  ['reprot', 'report'],
  ['stats', 'stat'],
  ['cst', 'cat'],
  ['sl', 'ls'],
  ['frobnicate', undefined],
  ['', undefined],
];

for (const [typed, verb] of MEANT) {
  test(`'${typed}' may mean ${verb ?? 'nothing that is known'}`, () => assert.equal(nearest(typed, VERBS), verb));
}
