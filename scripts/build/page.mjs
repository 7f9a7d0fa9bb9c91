// The page that fentry open serves and fentry dump --html writes: dist/page/.
import { cpSync, statSync } from 'node:fs';
import { bundle, shared } from './bundle.mjs';

/** What the page may have in all: it is a part of every file of --html. */
const MOST_BYTES = 250_000;
const FILES = ['index.html', 'icon.svg', 'page.js', 'page.css'];

/** Builds the page. Throws an Error if it is too large. */
export async function buildPage() {
  await bundle({
    entryPoints: { page: 'src/page/main.tsx' },
    outdir: 'dist/page',
    platform: 'browser',
    target: 'es2022',
    format: 'iife',
    minify: true,
    sourcemap: false,
    legalComments: 'none',
    charset: 'utf8',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: shared.define,
  });
  await bundle({ entryPoints: { page: 'src/page/page.css' }, outdir: 'dist/page', minify: true, sourcemap: false });
  for (const file of ['index.html', 'icon.svg']) cpSync(`src/page/${file}`, `dist/page/${file}`);
  const bytes = FILES.reduce((sum, file) => sum + statSync(`dist/page/${file}`).size, 0);
  if (bytes > MOST_BYTES) throw new Error(`the page has ${bytes} bytes: at most ${MOST_BYTES} are allowed`);
}
