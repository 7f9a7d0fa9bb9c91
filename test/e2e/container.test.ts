import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CLI, PRELOAD, Sandbox, until } from './support/program.js';

test('root reaches a process of a container by the id that it has outside', async (t) => {
  if (process.geteuid?.() !== 0) return t.skip('only root makes and enters containers');
  const sandbox = new Sandbox(t);
  const program = sandbox.file('idle.cjs', 'setInterval(() => {}, 1000);');
  const command = ['--mount', '--pid', '--fork', '--mount-proc', '--kill-child', process.execPath, '--import', PRELOAD, program];
  const container = spawn('unshare', command, { env: sandbox.env(), stdio: 'ignore' });
  t.after(() => container.kill('SIGKILL'));
  let failed = false;
  for (const event of ['error', 'exit']) container.once(event, () => (failed = true));
  await until(() => failed || existsSync(join(sandbox.sockets, '1.sock')), 'the container’s first process has its socket');
  if (failed) return t.skip('unshare makes no containers here');
  const pid = readFileSync(`/proc/${container.pid}/task/${container.pid}/children`, 'utf8').trim();
  const outside = join(sandbox.folder, 'outside');
  mkdirSync(outside, { mode: 0o700 });
  const { stdout, stderr } = await sandbox.run([CLI, 'cat', '--pid', pid, 'current_tracer'], { FENTRY_DIR: outside });
  assert.equal(stdout, 'nop\n', stderr);
});
