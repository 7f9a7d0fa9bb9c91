import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { PRELOAD, Sandbox, until } from './support/program.js';

/** What a control file of the one running program says, without the sandbox's folder. */
const cat = async (sandbox: Sandbox, file: string): Promise<string> => {
  const { code, stdout, stderr } = await sandbox.fentry('cat', file);
  assert.equal(code, 0, stderr);
  return stdout.replaceAll(`${sandbox.folder}/`, '');
};

const listed = async (sandbox: Sandbox, last: string): Promise<string> => {
  await until(async () => (await cat(sandbox, 'functions_without_sites')).includes(last), `${last} is listed`);
  return cat(sandbox, 'functions_without_sites');
};

const EVERY = 'setInterval(function tick() {}, 5);';

/** V8's own functions are syntax that V8 takes, on request, and no parser does. */
const V8_ONLY = 'exports.kind = function kind() {\n  return %HasFastProperties({});\n}\n';

test('a file that only V8 can read runs, and is listed with what the parser said', async (t) => {
  const sandbox = new Sandbox(t);
  sandbox.file('intrinsics.cjs', V8_ONLY);
  const program = `require('v8').setFlagsFromString('--allow-natives-syntax');
console.log(require('./intrinsics.cjs').kind()); ${EVERY}`;
  const child = await sandbox.start(program);
  let printed = '';
  child.stdout!.on('data', (chunk) => {
    printed += chunk;
  });
  assert.equal(
    await listed(sandbox, 'intrinsics'),
    'intrinsics.cjs\tintrinsics.cjs:2:10\tthe parser could not read this source: Unexpected token\n',
  );
  await until(() => printed === 'true\n', 'it has run');
  assert.doesNotMatch(await cat(sandbox, 'available_filter_functions'), /intrinsics/);
  assert.equal((await cat(sandbox, 'kallsyms')).match(/intrinsics/g)?.length, 1);
  assert.equal((await sandbox.fentry('write', 'current_tracer', 'function')).code, 0);
  assert.doesNotMatch(await cat(sandbox, 'enabled_functions'), /intrinsics/);
});

test('each kind of module, and each thread, lists a file that cannot be read once', async (t) => {
  const sandbox = new Sandbox(t);
  sandbox.file('broken.js', 'import fs from "fs";\nvar = = 2;\nfunction g() {}\n');
  sandbox.file('broken.cjs', 'function f() {\n  return [1, }');
  sandbox.file('broken.mjs', 'export const a = ;\nfunction h() {}\n');
  const program = `import { Worker, isMainThread } from 'node:worker_threads';
import { createRequire } from 'node:module';
for (const name of ['broken.cjs', 'broken.js']) try { createRequire(import.meta.url)('./' + name) } catch (e) { console.log(e.name) }
const tell = (e) => console.log(e.name);
await import('./broken.mjs').catch(tell);
await import('./broken.cjs').catch(tell);
if (isMainThread) new Worker(new URL(import.meta.url));
else { createRequire(import.meta.url)('./last.cjs'); }
${EVERY}`;
  sandbox.file('last.cjs', 'function last() { with ({}) {} }');
  await sandbox.start(program, {}, 'program.mjs');
  const lines = (await listed(sandbox, 'last')).trimEnd().split('\n').sort();
  assert.deepEqual(lines, [
    'broken.cjs\tbroken.cjs:2:14\tthe parser could not read this source: Unexpected token',
    'broken.js\tbroken.js:2:5\tthe parser could not read this source: Unexpected token',
    'broken.mjs\tbroken.mjs:1:18\tthe parser could not read this source: Unexpected token',
    'last\tlast.cjs:1:1\tinside or around a with statement: the site’s names would be looked up in the object',
  ]);
});

test('V8’s own error is what a broken program shows', async (t) => {
  const sandbox = new Sandbox(t);
  const path = sandbox.file('broken.cjs', 'var = = 2;\n');
  const plain = await sandbox.run([path]);
  const traced = await sandbox.run(['--import', PRELOAD, path]);
  const [error] = plain.stderr.split('\n    at ');
  assert.match(error!, /broken\.cjs:1\nvar = = 2;\n {4}\^\n\nSyntaxError/);
  assert.deepEqual([traced.code, traced.stderr.split('\n    at ')[0]], [plain.code, error]);
});

test('files of packages that instrument= leaves out are listed', async (t) => {
  const sandbox = new Sandbox(t);
  mkdirSync(join(sandbox.folder, 'node_modules/quiet'), { recursive: true });
  sandbox.file('node_modules/quiet/index.js', 'exports.f = function f() {}');
  await sandbox.start(`require('quiet').f(); ${EVERY}`, { FENTRY: 'instrument=app' });
  assert.equal(
    await listed(sandbox, 'quiet'),
    'index.js [quiet]\tnode_modules/quiet/index.js:1:1\tits package is not instrumented\n',
  );
  assert.doesNotMatch(await cat(sandbox, 'available_filter_functions'), /quiet/);
});

test('what is loaded after the global object was frozen is listed', async (t) => {
  const sandbox = new Sandbox(t);
  sandbox.file('late.cjs', 'exports.f = function f() {}');
  await sandbox.start(`Object.preventExtensions(globalThis); require('./late.cjs').f(); ${EVERY}`);
  assert.equal(
    await listed(sandbox, 'late'),
    'late.cjs\tlate.cjs:1:1\tthe program froze the global object, which has no place for its cells\n',
  );
});
