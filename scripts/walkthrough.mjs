// Types the commands of the kernel's ftrace documentation against the shop under load, through a mount, and writes the output to
// docs/ftrace-walkthrough.md: `node scripts/walkthrough.mjs [--check]`. Exits with 1 if a command does not print what the
// section promises. --check writes nothing. Needs root and FUSE.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runLoad } from '../examples/shop/load.mjs';
import { LEFT_OUT, SECTIONS } from './walkthrough/sections.mjs';
import { typeSections } from './walkthrough/type-sections.mjs';
import { TypedShell } from './walkthrough/typed-shell.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const PAGE = join(root, 'docs/ftrace-walkthrough.md');

const folder = mkdtempSync(join(tmpdir(), 'fentry-walk-'));
const env = { ...process.env, FENTRY_DIR: folder, FENTRY_CACHE: join(folder, 'cache'), FENTRY: '' };

async function startShop() {
  const shop = spawn(
    process.execPath,
    ['--import', pathToFileURL(join(root, 'dist/index.js')).href, join(root, 'examples/shop/server.mjs'), '0'],
    { env, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [line] = await once(shop.stdout, 'data');
  return { shop, url: /http:\S+/.exec(String(line))[0] };
}

const { shop, url } = await startShop();
const loadEnds = new AbortController();
const load = (async () => {
  while (!loadEnds.signal.aborted) await runLoad({ url, connections: 4, seconds: 1 });
})();
const shell = new TypedShell(
  process.execPath,
  [join(root, 'dist/cli.js'), 'exec', '--pid', String(shop.pid), '--', 'bash', '--norc'],
  env,
);
let failures = [];
try {
  await shell.type('cd /sys/kernel/tracing');
  const walked = await typeSections(shell, SECTIONS, String(shop.pid));
  failures = walked.failures;
  const page = [
    '# The kernel’s documentation, typed against a Node process\n',
    'Every section of the kernel’s `Documentation/trace/ftrace.rst` that has a meaning for a Node process, with its commands,',
    'typed in a shell of `fentry exec` against the shop (`examples/shop`, an Express server) under load. Only the names of functions',
    'are the shop’s. `node scripts/walkthrough.mjs` types the commands again, checks each answer, and writes this page.\n',
    ...walked.parts,
    '## Sections without a meaning here\n',
    ...LEFT_OUT.map(({ title, reason }) => `- **${title}**: ${reason}`),
  ];
  if (!process.argv.includes('--check')) writeFileSync(PAGE, `${page.join('\n')}\n`);
} finally {
  await shell.end();
  loadEnds.abort();
  shop.kill();
  await load.catch(() => {});
  rmSync(folder, { recursive: true, force: true });
}
const steps = SECTIONS.reduce((sum, section) => sum + section.steps.length, 0);
for (const failure of failures) console.log(failure);
console.log(`${steps - failures.length} of ${steps} commands printed what their section promises`);
process.exitCode = failures.length === 0 ? 0 : 1;
