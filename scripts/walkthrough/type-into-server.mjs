import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { typeSections } from './type-sections.mjs';
import { TypedShell } from './typed-shell.mjs';

/** The repository's folder. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Opens a shell of `fentry exec`, in /sys/kernel/tracing, while a server runs under load, and types into it. Everything that it
 * started has ended when it returns or throws.
 * @param {{ server: string, load: (url: string) => Promise<unknown> }} parts the server's file, which prints its URL; a second of
 * load,
 *   which is repeated
 * @param {(type: (sections: readonly object[]) => ReturnType<typeof typeSections>) => Promise<void>} use types sections
 */
export async function typeIntoServer({ server, load }, use) {
  const folder = mkdtempSync(join(tmpdir(), 'fentry-typed-'));
  const env = { ...process.env, FENTRY_DIR: folder, FENTRY_CACHE: join(folder, 'cache'), FENTRY: '' };
  const preload = pathToFileURL(join(ROOT, 'dist/index.js')).href;
  const service = spawn(process.execPath, ['--import', preload, join(ROOT, server), '0'], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const loadEnds = new AbortController();
  let loading = Promise.resolve();
  let shell;
  try {
    const [line] = await once(service.stdout, 'data');
    const url = /http:\S+/.exec(String(line))[0];
    loading = (async () => {
      while (!loadEnds.signal.aborted) await load(url);
    })();
    // Awaited at the end; a failure must not end the process before that.
    loading.catch(() => {});
    const command = [join(ROOT, 'dist/cli.js'), 'exec', '--pid', String(service.pid), '--', 'bash', '--norc'];
    shell = new TypedShell(process.execPath, command, { ...env, SHOP: join(ROOT, 'examples/shop'), URL: url });
    await shell.type('cd /sys/kernel/tracing');
    await use((sections) => typeSections(shell, sections, String(service.pid)));
  } finally {
    await shell?.end();
    loadEnds.abort();
    const ended = service.exitCode === null && once(service, 'exit');
    service.kill();
    await loading.catch(() => {});
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

/** How many commands the sections have. */
export const stepsOf = (sections) => sections.reduce((sum, { steps }) => sum + steps.length, 0);

/** Prints the failures, and how many commands printed what was promised; a failure makes the process exit with 1. */
export function reportTyped(steps, failures, promiser) {
  for (const failure of failures) console.log(failure);
  console.log(`${steps - failures.length} of ${steps} commands printed what their ${promiser} promises`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}
