// All the checks, as `npm test` and .ci/run run them. The last line is the sum: `N passed, N failed[, N skipped]`.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const SUMMARY = 'build/test-summary.json';

if (!existsSync('node_modules/.package-lock.json')) {
  console.error('node_modules is missing: run npm ci first');
  console.log('0 passed, 1 failed');
  process.exit(1);
}

const node = process.execPath;
const STEPS = [
  { name: 'build', command: [node, 'scripts/build.mjs', '--modules'] },
  { name: 'types', command: [node, 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.json', '--noEmit'] },
  { name: 'lint and format', command: [node, 'node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'] },
  { name: 'layers', command: [node, 'scripts/check-layers.mjs'] },
];

const sum = { passed: 0, failed: 0, skipped: 0 };

/** Runs one command with its output shown; returns whether it ended well. */
const runs = (name, [command, ...args]) => {
  const started = process.hrtime.bigint();
  console.log(`# ${name}`);
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  const seconds = Number(process.hrtime.bigint() - started) / 1e9;
  console.log(`# ${name}: ${status === 0 ? 'ok' : 'FAILED'} (${seconds.toFixed(1)} s)\n`);
  return status === 0;
};

for (const { name, command } of STEPS) sum[runs(name, command) ? 'passed' : 'failed'] += 1;

rmSync(SUMMARY, { force: true });
const testsPassed = runs('tests', [node, 'scripts/test.mjs', '--built']);
let failedTests = 0;
if (existsSync(SUMMARY)) {
  const totals = JSON.parse(readFileSync(SUMMARY, 'utf8'));
  sum.passed += totals.pass;
  failedTests = totals.fail + totals.cancelled;
  sum.skipped += totals.skipped + totals.todo;
}
// A run that died before it could count is a failure that no total shows.
sum.failed += testsPassed ? failedTests : Math.max(1, failedTests);

console.log(`${sum.passed} passed, ${sum.failed} failed${sum.skipped === 0 ? '' : `, ${sum.skipped} skipped`}`);
process.exitCode = sum.failed === 0 ? 0 : 1;
