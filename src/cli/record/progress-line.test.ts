import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byteText, liveText, progressText } from './progress-line.js';

test('numbers read easily', () => {
  assert.equal(progressText({ events: 1234567, lost: 0, bytes: 4096 }), '1,234,567 events, 0 lost, 4.0 KB');
  assert.deepEqual([0, 1023, 1536, 5 * 2 ** 30].map(byteText), ['0 B', '1023 B', '1.5 KB', '5.0 GB']);
});

test('the line of running processes is about all of them', () => {
  assert.equal(liveText([{ lost: 1, bytes: 1024 }]), 'fentry: recording: 1.0 KB, 1 events lost');
  assert.equal(
    liveText([
      { lost: 1, bytes: 1024 },
      { lost: 1200, bytes: 512 },
    ]),
    'fentry: recording 2 processes: 1.5 KB, 1,201 events lost',
  );
});
