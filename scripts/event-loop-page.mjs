// Types the commands of docs/event-loop.md again, against the service of examples/blocked under load, and puts what they print in
// their place: `node scripts/event-loop-page.mjs`. Lines of a console block that begin with `$` are commands; the rest is output.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const PAGE = join(root, 'docs/event-loop.md');
const PORT = 3987;

const folder = mkdtempSync(join(tmpdir(), 'fentry-page-'));
const env = { ...process.env, FENTRY_DIR: folder, FENTRY_CACHE: join(folder, 'cache'), FENTRY: '' };
const FENTRY = `fentry() { "${process.execPath}" "${join(root, 'dist/cli.js')}" "$@"; }`;

const type = (command) =>
  execFileSync('bash', ['-c', `${FENTRY}; node() { "${process.execPath}" "$@"; }; ${command}`], {
    cwd: root,
    env,
    encoding: 'utf8',
  })
    .replace(/[ \t]+$/gm, '')
    .trimEnd();

/** The block with the outputs of its commands as they are now. The one that starts the service is only shown. */
function retyped(block) {
  const commands = block.split('\n').filter((line) => line.startsWith('$ '));
  const lines = commands.flatMap((line) => {
    const command = line.slice(2);
    if (command.includes('--import fentry')) return [line];
    const output = type(command);
    return output === '' ? [line] : [line, output];
  });
  return lines.join('\n');
}

const service = spawn(
  process.execPath,
  ['--import', pathToFileURL(join(root, 'dist/index.js')).href, join(root, 'examples/blocked/server.mjs'), String(PORT)],
  { env, stdio: ['ignore', 'pipe', 'inherit'] },
);
try {
  await once(service.stdout, 'data');
  const page = readFileSync(PAGE, 'utf8');
  const typed = page.replace(/```console\n([\s\S]*?)\n```/g, (_, block) => `\`\`\`console\n${retyped(block)}\n\`\`\``);
  writeFileSync(PAGE, typed);
} finally {
  service.kill();
  rmSync(folder, { recursive: true, force: true });
}
