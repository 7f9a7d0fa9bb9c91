import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { FENTRY, run, testFile } from '../support/program.js';

/**
 * fentry beside other loaders: the program prints what it prints without fentry, and the files that V8 was given have sites
 * (test/support/report-sites.mjs counts them).
 */
interface Case {
  readonly name: string;
  readonly program: string;
  /** Flags of the program, after fentry's. */
  readonly flags?: readonly string[];
  /** Sites of each file, by its name under fixtures/; a worker's files have `worker ` before the name. */
  readonly sites: Readonly<Record<string, number>>;
  /** Lowest major version of Node that can do this. */
  readonly from?: number;
}

const CASES: readonly Case[] = [
  {
    name: 'ES modules, CommonJS imported by them, import()',
    program: 'main.mjs',
    sites: { 'main.mjs': 1, 'common.cjs': 1, 'dependency.mjs': 2, 'later.mjs': 1 },
  },
  {
    name: 'an ES module that is required',
    program: 'require-module.cjs',
    sites: { 'require-module.cjs': 1, 'dependency.mjs': 2 },
  },
  { name: 'workers', program: 'threads.cjs', sites: { 'threads.cjs': 2, 'worker threads.cjs': 2 } },
  // tsx puts helper functions of its own into what it compiles; `__name` is no function of the program and has no site.
  { name: 'tsx', program: 'typed.ts', flags: ['--import', 'tsx'], sites: { 'typed.ts': 2 } },
  {
    name: 'tsx and source maps',
    program: 'typed.mts',
    flags: ['--import', 'tsx', '--enable-source-maps'],
    sites: { 'typed.mts': 1 },
  },
  { name: 'TypeScript that Node strips', program: 'typed.ts', sites: { 'typed.ts': 1 }, from: 24 },
  { name: 'TypeScript modules that Node strips', program: 'typed.mts', sites: { 'typed.mts': 1 }, from: 24 },
  {
    name: 'import-in-the-middle',
    program: 'intercepted.mjs',
    sites: { 'intercepted.mjs': 2, 'user.mjs': 1, 'dependency.mjs': 2 },
  },
  { name: 'source-map-support', program: 'support.cjs', sites: { 'support.cjs': 1 } },
  { name: 'Node’s own source maps', program: 'support.cjs', flags: ['--enable-source-maps'], sites: { 'support.cjs': 1 } },
  { name: 'require hooks', program: 'hooked.cjs', sites: { 'hooked.cjs': 3, 'some.words': 1, 'replaced.js': 1 } },
  { name: 'load hooks of the program', program: 'hooks.mjs', sites: { 'dependency.mjs': 2 } },
  { name: 'texts that do not parse, JSON, eval, Function, vm', program: 'broken.cjs', sites: { 'broken.cjs': 1 } },
  { name: 'a program that breaks built-ins', program: 'patched.cjs', sites: { 'patched.cjs': 1 } },
];

const QUIET = ['--no-deprecation', '--disable-warning=ExperimentalWarning'];
const major = Number(process.versions.node.split('.')[0]);
const REPORT = testFile('support/report-sites.mjs');

const sitesIn = (stderr: string): Record<string, number> =>
  Object.fromEntries([...stderr.matchAll(/^sites (.+?)(?:\?.*)? (\d+)$/gm)].map(([, file, count]) => [file, Number(count)]));

describe('beside other loaders', { concurrency: 2 }, () => {
  for (const { name, program, flags = [], sites, from = 20 } of CASES) {
    test(name, { skip: major < from && `needs Node ${from}` }, async () => {
      const path = testFile(`loaders/fixtures/${program}`);
      const plain = await run(path, { flags: [...QUIET, ...flags] });
      assert.equal(plain.status, 0, plain.stderr);
      const traced = await run(path, { flags: [...QUIET, '--import', FENTRY, ...flags, '--import', REPORT] });
      assert.deepEqual([traced.stdout, traced.status], [plain.stdout, 0], traced.stderr);
      const found = sitesIn(traced.stderr);
      assert.deepEqual(Object.fromEntries(Object.keys(sites).map((file) => [file, found[file]])), sites);
      const armed = await run(path, {
        flags: [...QUIET, '--import', FENTRY, ...flags],
        env: { FENTRY: 'ftrace=function_graph' },
      });
      assert.deepEqual([armed.stdout, armed.status], [plain.stdout, 0], armed.stderr);
    });
  }
});

test('fentry may come after tsx too', async () => {
  const path = testFile('loaders/fixtures/typed.ts');
  const traced = await run(path, { flags: [...QUIET, '--import', 'tsx', '--import', FENTRY, '--import', REPORT] });
  assert.equal(sitesIn(traced.stderr)['typed.ts'], 2, traced.stderr);
});

test('children get fentry by NODE_OPTIONS', async () => {
  const path = testFile('loaders/fixtures/children.cjs');
  const plain = await run(path);
  const traced = await run(path, { env: { NODE_OPTIONS: `--import ${FENTRY} --import ${REPORT}` } });
  assert.equal(traced.stdout, plain.stdout, traced.stderr);
  assert.equal(traced.stderr.match(/^sites children.cjs [1-9]/gm)?.length, 3);
});

test('instrument= chooses the packages', async () => {
  const path = testFile('loaders/fixtures/main.mjs');
  const traced = await run(path, { flags: ['--import', FENTRY, '--import', REPORT], env: { FENTRY: 'instrument=express' } });
  assert.deepEqual(Object.values(sitesIn(traced.stderr)), [0, 0, 0, 0]);
});

/** Each function's ranges and their counts in the coverage reports of a folder, over all processes. */
const functionsCovered = (folder: string): string[] =>
  readdirSync(folder)
    .flatMap((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')).result as CoveredScript[])
    .filter(({ url }) => url.includes('/fixtures/'))
    .flatMap(({ url, functions }) =>
      functions.map(
        ({ functionName, ranges }) =>
          `${url} ${functionName} ${ranges.map((one) => `${one.startOffset}-${one.endOffset} ${one.count}`).join(', ')}`,
      ),
    )
    .sort();

interface CoveredScript {
  readonly url: string;
  readonly functions: readonly {
    readonly functionName: string;
    readonly ranges: readonly { readonly startOffset: number; readonly endOffset: number; readonly count: number }[];
  }[];
}

for (const program of ['main.mjs', 'branches.cjs']) {
  test(`coverage has the author’s offsets and branches: ${program}`, async (t) => {
    const path = testFile(`loaders/fixtures/${program}`);
    const folders = ['plain', 'traced'].map((name) => mkdtempSync(join(tmpdir(), `fentry-coverage-${name}-`))) as [
      string,
      string,
    ];
    t.after(() => {
      for (const folder of folders) rmSync(folder, { recursive: true });
    });
    await run(path, { env: { NODE_V8_COVERAGE: folders[0] } });
    await run(path, { flags: ['--import', FENTRY], env: { NODE_V8_COVERAGE: folders[1] } });
    const plain = functionsCovered(folders[0]);
    assert.ok(plain.length >= 8, plain.join('\n'));
    assert.deepEqual(functionsCovered(folders[1]), plain);
  });
}
