// Runs the unit and end-to-end tests: `node scripts/test.mjs [PATH-PART...]` runs those whose path contains a part.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

process.chdir(new URL('..', import.meta.url).pathname);
const parts = process.argv.slice(2);
const built = spawnSync(process.execPath, ['scripts/build.mjs', '--modules', '--no-types'], { stdio: 'inherit' });
if (built.status !== 0) process.exit(built.status ?? 1);

const files = ['src', 'test']
  .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name)))
  .filter((name) => name.endsWith('.test.ts') && (parts.length === 0 || parts.some((part) => name.includes(part))))
  .map((name) => join('build', name.replace(/\.ts$/, '.js')));
if (files.length === 0) {
  console.error(`no test file's path contains ${parts.join(' or ')}`);
  process.exit(1);
}
const run = spawnSync(process.execPath, ['--enable-source-maps', '--test', ...files], { stdio: 'inherit' });
process.exit(run.status ?? 1);
