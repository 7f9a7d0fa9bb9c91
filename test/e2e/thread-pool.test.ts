import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { Sandbox } from './support/program.js';

/** The pool has one thread: what is read waits until the passwords are hashed. */
const PROGRAM = `
const { pbkdf2 } = require('node:crypto');
const { readFile } = require('node:fs');
const { stat } = require('node:fs/promises');
function hashPassword() { pbkdf2('a', 'b', 1000, 8, 'sha1', () => {}); }
function readSettings() { readFile(__filename, () => {}); }
async function look() { await stat(__filename); await null; await stat(__filename); }
setImmediate(function main() { hashPassword(); hashPassword(); readSettings(); look(); });
`;

test('requests to the thread pool are told apart by who asked, and what waited', async (t) => {
  const sandbox = new Sandbox(t);
  const file = join(sandbox.folder, 't.dat');
  const program = sandbox.file('pool.cjs', PROGRAM);
  const command = ['env', 'UV_THREADPOOL_SIZE=1', process.execPath, program];
  const recorded = await sandbox.fentry('record', '-e', 'workqueue', '-p', 'nop', '-o', file, '--', ...command);
  assert.equal(recorded.code, 0, recorded.stderr);
  const { stdout } = await sandbox.fentry('report', '-i', file);
  const ends = [...stdout.matchAll(/workqueue_execute_end:.*function (\S+) workqueue (\w+) waited=(\d+)ns ran=(\d+)ns/g)]
    .map(([, asker, queue, waited]) => `${asker} ${queue} ${waited === '0' ? 'at once' : 'waited'}`)
    .filter((line) => !line.startsWith('[unknown]'));
  assert.deepEqual(ends.slice(0, 2), ['hashPassword crypto at once', 'hashPassword crypto waited']);
  // The file is opened, asked for its size, read and closed, each time in the callback of the one before; Node 26 has one job.
  const isJob = (await sandbox.run(['--no-deprecation', '-p', `'ReadFileJob' in process.binding('fs')`])).stdout === 'true\n';
  assert.equal(ends.filter((line) => line.startsWith('readSettings fs')).length, isJob ? 1 : 4, stdout);
  assert.ok(ends.includes('readSettings fs waited'), stdout);
  assert.equal(ends.filter((line) => line.startsWith('look fs')).length, 2, stdout);
});
