import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineEvent } from '../../events/define.js';
import { EventWords, SOFT_DISABLED } from '../../events/event-words.js';
import { one } from '../../events/fields.js';
import { EventFile } from './event-file.js';

const EVENT = { ...defineEvent('sched', 'sched_switch', { fields: { pid: one('int') }, print: '""' }), id: 300 };

function createFile() {
  const words = new EventWords();
  const file = new EventFile(EVENT, words, words.take(0)!);
  return { file, switchSoftly: (on: boolean) => Atomics.store(words.words, file.word, on ? 0 : SOFT_DISABLED) };
}

test('enable shows 0 and 1; threads are told only while it is 1', () => {
  const { file } = createFile();
  assert.equal(file.shown, '0\n');
  assert.equal(file.config(), undefined);
  file.setEnabled(true);
  assert.equal(file.shown, '1\n');
  assert.deepEqual(file.config(), { word: file.word, isRecorded: true, triggers: [], hists: [] });
  file.setEnabled(false);
  assert.equal(file.shown, '0\n');
});

test('an event that something switches shows a star, and stays called', () => {
  const { file, switchSoftly } = createFile();
  file.beginSoft();
  assert.equal(file.shown, '0*\n');
  assert.notEqual(file.config(), undefined);
  switchSoftly(true);
  assert.equal(file.shown, '1*\n');
  file.setEnabled(false);
  assert.equal(file.shown, '0*\n');
  file.setEnabled(true);
  assert.equal(file.shown, '1*\n');
  file.endSoft();
  assert.equal(file.shown, '1\n');
});

test('when the last one that switches it has gone, an event that was off is off', () => {
  const { file } = createFile();
  file.beginSoft();
  file.beginSoft();
  file.endSoft();
  assert.equal(file.shown, '0*\n');
  file.endSoft();
  assert.equal(file.shown, '0\n');
  assert.equal(file.config(), undefined);
});
