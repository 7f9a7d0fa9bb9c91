import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finished, Sandbox, until } from './support/program.js';

const VERBS: readonly (readonly string[])[] = [
  ['cat', 'current_tracer'],
  ['start', '-p', 'function'],
  ['stat'],
  ['sh', '-c', 'cat current_tracer'],
];

test('a verb that waits for a stopped process says so once, and goes on with the process', async (t) => {
  const sandbox = new Sandbox(t);
  const program = await sandbox.start('setInterval(() => {}, 1000);');
  for (const args of VERBS) {
    program.kill('SIGSTOP');
    const verb = sandbox.spawnFentry(...args);
    let said = '';
    verb.stderr!.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    const end = finished(verb);
    await until(() => said.endsWith('\n'), `${args[0]} says what it waits for`);
    program.kill('SIGCONT');
    const { code, stderr } = await end;
    assert.equal(code, 0, stderr);
    assert.equal(
      stderr,
      `fentry: process ${program.pid} is stopped (SIGSTOP); kill -CONT resumes it; waiting for it, until Ctrl-C\n`,
      args.join(' '),
    );
  }
});
