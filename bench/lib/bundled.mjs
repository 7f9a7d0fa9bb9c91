import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { output, ROOT } from './child.mjs';

/** Runs a TypeScript program of fixtures/ that prints JSON, bundled with constants in their places, as dist/ is built. */
export async function runBundled(name) {
  const folder = mkdtempSync(join(ROOT, 'build', 'bench-'));
  try {
    const outfile = join(folder, `${name}.js`);
    await build({
      entryPoints: [fileURLToPath(new URL(`../fixtures/${name}.ts`, import.meta.url))],
      outfile,
      bundle: true,
      minifySyntax: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
    });
    return JSON.parse(output(process.execPath, [outfile]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
