import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { finished, REQUIRED, Sandbox } from './support/program.js';

const FILL = `// ${'-'.repeat(2100)}\n`;
const MAIN = `const { named } = require('pkg');
const { big } = require('./big.js');
import('./module.mjs').then(({ inModule }) => {
  const { _cache } = require('node:module');
  const parsed = Object.keys(_cache).some((file) => file.endsWith('instrument.cjs'));
  console.log([named(), big(), require('./mark.js').marked(), inModule(), big.toString().length, parsed].join(' '));
});
`;

const cleanups: (() => void | Promise<void>)[] = [];
after(async () => {
  for (const run of cleanups) await run();
});
const sandbox = new Sandbox({ after: (run) => void cleanups.push(run) });
const app = join(sandbox.folder, 'app');
const cache = join(sandbox.folder, 'prepared');

/** An application with a package as pnpm places it. */
const main = sandbox.file('app/main.cjs', MAIN);
sandbox.file('app/big.js', `exports.big = function big() { return 'big'; };\n${FILL}`);
sandbox.file('app/mark.js', `\ufeffexports.marked = () => 'marked';\n${FILL}`);
sandbox.file('app/module.mjs', `export const inModule = () => 'module';\n${FILL}`);
sandbox.file('app/broken.js', 'let a = {;\n');
sandbox.file('app/page.jsx', 'const page = () => <p/>;\n');
sandbox.file('app/typed.ts', 'export const typed = (a: number): number => a;\n');
const PACKAGE = 'app/node_modules/.pnpm/pkg@1.0.0/node_modules/pkg';
sandbox.file(`${PACKAGE}/package.json`, '{"name":"pkg","main":"lib.js"}');
sandbox.file(`${PACKAGE}/lib.js`, `exports.named = () => 'pkg';\n${FILL}`);
sandbox.file(`${PACKAGE}/test/lib.js`, 'exports.notLoaded = () => 0;\n');
symlinkSync('.pnpm/pkg@1.0.0/node_modules/pkg', join(app, 'node_modules/pkg'));

const stripsTypes = Boolean((process.features as { typescript?: unknown }).typescript);
const prepared = sandbox.fentry('prepare', app, '--cache', cache, '--json');
const WITH = { FENTRY_PREPARED: cache, FENTRY_CACHE: '' };
const LENGTH = "function big() { return 'big'; }".length;
/** What the program prints that parses no text. */
const FAST = `pkg big marked module ${LENGTH} false\n`;
const SLOW = FAST.replace('false', 'true');

const start = (env: NodeJS.ProcessEnv = {}) => sandbox.run(['--require', REQUIRED, main], { ...WITH, ...env });

test('prepare says what it prepared, and what not and why', async () => {
  const { stdout, stderr, code } = await prepared;
  assert.deepEqual([code, stderr], [0, '']);
  const { files, packages, functions, ownCode, problems, node } = JSON.parse(stdout);
  assert.deepEqual([files, packages, node], [stripsTypes ? 6 : 5, 1, process.version]);
  assert.equal(functions, stripsTypes ? 7 : 6);
  assert.ok(ownCode >= 3, stdout);
  const listed = (problems as { file: string; line?: number; column?: number; why: string }[])
    .map(({ file, line, column, why }) => [file.slice(app.length + 1), line, column, why.replace(/ v\d+.*/, '')])
    .sort(([one = ''], [other = '']) => (one < other ? -1 : 1));
  const [broken, ...rest] = listed;
  assert.deepEqual(broken?.slice(0, 3), ['broken.js', 1, 10]);
  const typed = ['typed.ts', undefined, undefined, 'TypeScript, which Node'];
  assert.deepEqual(rest, [
    ['page.jsx', undefined, undefined, 'Node cannot load it without a compiler'],
    ...(stripsTypes ? [] : [typed]),
  ]);
});

test('a program that starts with it parses nothing, and its functions are traced', async () => {
  await prepared;
  const { stdout, stderr } = await start();
  assert.deepEqual([stdout, stderr], [FAST, '']);
  assert.equal((await sandbox.run(['--require', REQUIRED, main], { FENTRY_CACHE: '' })).stdout, SLOW);
  const file = join(sandbox.folder, 'p.dat');
  const recorded = await sandbox.run(
    [join(REQUIRED, '../cli.js'), 'record', '-o', file, '-p', 'function', '-l', '*', 'node', main],
    WITH,
  );
  assert.match(recorded.stdout, new RegExp(`^${FAST}`));
  const report = (await sandbox.fentry('report', '-i', file)).stdout;
  for (const name of ['named', 'big', 'marked', 'inModule']) assert.match(report, new RegExp(`function: +${name}\\b`));
});

test('with a cache of its own, what is new goes there, and the prepared one stays as it was', async () => {
  await prepared;
  const files = () => readdirSync(cache, { recursive: true }).sort();
  const before = files();
  const own = { FENTRY_CACHE: join(sandbox.folder, 'own') };
  sandbox.file('app/big.js', `exports.big = function big() { return 'big'; };\n// changed\n${FILL}`);
  assert.equal((await start()).stdout, SLOW);
  assert.equal((await start(own)).stdout, SLOW);
  for (const _ of [1, 2]) assert.equal((await start(own)).stdout, FAST);
  sandbox.file('app/big.js', `exports.big = function big() { return 'big'; };\n${FILL}`);
  assert.equal((await start(own)).stdout, FAST);
  assert.deepEqual(files(), before);
});

test('a cache or an application that has moved is used, and one that others can write to is refused with a word', async () => {
  await prepared;
  const moved = join(sandbox.folder, 'moved');
  cpSync(cache, moved, { recursive: true });
  const FENTRY_PREPARED = moved;
  assert.equal((await start({ FENTRY_PREPARED })).stdout, FAST);
  const elsewhere = join(sandbox.folder, 'elsewhere');
  cpSync(app, elsewhere, { recursive: true });
  const copy = join(elsewhere, 'main.cjs');
  assert.equal((await sandbox.run(['--require', REQUIRED, copy], { ...WITH, FENTRY_PREPARED })).stdout, FAST);
  const words = async () => (await start({ FENTRY_PREPARED, FENTRY: 'trace_clock=local' })).stderr;
  assert.equal(await words(), '');
  chmodSync(moved, 0o777);
  assert.match(
    await words(),
    /^fentry: FENTRY_PREPARED: \S+moved is not used: other users can write to \S+moved \(mode 777\)\n$/,
  );
  assert.equal((await start({ FENTRY_PREPARED })).stdout, SLOW);
  chmodSync(moved, 0o755);
  if (process.geteuid?.() === 0) {
    chownSync(moved, 1234, 1234);
    assert.match(await words(), /moved belongs to user 1234, and only what is yours or root’s is trusted\n$/);
  }
  rmSync(moved, { recursive: true });
  assert.match(await words(), /moved is not used: there is no such folder\n$/);
  mkdirSync(moved);
  assert.match(await words(), /moved is not used: it has nothing for this build of fentry \(\S+\)\n$/);
});

test('on a read-only root, another user without rights starts with what root prepared', async (t) => {
  await prepared;
  if (process.geteuid?.() !== 0) return t.skip('only root makes mounts and becomes another user');
  const script = `mount -o remount,ro,bind / || exit 77
! touch ${sandbox.folder}/written 2>/dev/null || exit 77
exec setpriv --reuid=65534 --regid=65534 --clear-groups "$@"`;
  const args = ['--mount', 'sh', '-c', script, 'sh', process.execPath, '--require', REQUIRED, main];
  chmodSync(sandbox.folder, 0o755);
  const env = { ...sandbox.env(WITH), HOME: '/', FENTRY_CACHE: '/nowhere', FENTRY: 'trace_clock=local' };
  if (spawnSync('unshare', ['--version']).error !== undefined) return t.skip('there is no unshare here');
  const { stdout, stderr, code } = await finished(spawn('unshare', args, { env }));
  if (code === 77 || stderr.startsWith('unshare:')) return t.skip('the root cannot be mounted read-only here');
  if (/EACCES|Permission denied/.test(stderr)) return t.skip('another user cannot read the files of this test');
  assert.equal(stdout, FAST, stderr);
  assert.doesNotMatch(stderr, /FENTRY_PREPARED/);
});

test('bad input is refused', async () => {
  const refused = async (...args: string[]) => {
    const { code, stderr } = await sandbox.fentry('prepare', ...args);
    return `${code} ${stderr.split('\n')[0]}`;
  };
  assert.equal(await refused('nowhere', '--cache', cache), '2 fentry prepare: there is no folder nowhere');
  assert.match(
    await refused(main, '--cache', cache),
    /^2 fentry prepare: \S+main\.cjs is not a folder: name the one that it is in$/,
  );
  assert.equal(await refused(app), '2 fentry prepare: say where: --cache DIR, or FENTRY_PREPARED=DIR in the environment');
  assert.match(await refused(app, '--cache', '/proc/nowhere'), /^1 fentry prepare: .*ENOENT.*\/proc\/nowhere/);
  assert.match(await refused(app, '--cache', main), /^1 fentry prepare: .*ENOTDIR/);
});
