import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { CLI, finished, Sandbox, until } from './support/program.js';
import { onTerminal } from './support/terminal.js';

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

test('a terminal shows what a verb is doing, until it is done', onTerminal, async (t) => {
  const sandbox = new Sandbox(t);
  const program = await sandbox.start('setInterval(() => {}, 1000);');
  program.kill('SIGSTOP');
  const line = `${process.execPath} ${CLI} stop`;
  const terminal = spawn('script', ['-qec', line, '/dev/null'], { env: sandbox.env({ TERM: 'xterm' }), cwd: sandbox.folder });
  const end = finished(terminal);
  let shown = '';
  terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
  });
  const own = `fentry: stopping tracing in process ${program.pid}`;
  await until(() => shown.includes('until Ctrl-C\r\n') && shown.endsWith(own), 'the line comes again behind other words');
  program.kill('SIGCONT');
  assert.equal((await end).code, 0);
  const blank = ' '.repeat(own.length);
  assert.match(shown, new RegExp(`^(\\r${own})+\\r${blank}\\rfentry: process [^\\r]*\\r\\n(\\r${own})+\\r${blank}\\r$`));
});
