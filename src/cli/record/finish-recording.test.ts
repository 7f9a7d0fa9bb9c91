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
  assert.match(said[2]!, /^events are lost where a thread’s buffer is full: -b KB /);
});

test('npm is left out where what it started has recorded something, unless it is wanted', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'fentry-finish-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const put = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  const process = (slot: number, pid: number, command: string, events: number): void => {
    put(`${slot}.process`, String(pid));
    put(`${pid}.command`, command);
    put(`${pid}.progress`, JSON.stringify({ events, lost: 0, bytes: 4096 }));
  };
  const finished = (withManagers = false): string[] => {
    const said: string[] = [];
    const output = join(folder, 'all.dat');
    finishRecording(folder, output, { bytes: undefined, cpuBytes: undefined }, (text) => said.push(text), withManagers);
    return said.map((text) => text.replace(/ recorded; .*/, ''));
  };
  process(0, 11, 'npm start\0', 900);
  assert.deepEqual(finished(), ['900 events, 0 lost, 4.0 KB'], 'npm alone');
  process(1, 12, 'node\0/usr/lib/node_modules/npm/bin/npx-cli.js\0serve\0', 300);
  process(2, 13, 'node\0server.js\0', 70);
  const left = 'not in it: 11 (npm start), 12 (npx), which started the application; --managers records them too';
  assert.deepEqual(finished(), ['70 events, 0 lost, 4.0 KB', left]);
  assert.match(finished(true)[0]!, /^1,270 events/);
});
