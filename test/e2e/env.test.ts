import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { CLI, finished, PRELOAD, Sandbox, until } from './support/program.js';

test('env prints what makes every Node process of a shell traceable, in any folder', (t) => {
  const sandbox = new Sandbox(t);
  // A folder whose name a shell and NODE_OPTIONS would take apart.
  const folder = join(sandbox.folder, `it's "here"`);
  cpSync(dirname(CLI), join(folder, 'dist'), { recursive: true });
  sandbox.file(`it's "here"/package.json`, '{"type": "module"}');
  const copy = pathToFileURL(join(folder, 'dist', 'index.js')).href;
  const loaded = 'console.log(process.env.NODE_OPTIONS, Object.hasOwn(process, "emit"))';
  const script = `eval "$(${process.execPath} "$0" env)"; cd /; ${process.execPath} -e '${loaded}'`;
  const shell = (cli: string, env: NodeJS.ProcessEnv = {}) =>
    execFileSync('sh', ['-c', script, cli], { encoding: 'utf8', env: sandbox.env(env) });
  assert.equal(shell(CLI), `--import=${PRELOAD} true\n`);
  assert.equal(shell(join(folder, 'dist', 'cli.js')), `--import=${copy} true\n`);
  assert.equal(shell(CLI, { NODE_OPTIONS: '--no-warnings' }), `--import=${PRELOAD} --no-warnings true\n`);
  assert.equal(shell(CLI, { NODE_OPTIONS: `--import=${PRELOAD}` }), `--import=${PRELOAD} true\n`, 'once is enough');
});

test('env runs a command whose Node processes can be traced, and passes its exit code on', async (t) => {
  const sandbox = new Sandbox(t);
  const program = sandbox.file('program.cjs', 'function end() { process.exit(3); }\nprocess.stdin.on("end", end).resume();');
  const running = sandbox.spawnFentry('env', process.execPath, program);
  await until(async () => /program\.cjs/.test((await sandbox.fentry('ps')).stdout), 'the program can be traced');
  assert.equal((await finished(running)).code, 3);
});
