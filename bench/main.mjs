// Runs the benchmarks: `npm run bench [-- NAME...]`. Each is a file of this folder and a process of its own:
// NAME.mjs, or NAME.ts, which is built first. It prints its ratios through lib/verdict.mjs; none passes or fails.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { cpus } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const benches = new Map(
  readdirSync('bench', { withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(mjs|ts)$/.test(entry.name) && !/^main\.mjs$|\.test\.ts$/.test(entry.name))
    .map(({ name }) => [
      basename(name).replace(/\.(mjs|ts)$/, ''),
      name.endsWith('.ts') ? join('build/bench', name.replace(/\.ts$/, '.js')) : join('bench', name),
    ]),
);

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !benches.has(name));
if (unknown.length > 0) {
  console.error(`no benchmark is named ${unknown.join(' or ')}; there are: ${[...benches.keys()].join(', ')}`);
  process.exit(1);
}

const built = spawnSync(process.execPath, ['scripts/build.mjs', '--modules', '--no-types'], { stdio: 'inherit' });
if (built.status !== 0) process.exit(built.status ?? 1);

console.log(`Node ${process.version}, ${cpus()[0]?.model.trim()}, ${cpus().length} CPUs\n`);
for (const [name, file] of benches) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const { status } = spawnSync(process.execPath, ['--enable-source-maps', file], { stdio: 'inherit' });
  if (status === 0) continue;
  console.log(`${name}: ended with status ${status}`);
  process.exitCode = 1;
}
