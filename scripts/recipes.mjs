// Types the commands that answer the questions of docs/recipes.md against the service of examples/trouble under load, through a mount,
// and writes the page: `node scripts/recipes.mjs [--check]`. Exits with 1 if a command does not print what the question promises.
// --check writes nothing. Needs root and FUSE.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runLoad } from '../examples/trouble/load.mjs';
import { QUESTIONS } from './recipes/questions.mjs';
import { typeSections } from './walkthrough/type-sections.mjs';
import { TypedShell } from './walkthrough/typed-shell.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const PAGE = join(root, 'docs/recipes.md');

const folder = mkdtempSync(join(tmpdir(), 'fentry-recipes-'));
const env = { ...process.env, FENTRY_DIR: folder, FENTRY_CACHE: join(folder, 'cache'), FENTRY: '' };
const service = spawn(
  process.execPath,
  ['--import', pathToFileURL(join(root, 'dist/index.js')).href, join(root, 'examples/trouble/server.mjs'), '0'],
  { cwd: root, env, stdio: ['ignore', 'pipe', 'ignore'] },
);
const [line] = await once(service.stdout, 'data');
const url = /http:\S+/.exec(String(line))[0];
const loadEnds = new AbortController();
const load = (async () => {
  while (!loadEnds.signal.aborted) await runLoad({ url, seconds: 1 });
})();
const shell = new TypedShell(
  process.execPath,
  [join(root, 'dist/cli.js'), 'exec', '--pid', String(service.pid), '--', 'bash', '--norc'],
  env,
);
/** The page does not depend on where the clone lies: columns stay. */
const inSrv = (text) => {
  const examples = join(root, 'examples');
  const wider = examples.length - '/srv'.length;
  return text.replace(new RegExp(`${examples}(\\S*)( *)`, 'g'), (_whole, rest, blanks) =>
    blanks === '' ? `/srv${rest}` : `/srv${rest}${blanks}${' '.repeat(wider)}`,
  );
};
let failures = [];
try {
  await shell.type('cd /sys/kernel/tracing');
  const typed = await typeSections(shell, QUESTIONS, String(service.pid));
  failures = typed.failures;
  const page = [
    '# Recipes: questions, answered on a live server\n',
    'Each question is answered by a few lines that are typed while the server runs: events are counted, filtered and matched inside the process.',
    '[Events](events.md) and [Histograms](histograms.md) describe what is typed.',
    'The shell is that of `fentry exec -- bash` in /sys/kernel/tracing; `fentry write FILE TEXT` and `fentry cat FILE` do the same without a mount.',
    'The server is `examples/trouble`, an Express service under load, started by `node --import fentry server.mjs`.',
    '`node scripts/recipes.mjs` types the commands again, checks each answer, and writes this page.\n',
    ...typed.parts.map(inSrv),
  ];
  if (process.argv.includes('--check')) console.log(page.join('\n'));
  else writeFileSync(PAGE, page.join('\n'));
} finally {
  await shell.end();
  loadEnds.abort();
  service.kill();
  await load.catch(() => {});
  rmSync(folder, { recursive: true, force: true });
}
const steps = QUESTIONS.reduce((sum, question) => sum + question.steps.length, 0);
for (const failure of failures) console.log(failure);
console.log(`${steps - failures.length} of ${steps} commands printed what their question promises`);
process.exitCode = failures.length === 0 ? 0 : 1;
