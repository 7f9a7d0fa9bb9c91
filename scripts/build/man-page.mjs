import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { REQUIRE, shared, shellBundle } from './bundle.mjs';

/** Verbs with a page of their own. */
const OWN_PAGES = ['bpftrace', 'stap'];

/** man/fentry.1 and man/fentry-VERB.1, of the verbs' own help. */
export async function buildManPage() {
  const outfile = 'build/man-page/man-page.mjs';
  await esbuild.build({
    ...shared,
    entryPoints: ['src/cli/man-page-main.ts'],
    bundle: true,
    format: 'esm',
    outfile,
    sourcemap: false,
    plugins: [shellBundle],
    banner: { js: REQUIRE },
    define: { ...shared.define, 'import.meta.url': JSON.stringify(pathToFileURL(resolve('dist/cli.js')).href) },
  });
  mkdirSync('man', { recursive: true });
  writeFileSync('man/fentry.1', execFileSync(process.execPath, [outfile]));
  for (const verb of OWN_PAGES) writeFileSync(`man/fentry-${verb}.1`, execFileSync(process.execPath, [outfile, verb]));
}
