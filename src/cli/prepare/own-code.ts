import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { folderUrl } from '../../base/file-path.js';
import { BUILD_NAME } from '../../base/version.js';
import { PREPARED_PACK, packParts } from '../../v8/loader/prepared-pack.js';
import { TextPreparer } from '../../v8/loader/text-preparer.js';
import { publicFile } from './public-file.js';

/**
 * A program that uses what most programs use of fentry, and lives until the control thread has stored its code. As packages do
 * that say who calls what is deprecated, it reads places of a stack; as those that know built-ins by it, a function's text.
 */
const PROGRAM = [
  {
    name: 'main.cjs',
    format: 'commonjs',
    text: `const { callerOf, twice } = require('./lib.cjs');
require('./short.cjs');
twice(1);
callerOf();
String(twice);
String(String);
import('./module.mjs').then(({ half }) => half(2));
setTimeout(() => twice(2), Number(process.argv[2]));
`,
  },
  {
    name: 'lib.cjs',
    format: 'commonjs',
    text: `exports.twice = (n) => 2 * n;
exports.callerOf = () => {
  const { prepareStackTrace } = Error;
  Error.prepareStackTrace = (error, sites) => sites;
  const held = {};
  Error.captureStackTrace(held);
  const [site] = held.stack.slice(1);
  Error.prepareStackTrace = prepareStackTrace;
  const stack = new Error().stack;
  return [stack, site.getFileName(), site.getLineNumber(), site.getColumnNumber(), site.getFunctionName(), site.isEval()];
};
// ${'-'.repeat(4096)}
`,
  },
  { name: 'short.cjs', format: 'commonjs', text: 'exports.one = 1;\n' },
  { name: 'module.mjs', format: 'module', text: 'export const half = (n) => n / 2;\n' },
] as const;
/** Milliseconds that it lives: briefly, and longer than store-later.ts waits. */
const BRIEF = 1;
const LONG = 2000;

const run = (script: string, lives: number, env: NodeJS.ProcessEnv): Promise<void> =>
  new Promise((resolve, reject) => {
    const preload = fileURLToPath(new URL('preload.cjs', import.meta.url));
    const child = spawn(process.execPath, ['--require', preload, script, String(lives)], { env, stdio: 'ignore' });
    child.on('error', reject);
    child.on('exit', () => resolve());
  });

/**
 * Fills a cache with V8's code of fentry's own bundles, by running a small program whose texts are prepared: what such a program
 * calls of them at its start is in that code, and little else. Returns how many files of it there are.
 * @param folder of this build in the cache
 */
export async function prepareOwnCode(folder: string): Promise<number> {
  const place = mkdtempSync(join(tmpdir(), 'fentry-prepare-'));
  try {
    const preparer = new TextPreparer(folderUrl(import.meta.url), undefined);
    const texts = PROGRAM.flatMap(({ name, format, text }) => {
      const path = join(place, name);
      writeFileSync(path, text);
      return preparer.prepare({ path, format, isTypeScript: false }, text).texts;
    });
    const prepared = join(place, 'prepared');
    mkdirSync(join(prepared, BUILD_NAME), { recursive: true });
    writeFileSync(join(prepared, BUILD_NAME, PREPARED_PACK), Buffer.concat(packParts(texts, preparer.functions)), {
      mode: 0o644,
    });
    const script = join(place, PROGRAM[0].name);
    const cache = join(place, 'cache');
    const { FENTRY: _, ...inherited } = process.env;
    const env = { ...inherited, FENTRY_CACHE: cache, FENTRY_PREPARED: prepared, XDG_RUNTIME_DIR: place };
    mkdirSync(cache, { mode: 0o700 });
    await run(script, BRIEF, env);
    await run(script, LONG, { ...env, FENTRY: 'ftrace=function' });
    const made = join(cache, BUILD_NAME);
    const names = readdirSync(made).filter((name) => name.endsWith('.code'));
    for (const name of names) publicFile(join(folder, name), (path) => copyFileSync(join(made, name), path));
    return names.length;
  } catch {
    return 0;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
