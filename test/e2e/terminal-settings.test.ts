import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { CLI, Sandbox } from './support/program.js';
import { onTerminal } from './support/terminal.js';

/** Sets its terminal to raw, as editors and prompts do, and is ended by a signal. */
const PROGRAM = `
function work() {}
process.stdin.setRawMode(true);
work();
process.kill(process.pid, process.argv[2]);
setInterval(() => {}, 1000);
`;

for (const [verb, signal] of [
  ['record', 'SIGTERM'],
  ['record', 'SIGHUP'],
  ['record', 'SIGKILL'],
  ['stat', 'SIGTERM'],
  ['env', 'SIGINT'],
] as const) {
  test(`the terminal is as it was after ${signal} has ended a program under fentry ${verb}`, onTerminal, (t) => {
    const sandbox = new Sandbox(t);
    const program = sandbox.file('raw.cjs', PROGRAM);
    const line = `stty -g; ${process.execPath} ${CLI} ${verb} -- ${process.execPath} ${program} ${signal}; stty -g; stty -a | grep -o ' -*icanon'`;
    const { stdout } = spawnSync('script', ['-qec', line, '/dev/null'], {
      cwd: sandbox.folder,
      env: sandbox.env({ TERM: 'xterm' }),
      encoding: 'utf8',
    });
    const lines = stdout.split(/\r?\n/);
    const settings = lines.filter((one) => /^[0-9a-f]+(:[0-9a-f]+)+$/.test(one));
    assert.equal(settings.length, 2, stdout);
    assert.equal(settings[1], settings[0], stdout);
    assert.equal(lines.at(-2), ' icanon', stdout);
  });
}
