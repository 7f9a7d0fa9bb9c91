import assert from 'node:assert/strict';
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { PRELOAD, REQUIRED, Sandbox, until } from '../e2e/support/program.js';
import { testFile } from '../support/program.js';

const QUIET = '--no-deprecation';
/** A text this long is compiled with V8's code cache. */
const PADDING = `\n/*${'x'.repeat(20_000)}*/\n`;
const PLAIN = ['--import', 'data:text/javascript,'];

/** All files of a folder, with a text that is long enough in each. */
const copyLong = (from: string, sandbox: Sandbox): string => {
  const to = join(sandbox.folder, 'programs');
  cpSync(from, to, { recursive: true });
  for (const name of readdirSync(to, { recursive: true }) as string[]) {
    const path = join(to, name);
    if (/\.c?js$/.test(name)) writeFileSync(path, readFileSync(path, 'utf8') + PADDING);
  }
  return to;
};

const packsOf = (sandbox: Sandbox): string[] =>
  (readdirSync(sandbox.cache, { recursive: true }) as string[]).filter((name) => name.endsWith('.pack'));

/**
 * Runs the program three times: without a cache, with the texts in it, with V8's code of them. Each must end as in plain Node.
 */
const same = async (sandbox: Sandbox, program: string, plainFlags: readonly string[] = [], env = {}): Promise<void> => {
  const plain = await sandbox.run([QUIET, ...plainFlags, program], env);
  for (const state of ['no cache', 'texts', 'code']) {
    const idle = await sandbox.run([QUIET, '--import', PRELOAD, program], env);
    assert.deepEqual([idle.stdout, idle.code], [plain.stdout, plain.code], `${state}\n${idle.stderr}`);
  }
};

describe('programs behave the same when their texts come with their code', { concurrency: 2 }, () => {
  const folder = testFile('hazards/fixtures');
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.js'))) {
    test(name, async (t) => {
      const sandbox = new Sandbox(t, { hasOwnCache: true });
      await same(sandbox, join(copyLong(folder, sandbox), name));
    });
  }

  test('what a module can ask of itself, its stack and its loader', async (t) => {
    const sandbox = new Sandbox(t, { hasOwnCache: true });
    const program = join(copyLong(testFile('program/code-cache/fixtures'), sandbox), 'module.cjs');
    await same(sandbox, program, PLAIN);
    assert.equal(packsOf(sandbox).length, 1);
  });

  test('import() in the text, in code that it makes, and in another text', async (t) => {
    const sandbox = new Sandbox(t, { hasOwnCache: true });
    await same(sandbox, join(copyLong(testFile('program/code-cache/fixtures'), sandbox), 'imports.cjs'), PLAIN);
  });
});

test('two installations share a cache, and neither is seen on a stack', async (t) => {
  const sandbox = new Sandbox(t, { hasOwnCache: true });
  const program = sandbox.file(
    'program.cjs',
    `try { Reflect.ownKeys(1) } catch ({ stack }) { console.log(stack.split('\\n', 4)) }
try { new (require('node:vm').Script)('(/') } catch ({ stack }) { console.log(stack.split('\\n', 8)) }`,
  );
  const plain = await sandbox.run([program]);
  const [first, second] = ['first', 'second'].map((name) => join(sandbox.folder, name)) as [string, string];
  for (const copy of [first, second])
    cpSync(dirname(REQUIRED), copy, { recursive: true, filter: (file) => !file.endsWith('.map') });
  for (const copy of [first, first, second, second, first]) {
    const { stdout, stderr } = await sandbox.run(['--require', join(copy, 'preload.cjs'), program]);
    assert.equal(stdout, plain.stdout, stderr);
  }
});

test('coverage counts the same, whether the text was stored or not', async (t) => {
  const sandbox = new Sandbox(t, { hasOwnCache: true });
  const program = sandbox.file('program.cjs', `function f(a) { if (a) { return 1 } else { return 2 } }\nf(1);${PADDING}`);
  const args = ['--import', PRELOAD, program];
  for (let i = 0; i < 3; i++) await sandbox.run(args);
  const counted = async (first: readonly string[]): Promise<unknown> => {
    const reports = join(sandbox.folder, `coverage-${first.length}`);
    await sandbox.run([...first, program], { NODE_V8_COVERAGE: reports });
    const scripts = readdirSync(reports).flatMap(
      (name) => JSON.parse(readFileSync(join(reports, name), 'utf8')).result as { url: string; functions: object[] }[],
    );
    return scripts.find(({ url, functions }) => url.endsWith('program.cjs') && functions.length > 0)?.functions;
  };
  const plain = await counted([]);
  assert.ok(plain);
  assert.deepEqual(await counted(['--import', PRELOAD]), plain);
});

test('a program that is killed has stored its texts and their code while it ran', async (t) => {
  const sandbox = new Sandbox(t, { hasOwnCache: true });
  // Too large to be stored while a program runs.
  sandbox.file('large.cjs', `exports.large = () => 1;\n/*${'x'.repeat(600_000)}*/`);
  sandbox.file('long.cjs', `exports.long = () => 2;${PADDING}`);
  const program = sandbox.file(
    'server.cjs',
    `console.log(require('./large.cjs').large(), require('./long.cjs').long()); if (process.argv[2]) setInterval(() => {}, 100);`,
  );
  const args = ['--require', REQUIRED, program];
  // The first run finds out what the texts are, and is not one to learn from.
  await sandbox.run(args);
  const files = (): string[] => readdirSync(sandbox.cache, { recursive: true }) as string[];
  // The control thread stores its own by itself.
  const codeOfAgent = () => files().filter((name) => name.endsWith('.code') && !name.includes('/control-'));
  const ofAgent = codeOfAgent();
  for (const name of ofAgent) rmSync(join(sandbox.cache, name));
  assert.deepEqual(packsOf(sandbox), []);
  const child = sandbox.spawn([...args, 'stays']);
  await until(() => packsOf(sandbox).length > 0, 'the texts are stored');
  child.kill('SIGKILL');
  await once(child, 'exit');
  assert.deepEqual(codeOfAgent(), ofAgent);
  assert.equal((await sandbox.run(args)).stdout, '1 2\n');
});

test('a text that was too large to be stored while the program ran is stored at its end', async (t) => {
  const sandbox = new Sandbox(t, { hasOwnCache: true });
  sandbox.file('bundle.cjs', `exports.large = () => 1;\n/*${'x'.repeat(600_000)}*/`);
  const program = sandbox.file(
    'main.cjs',
    `require('./bundle.cjs').large(); if (process.argv[2]) process.stdin.resume();${PADDING}`,
  );
  const args = ['--require', REQUIRED, program];
  await sandbox.run(args);
  const child = sandbox.spawn([...args, 'stays']);
  await until(() => packsOf(sandbox).length > 0, 'a pack is stored');
  const [pack] = packsOf(sandbox) as [string];
  const size = (): number => statSync(join(sandbox.cache, pack)).size;
  assert.ok(size() < 600_000);
  child.stdin?.end();
  await once(child, 'exit');
  assert.ok(size() > 600_000);
});
