// Runs a package's test suite plainly and with fentry loaded, and compares the totals that it prints:
// `node scripts/same-results.mjs FOLDER [FENTRY-SETTINGS] -- COMMAND...`, for example
// `node scripts/same-results.mjs ../express 'ftrace=function' -- npx mocha test/`. Exits 1 when they differ.
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const FENTRY = new URL('../dist/index.js', import.meta.url).href;
/** The totals as TAP (node:test, tape, tap), mocha and jest print them; times are left out. */
const TOTALS = [
  /^(?:#|ℹ) (?:tests|suites|pass|fail|cancelled|skipped|todo) +\d+/gm,
  /^ *\d+ (?:passing|failing|pending)/gm,
  /^(?:Tests|Test Suites|Snapshots): .*$/gm,
];
const FAILURE = /^ *(?:not ok .*|✖ .*|\d+\) .*)$/gm;

const args = process.argv.slice(2);
const cut = args.indexOf('--');
if (cut < 1) {
  console.error('usage: same-results.mjs FOLDER [FENTRY-SETTINGS] -- COMMAND...');
  process.exit(2);
}
const [folder, settings = ''] = args.slice(0, cut);
const [command, ...rest] = args.slice(cut + 1);

const suite = (extra) => {
  const env = { ...process.env, NODE_ENV: 'test', ...extra };
  const { status, stdout, stderr } = spawnSync(command, rest, {
    cwd: resolve(folder),
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    env,
  });
  const printed = `${stdout}${stderr}`;
  const totals = TOTALS.flatMap((pattern) => printed.match(pattern) ?? []).map((line) => line.trim());
  const failures = (printed.match(FAILURE) ?? []).map((line) => line.replace(/\(?[\d.]+ ?ms\)?/g, '').trim());
  return { status, totals: totals.join(', '), failures };
};

const plain = suite({});
const traced = suite({ NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import ${FENTRY}`.trim(), FENTRY: settings });
const same = plain.status === traced.status && plain.totals === traced.totals && plain.totals !== '';
console.log(`plain : status ${plain.status}, ${plain.totals}\nfentry: status ${traced.status}, ${traced.totals}`);
if (!same) for (const line of traced.failures.filter((failure) => !plain.failures.includes(failure))) console.log(`  ${line}`);
console.log(same ? 'same' : plain.totals === '' ? 'no totals found' : 'DIFFERENT');
process.exitCode = same ? 0 : 1;
