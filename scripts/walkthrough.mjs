// Types the commands of the kernel's tracing documentation against the shop under load, through a mount, and writes the output to the
// pages of docs/ that walkthrough/pages.mjs lists: `node scripts/walkthrough.mjs [--check] [PAGE...]`. Exits with 1 if a command does not
// print what the section promises. --check writes nothing. Needs root and FUSE.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runLoad } from '../examples/shop/load.mjs';
import { PAGES } from './walkthrough/pages.mjs';
import { typeSections } from './walkthrough/type-sections.mjs';
import { TypedShell } from './walkthrough/typed-shell.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const words = process.argv.slice(2);
const wanted = words.filter((word) => word !== '--check');

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
const failures = [];
let steps = 0;
try {
  await shell.type('cd /sys/kernel/tracing');
  for (const { name, head, sections, end = [] } of PAGES) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const walked = await typeSections(shell, sections, String(shop.pid));
    failures.push(...walked.failures);
    steps += sections.reduce((sum, section) => sum + section.steps.length, 0);
    const page = [...head, ...walked.parts, ...end];
    if (!words.includes('--check')) writeFileSync(join(root, 'docs', `${name}.md`), `${page.join('\n')}\n`);
  }
} finally {
  await shell.end();
  loadEnds.abort();
  const ended = once(shop, 'exit');
  shop.kill();
  await load.catch(() => {});
  await ended;
  rmSync(folder, { recursive: true, force: true });
}
for (const failure of failures) console.log(failure);
console.log(`${steps - failures.length} of ${steps} commands printed what their section promises`);
process.exitCode = failures.length === 0 ? 0 : 1;
