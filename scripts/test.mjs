// Runs the unit and end-to-end tests: `node scripts/test.mjs [--built] [PATH-PART...]` runs those whose path contains a part.
// --built: dist/ and build/ are there already. The totals are left in build/test-summary.json.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const SUMMARY = 'build/test-summary.json';
/** A hanging test must not hang the run; no test asserts a time. It holds for all tests of a file together, too. */
const HANG_MILLISECONDS = 900_000;

const args = process.argv.slice(2);
const parts = args.filter((arg) => !arg.startsWith('--'));
if (!args.includes('--built')) {
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
const reporters = [
  ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
  ...['--test-reporter=./scripts/summary-reporter.mjs', `--test-reporter-destination=${SUMMARY}`],
];
const run = spawnSync(
  process.execPath,
  ['--enable-source-maps', '--test', `--test-timeout=${HANG_MILLISECONDS}`, ...reporters, ...files],
  { stdio: 'inherit' },
);
if (existsSync(SUMMARY)) {
  const { skips } = JSON.parse(readFileSync(SUMMARY, 'utf8'));
  for (const { name, reason } of skips) console.log(`skipped: ${name}${reason === '' ? '' : `: ${reason}`}`);
}
process.exit(run.status ?? 1);
