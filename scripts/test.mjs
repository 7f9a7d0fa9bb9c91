// Runs the unit and end-to-end tests: `node scripts/test.mjs [--built] [PATH-PART...] [--test-OPTION VALUE...]` runs those whose
// path contains a part. --built: dist/ and build/ are there already. Options of Node's test runner are passed on to it, with
// their values: `ring-buffer --test-name-pattern commit`. The totals are left in build/test-summary.json.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const SUMMARY = 'build/test-summary.json';
/** A hanging test must not hang the run; no test asserts a time. It holds for all tests of a file together, too. */
const HANG_MILLISECONDS = 900_000;
/**
 * Most tests wait for a program that they have started: with a file a core, a third of the time of two cores is idle, with one
 * more, a seventh.
 */
const CONCURRENCY = 2 * availableParallelism();

/** Options of the test runner that take no value. */
const FLAGS = new Set(['--test-only', '--test-force-exit', '--test-update-snapshots']);
const parts = [];
const passedOn = [];
let isBuilt = false;
for (const args = process.argv.slice(2); args.length > 0; ) {
  const arg = args.shift();
  if (arg === '--built') isBuilt = true;
  else if (!arg.startsWith('--')) parts.push(arg);
  else if (arg.startsWith('--test-') && (FLAGS.has(arg) || arg.includes('='))) passedOn.push(arg);
  else if (arg.startsWith('--test-') && args.length > 0) passedOn.push(`${arg}=${args.shift()}`);
  else {
    console.error(`${arg}: the options are --built and those of node --test, each with its value`);
    process.exit(1);
  }
}
if (!isBuilt) {
  const built = spawnSync(process.execPath, ['scripts/build.mjs', '--modules', '--no-types'], { stdio: 'inherit' });
  if (built.status !== 0) process.exit(built.status ?? 1);
}

const files = ['src', 'test']
  .filter((folder) => existsSync(folder))
  .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name)))
  .filter((name) => name.endsWith('.test.ts') && (parts.length === 0 || parts.some((part) => name.includes(part))))
  .map((name) => join('build', name.replace(/\.ts$/, '.js')))
  .sort();
if (files.length === 0) {
  console.error(`no test file's path contains ${parts.join(' or ')}`);
  process.exit(1);
}

rmSync(SUMMARY, { force: true });
// Of this run alone, as on a machine that never had fentry: what earlier runs have left must not matter.
const cache = mkdtempSync(join(tmpdir(), 'fentry-tests-'));
const reporters = [
  ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
  ...['--test-reporter=./scripts/summary-reporter.mjs', `--test-reporter-destination=${SUMMARY}`],
];
const run = spawnSync(
  process.execPath,
  [
    '--enable-source-maps',
    '--test',
    `--test-timeout=${HANG_MILLISECONDS}`,
    `--test-concurrency=${CONCURRENCY}`,
    ...reporters,
    ...passedOn,
    ...files,
  ],
  { stdio: 'inherit', env: { FENTRY_CACHE: cache, ...process.env } },
);
rmSync(cache, { recursive: true, force: true });
if (existsSync(SUMMARY)) {
  const { skips } = JSON.parse(readFileSync(SUMMARY, 'utf8'));
  const said = skips.filter(({ reason }) => reason !== 'test name does not match pattern');
  for (const { name, reason } of said) console.log(`skipped: ${name}${reason === '' ? '' : `: ${reason}`}`);
}
process.exit(run.status ?? 1);
