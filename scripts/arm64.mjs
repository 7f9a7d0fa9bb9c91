// Runs tests in an emulated Debian for arm64 (test/native/arm64-machine.ts):
// `node scripts/arm64.mjs PATH-PART... [--node=MAJOR] [--test-OPTION=VALUE...]`. Builds first. The machine, its kernel and its
// Node, which is 20 unless another is named, come from Debian's and npm's registries into .cache/arm64, once.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const args = process.argv.slice(2);
const options = args.filter((arg) => arg.startsWith('--test-'));
const node = args.find((arg) => arg.startsWith('--node='))?.slice('--node='.length);
const parts = args.filter((arg) => !arg.startsWith('--'));
if (parts.length === 0) {
  console.error('usage: node scripts/arm64.mjs PATH-PART... [--node=MAJOR] [--test-name-pattern=PATTERN]');
  process.exit(1);
}
const built = spawnSync(process.execPath, ['scripts/build.mjs', '--modules', '--no-types'], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
if (built.status !== 0) process.exit(built.status ?? 1);

const { bootArm64, testFiles } = await import('../build/test/native/arm64-machine.js');
const { arm64PartsOrReason } = await import('../build/test/native/arm64-parts.js');
const machineParts = arm64PartsOrReason(node);
if ('reason' in machineParts) {
  console.error(machineParts.reason);
  process.exit(1);
}
const names = ['src', 'test']
  .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name)))
  .filter((name) => (name.endsWith('.test.ts') || name.endsWith('on-arm64.ts')) && parts.some((part) => name.includes(part)))
  .map((name) => name.replace(/\.ts$/, ''))
  .sort();

const ends = [];
let status = 0;
try {
  const machine = await bootArm64({ after: (end) => void ends.unshift(end) }, machineParts, await testFiles(names));
  for (const name of names) {
    console.log(`# ${name}`);
    const { code, output } = await machine.run(
      `node --test-reporter=spec ${options.map((one) => `'${one}'`).join(' ')} build/${name}.mjs`,
    );
    console.log(output);
    if (code !== 0) status = 1;
  }
} finally {
  for (const end of ends) end();
}
process.exit(status);
