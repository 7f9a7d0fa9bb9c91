import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { CLI, finished, PRELOAD, Sandbox, until } from './support/program.js';

test('env prints what makes every Node process of a shell traceable, in any folder', (t) => {
  const sandbox = new Sandbox(t);
  // A folder whose name a shell and NODE_OPTIONS would take apart.
  const folder = join(sandbox.folder, `it's "here"`);
  cpSync(dirname(CLI), join(folder, 'dist'), { recursive: true });
  sandbox.file(`it's "here"/package.json`, '{"type": "module"}');
  const option = (dist: string): string =>
    `--require=${/"/.test(dist) ? JSON.stringify(join(dist, 'preload.cjs')) : join(dist, 'preload.cjs')}`;
  const own = option(dirname(CLI));
  const loaded = 'console.log(process.env.NODE_OPTIONS, Object.hasOwn(process, "emit"))';
  const script = `eval "$(${process.execPath} "$0" env)"; cd /; ${process.execPath} -e '${loaded}'`;
  const shell = (cli: string, env: NodeJS.ProcessEnv = {}) =>
    execFileSync('sh', ['-c', script, cli], { encoding: 'utf8', env: sandbox.env(env) });
  assert.equal(shell(CLI), `${own} true\n`);
  assert.equal(shell(join(folder, 'dist', 'cli.js')), `${option(join(folder, 'dist'))} true\n`);
  assert.equal(shell(CLI, { NODE_OPTIONS: '--no-warnings' }), `${own} --no-warnings true\n`);
  assert.equal(shell(CLI, { NODE_OPTIONS: own }), `${own} true\n`, 'once is enough');
});

test('env runs a command whose Node processes can be traced, and passes its exit code on', async (t) => {
  const sandbox = new Sandbox(t);
  const program = sandbox.file('program.cjs', 'function end() { process.exit(3); }\nprocess.stdin.on("end", end).resume();');
  const running = sandbox.spawnFentry('env', process.execPath, program);
  await until(async () => /program\.cjs/.test((await sandbox.fentry('ps')).stdout), 'the program can be traced');
  assert.equal((await finished(running)).code, 3);
});

/** Waits until so many processes can be traced, and returns what ps prints. */
async function listed(sandbox: Sandbox, count: number): Promise<string> {
  let listing = '';
  await until(async () => {
    listing = (await sandbox.fentry('ps')).stdout;
    return listing.trimEnd().split('\n').length === count + 1;
  }, `${count} processes can be traced`);
  return listing;
}

test('a verb finds the application below npm and an installed runner', async (t) => {
  const sandbox = new Sandbox(t);
  mkdirSync(join(sandbox.folder, 'node_modules', 'runner'), { recursive: true });
  mkdirSync(join(sandbox.folder, 'src'));
  sandbox.file(
    'src/server.cjs',
    'function serve() {}\nsetInterval(serve, 20); process.stdin.on("end", () => process.exit()).resume();',
  );
  const runner = sandbox.file(
    'node_modules/runner/run.cjs',
    'function run() { require("child_process").spawn(process.execPath, process.argv.slice(2), { stdio: "inherit" }); }\nrun();',
  );
  sandbox.file('package.json', `{ "scripts": { "dev": "node ${runner} src/server.cjs" } }`);
  const running = sandbox.spawnFentry('env', 'npm', 'run', 'dev');
  const listing = await listed(sandbox, 3);
  assert.match(listing, /^ *\d+ src\/server\.cjs +\S*fentry-e2e-\S+ \S+node src\/server\.cjs$/m);
  assert.match(listing, /^ *\d+ runner .* src\/server\.cjs$/m);
  assert.match(listing, /^ *\d+ npm run dev .* npm run dev$/m);

  const { code, stdout, stderr } = await sandbox.fentry('list', '-f', 'serve');
  assert.deepEqual(
    { code, stdout, stderr },
    { code: 0, stdout: 'serve  src/server.cjs:1\n', stderr: '' },
    'there was no choice: nothing to say',
  );
  await finished(running);
});

test('the command itself is not among what can be traced, though its environment would have it', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await sandbox.start('setInterval(function tick() {}, 1000);');
  const follows = sandbox.spawn([CLI, 'cat', 'trace_pipe'], { NODE_OPTIONS: `--import=${PRELOAD}` });
  let seen = '';
  follows.stdout!.setEncoding('utf8').on('data', (text: string) => {
    seen += text;
  });
  await until(async () => {
    await sandbox.client(pid).write('trace_marker', 'here');
    return seen.includes('here');
  }, 'the command follows the trace');
  const { stdout } = await sandbox.run([CLI, 'ps'], { NODE_OPTIONS: `--import=${PRELOAD}` });
  assert.match(stdout, new RegExp(`^  PID PROGRAM .*\\n *${pid} program\\.cjs .*\\n$`));
});
