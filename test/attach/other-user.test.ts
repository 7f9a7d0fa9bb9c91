import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { Sandbox } from '../e2e/support/program.js';

const NOBODY = 65534;
const IDLE = `console.log('ready'); setInterval(() => {}, 1000);`;

test('root attaches to another user’s process, whose socket that user owns', async (t) => {
  if (process.geteuid?.() !== 0) return t.skip('only root may attach to other users’ processes');
  const { FENTRY_DIR: _folder, XDG_RUNTIME_DIR: _runtime, NODE_OPTIONS: _options, ...env } = process.env;
  const child = spawn(process.execPath, ['--inspect-port=0', '-e', IDLE], {
    uid: NOBODY,
    gid: NOBODY,
    cwd: '/',
    env: { ...env, HOME: '/nonexistent' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  t.after(() => child.kill('SIGKILL'));
  const failed = await Promise.race([once(child.stdout, 'data').then(() => undefined), ended(child)]);
  if (failed !== undefined) return t.skip(`no Node can be started as user ${NOBODY}: ${failed}`);
  const sandbox = new Sandbox(t);
  const pid = String(child.pid);
  const attached = await sandbox.fentry('attach', '--timeout', '80', pid);
  if (/EACCES|permission denied/i.test(attached.stderr)) return t.skip('that user cannot read the files of this build');
  assert.equal(attached.stdout, `attached to process ${pid}: /tmp/fentry-${NOBODY}/${pid}.sock\n`, attached.stderr);
  assert.equal((await sandbox.fentry('cat', '--pid', pid, 'current_tracer')).stdout, 'nop\n');
  assert.equal((await sandbox.fentry('detach', pid)).code, 0);
});

/** Why a process that is to run does not. */
const ended = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    child.once('error', ({ message }) => resolve(message));
    child.once('exit', (code, signal) => resolve(`it ended with ${code ?? signal}`));
  });
