import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { hasEnded, ownIdentity, parseIdentity } from './process-identity.js';

test('a process has ended when its id is free, or another’s', () => {
  const own = parseIdentity(ownIdentity());
  assert.ok(own);
  assert.equal(own.pid, process.pid);
  assert.equal(hasEnded(own), false);
  assert.equal(hasEnded({ ...own, start: '1' }), true, 'its id is another’s');
  assert.equal(hasEnded({ ...own, pid: 2 ** 22 + 1 }), true, 'there is no such id');
  assert.equal(hasEnded({ ...own, pid: 2 ** 22 + 1, namespace: '1' }), false, 'of another namespace nothing is known');
});

test('a zombie has ended, too', async (t) => {
  // The shell does not wait for the first of them before it becomes the second.
  const shell = spawn('sh', ['-c', 'sleep 0.05 & echo $!; exec sleep 60']);
  t.after(() => shell.kill());
  const pid = Number((await once(shell.stdout, 'data'))[0]);
  const { namespace } = parseIdentity(ownIdentity())!;
  const stat = (): string => readFileSync(`/proc/${pid}/stat`, 'utf8');
  while (!/\) Z /.test(stat())) await new Promise((resolve) => setTimeout(resolve, 10));
  const start = stat().split(') ')[1]!.split(' ')[19]!;
  assert.equal(hasEnded({ pid, start, namespace }), true);
});

test('a text that is not an identity is recognized', () => {
  assert.equal(parseIdentity('4711'), undefined);
  assert.equal(parseIdentity('4711,x,1'), undefined);
  assert.deepEqual(parseIdentity('4711,12,34\n'), { pid: 4711, start: '12', namespace: '34' });
});
