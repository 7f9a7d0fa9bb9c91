import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { finishRecording } from './finish-recording.js';

test('for several processes it says how many events each recorded and lost', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'fentry-finish-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const put = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  for (const [slot, pid, program, events, lost] of [
    [0, 11, 'parent.cjs', 5, 0],
    [1, 12, 'child.cjs', 1200, 3400],
  ] as const) {
    put(`${slot}.process`, String(pid));
    put(`${pid}.command`, `node\0${program}\0`);
    put(`${pid}.progress`, JSON.stringify({ events, lost, bytes: 4096 }));
  }
  const said: string[] = [];
  finishRecording(folder, join(folder, 'all.dat'), { bytes: undefined, cpuBytes: undefined }, (text) => said.push(text));
  assert.equal(said[1], 'of 2 processes: 12 (child.cjs) 1,200 events, 3,400 lost; 11 (parent.cjs) 5 events, 0 lost');
});
